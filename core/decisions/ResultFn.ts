// Functions of several steps, each of which may fail: what `Effect.fn` is to `Effect.gen`, for `Result`.
import { Result } from "effect"

/** The steps of such a function: yields results, returns the final value. */
export type ResultGenerator<A, E> = Generator<Result.Result<unknown, E>, A, never>

/** The generator function is made once and takes arguments, instead of being made again inside every call. */
export const resultFn =
  <Args extends ReadonlyArray<unknown>, A, E = never>(
    steps: (...args: Args) => ResultGenerator<A, E>
  ): ((...args: Args) => Result.Result<A, E>) =>
  (...args) =>
    Result.gen(() => steps(...args))
