// Turns what use cases refuse into what calls fail with. Every refusal has its words in the contract.
import { Effect } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import type { Actor } from "#core/domain/Actor.ts"
import { CurrentOperator } from "../CurrentOperator.ts"
import { type OperatorError, operatorError } from "../OperatorError.ts"

export const withOperatorError = <A, E extends Failure, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, OperatorError, R> => Effect.mapError(effect, (failure) => operatorError(failure))

/** The same of a deed, in the name of whoever is at work. */
export const asOperator = <A, E extends Failure, R>(
  deed: (by: Actor) => Effect.Effect<A, E, R>
): Effect.Effect<A, OperatorError, R | CurrentOperator> =>
  Effect.flatMap(CurrentOperator, ({ actor }) => withOperatorError(deed(actor)))
