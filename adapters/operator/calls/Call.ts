// Defines a call of the operator plane, with the role that it requires; its only error is `OperatorError`.
import { Context, type Schema } from "effect"
import { Rpc } from "effect/rpc"
import type { OperatorRole } from "#core/domain/members/Actor.ts"
import { OperatorError } from "../OperatorError.ts"

export interface RequiredAccess {
  readonly role: OperatorRole
  /** Payload fields that only `admin` may set: a value other than absent, `null` or `false` requires that role. */
  readonly adminFields: ReadonlyArray<string>
}

/** The access that a call requires. A call that does not declare it is `admin`'s alone. */
export const RequiredAccess = Context.Reference<RequiredAccess>("backlinks/adapters/operator/RequiredAccess", {
  defaultValue: () => ({ role: "admin", adminFields: [] })
})

/**
 * Whether a call is waited for however long the store takes: one that is long by nature, or whose answer is a secret that is shown once. Any
 * other is answered within five seconds.
 */
export const IsWaitedFor = Context.Reference<boolean>("backlinks/adapters/operator/IsWaitedFor", {
  defaultValue: () => false
})

interface CallOptions<Fields> {
  readonly adminFields?: ReadonlyArray<keyof Fields & string>
  readonly isWaitedFor?: boolean
}

export const call = <const Tag extends string, Fields extends Schema.Struct.Fields, Success extends Schema.Top>(
  tag: Tag,
  role: OperatorRole,
  payload: Fields,
  success: Success,
  { adminFields = [], isWaitedFor = false }: CallOptions<NoInfer<Fields>> = {}
) =>
  Rpc.make(tag, { payload, success, error: OperatorError })
    .annotate(RequiredAccess, { role, adminFields })
    .annotate(IsWaitedFor, isWaitedFor)

/** A call that answers with a stream. */
export const streamCall = <const Tag extends string, Fields extends Schema.Struct.Fields, Success extends Schema.Top>(
  tag: Tag,
  role: OperatorRole,
  payload: Fields,
  success: Success
) =>
  Rpc.make(tag, { payload, success, error: OperatorError, stream: true })
    .annotate(RequiredAccess, { role, adminFields: [] })
    .annotate(IsWaitedFor, true)
