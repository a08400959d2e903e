// The operator who makes a call: the name that the audit log records. It is that of the token; the holder of the shared
// `OPERATOR_TOKEN` declares a name without proof.
import { Context, Effect } from "effect"
import { RpcMiddleware } from "effect/rpc"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { OperatorError, withOperatorError } from "./OperatorError.ts"

/** Available in every handler. */
export class CurrentOperator extends Context.Service<CurrentOperator, { readonly actor: string }>()(
  "backlinks/operator/CurrentOperator"
) {}

/** The request header that carries the name; without it, the name is `DEFAULT_ACTOR`. */
export const ACTOR_HEADER = "operator-name"
/** 1 to 64 visible ASCII characters, with spaces inside. */
export const ACTOR_NAME = /^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/

export const DEFAULT_ACTOR = "operator"

/** Runs around every call: provides the operator and hides the details of internal errors. */
export class OperatorMiddleware extends RpcMiddleware.Service<OperatorMiddleware, { provides: CurrentOperator }>()(
  "backlinks/adapters/operator/OperatorMiddleware",
  { error: OperatorError }
) {}

/** Runs an audited use case in the name of the current operator. */
export const asOperator = <A, E extends Failure, R>(
  run: (by: Actor) => Effect.Effect<A, E, R>
): Effect.Effect<A, OperatorError, R | CurrentOperator> =>
  Effect.flatMap(CurrentOperator, ({ actor }) => withOperatorError(run(actor)))
