// Functions of several steps, each of which may fail: what `Effect.fn` is to `Effect.gen`, for `Result`.
import { Result } from "effect"

/** The steps of such a function: yields results, returns the final value. */
export type ResultGenerator<A, E> = Generator<Result.Result<unknown, E>, A, never>

/**
 * For functions on the path of every order. A generator function inside a function is created again for each call, and V8 retains it,
 * with everything it closes over, beyond the call; this one is created once and takes arguments.
 */
export const resultFn =
  <Args extends ReadonlyArray<unknown>, A, E = never>(
    steps: (...args: Args) => ResultGenerator<A, E>
  ): ((...args: Args) => Result.Result<A, E>) =>
  (...args) =>
    Result.gen(() => steps(...args))
