// Who is at work on the operator plane: a name for the audit log. The token says that they may; the name is their own word.
import { Context } from "effect"
import { RpcMiddleware } from "effect/rpc"
import { OperatorError } from "./OperatorError.ts"

/** There for every handler. */
export class CurrentOperator extends Context.Service<CurrentOperator, { readonly actor: string }>()(
  "backlinks/adapters/operator/CurrentOperator"
) {}

/** The request header that carries the name; without it, the name is `DEFAULT_ACTOR`. */
export const ACTOR_HEADER = "operator-name"
/** 1 to 64 visible ASCII characters, with spaces inside. */
export const ACTOR_NAME = /^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/

export const DEFAULT_ACTOR = "operator"

/** Stands before every call: names the operator, and keeps what goes wrong inside from being seen outside. */
export class OperatorMiddleware extends RpcMiddleware.Service<OperatorMiddleware, { provides: CurrentOperator }>()(
  "backlinks/adapters/operator/Duty",
  { error: OperatorError }
) {}
