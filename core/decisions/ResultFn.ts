// Rules of several steps, each of which may refuse.
import { Result } from "effect"

/** What a rule comes to after its steps, and what each of them may refuse with. */
export type ResultGenerator<A, E> = Generator<Result.Result<unknown, E>, A, never>

/**
 * `Result.gen` for a rule that every order goes through. A generator that is written within a function is a new one for each call, and
 * what V8 keeps of each outlives the call, with all that the call could see: so this one is written once and takes arguments.
 */
export const resultFn =
  <Args extends ReadonlyArray<unknown>, A, E = never>(
    steps: (...args: Args) => ResultGenerator<A, E>
  ): ((...args: Args) => Result.Result<A, E>) =>
  (...args) =>
    Result.gen(() => steps(...args))
