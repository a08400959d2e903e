// Runs a store's conformance suite. Every suite builds its own instance of the store and expects it empty; the tests inside it
// share the store, and no ids.
import { layer, type Vitest } from "@effect/vitest"
import { Context, Effect, Layer, Ref, Result } from "effect"
import type { StorePorts } from "#adapters/postgres/PostgresStore.ts"
import { countEach } from "#test/core/BookReads.ts"

export type StoreLayer = Layer.Layer<StorePorts, unknown>

/** Ascending numbers, each returned once, for the ids that an operator chooses. */
export class UniqueNumbers extends Context.Service<UniqueNumbers, { readonly next: Effect.Effect<number> }>()(
  "backlinks/test/Numbers"
) {
  static readonly layer = Layer.effect(
    UniqueNumbers,
    Effect.map(Ref.make(0), (last) => ({ next: Ref.updateAndGet(last, (number) => number + 1) }))
  )
}

/** Runs on the real clock, because a database has its own clock. */
export const storeSuite = (
  name: string,
  store: StoreLayer,
  tests: (it: Vitest.MethodsNonLive<StorePorts | UniqueNumbers>) => void
): void => layer(Layer.merge(store, UniqueNumbers.layer), { excludeTestServices: true })(name, tests)

export const concurrently = <Task extends Effect.Effect<unknown, unknown, unknown>>(tasks: Iterable<Task>) =>
  Effect.all([...tasks], { concurrency: "unbounded" })

export const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

/** Counts outcomes by the refusal's tag or the name given to a success. */
export const countOutcomes = <A>(
  results: ReadonlyArray<Result.Result<A, { readonly _tag: string }>>,
  nameOf: (one: A) => string
) => countEach(results.map(Result.match({ onSuccess: nameOf, onFailure: ({ _tag }) => _tag })))
