// What commands say and how: on standard output either something for people or, with --json, one JSON value; on standard error
// everything else. Commands say what; they never look at the terminal themselves.
import { Console, Effect, Terminal } from "effect"
import { CliOutput, Flag, GlobalFlag } from "effect/cli"

export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print one JSON value and nothing else on standard output"),
    Flag.withDefault(false)
  )
})

/** For people; `width` is the terminal's, or `undefined` where the output goes elsewhere. */
export type Render<A> = (value: A, width: number | undefined) => string

/** The answer of a command. */
export const print = Effect.fnUntraced(function* <A>(value: A, render: Render<A>) {
  if (yield* Json) return yield* Console.log(JSON.stringify(value))
  const terminal = yield* Terminal.Terminal
  const columns = yield* terminal.columns
  yield* Console.log(render(value, columns > 0 ? columns : undefined))
})

/** Something to know while or after a command runs; never part of the answer. */
export const printNote = (text: string): Effect.Effect<void> => Console.error(text)

/** A command line that makes no sense is told so in a sentence on standard error; help is for those who ask for it. */
export const presenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Console.error(
          [
            ...event.errors.map(({ message }) => message.replace("Expected: Schema validation failed: ", "")),
            `See: npm run ${event.commandPath[0]} -- ${[...event.commandPath.slice(1), "--help"].join(" ")}`
          ].join("\n")
        )
      : CliOutput.defaultPresenter.present(event)
})
