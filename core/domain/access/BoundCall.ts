// A call that an idempotency key binds for a day, to its credential, method and path: the same request takes effect once. Orders are bound
// by their quotes instead.
import { Schema } from "effect"
import { DAY_MS, Millis } from "../shared/DecisionContext.ts"

/** How long a call stays bound. */
export const CALL_BOUND_MS: Millis = DAY_MS

/** How long an answer that holds a secret is kept with it. */
export const CALL_SECRET_MS: Millis = 10 * 60_000

/** The random bytes of the secret that a call may make. */
export const CALL_SECRET_BYTES = 32

export const BoundCall = Schema.Struct({
  /** SHA-256 of the credential, the method and path, and the idempotency key. */
  callHash: Schema.String,
  /** SHA-256 of the canonical body. */
  fingerprint: Schema.String,
  boundAtMs: Millis,
  /** The ids of what the call makes begin with it, so that a call that runs again makes nothing twice. */
  idPrefix: Schema.String,
  /** Sealed: the bytes of the secret that the call may make; once it is answered, the answer that holds a secret. */
  sealed: Schema.NullOr(Schema.String),
  /** The answer, without a secret; all three `null` until it is kept. */
  answerStatus: Schema.NullOr(Schema.Int),
  answerBody: Schema.NullOr(Schema.String),
  answeredAtMs: Schema.NullOr(Millis)
})
export type BoundCall = typeof BoundCall.Type

/** What the vault binds what is sealed to. */
export const callSeal = ({ callHash }: Pick<BoundCall, "callHash">): string => `call ${callHash}`

/** Whether a call at that time finds the binding no more. */
export const isUnbound = ({ boundAtMs }: Pick<BoundCall, "boundAtMs">, atMs: Millis): boolean =>
  boundAtMs <= atMs - CALL_BOUND_MS

export const isAnswered = ({ answeredAtMs }: Pick<BoundCall, "answeredAtMs">): boolean => answeredAtMs !== null

/** Whether the answer is still kept with its secret. */
export const keepsSecret = ({ sealed, answeredAtMs }: BoundCall, atMs: Millis): boolean =>
  sealed !== null && answeredAtMs !== null && atMs < answeredAtMs + CALL_SECRET_MS

/** The idempotency key was used for another request to the same path. */
export class CallKeyReused extends Schema.TaggedError<CallKeyReused>()("CallKeyReused", {}) {}

/** What a call makes derives from this, so that it makes the same when it runs again. */
export interface CallOrigin {
  readonly atMs: Millis
  readonly idPrefix: string
  readonly secretBytes: Uint8Array
}
