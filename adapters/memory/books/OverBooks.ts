// A port of the store in memory, written as plain functions. Each call is one synchronous step, which no other fiber can interleave.
import { type Context, Effect, Layer } from "effect"
import { MemoryBooks } from "./MemoryBooks.ts"

/** Methods return their result, or an effect where they need the time or can be refused. Effects and streams stay as they are. */
export type Plain<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Effect.Effect<infer A, infer E>
    ? (...args: Args) => A | Effect.Effect<A, E>
    : Methods[Name]
}

type Method = (...args: ReadonlyArray<unknown>) => unknown

const suspended =
  (method: Method) =>
  (...args: ReadonlyArray<unknown>) =>
    Effect.suspend(() => {
      const result = method(...args)
      return Effect.isEffect(result) ? result : Effect.succeed(result)
    })

export const overBooks = <Port, Methods extends object>(
  port: Context.Key<Port, Methods>,
  methods: (books: MemoryBooks["Service"]) => Plain<NoInfer<Methods>>
): Layer.Layer<Port, never, MemoryBooks> =>
  Layer.effect(
    port,
    Effect.map(MemoryBooks, (books) => {
      const members = Object.entries(methods(books)).map(([name, member]) => {
        // A function is a method of `Plain`, whose arguments TypeScript checks where the port is written.
        return [name, typeof member === "function" ? suspended(member as Method) : member]
      })
      // Each member by its name, as `Plain` maps them.
      return Object.fromEntries(members) as Methods
    })
  )
