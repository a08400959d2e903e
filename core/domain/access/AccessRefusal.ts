// Refusals of a credential: unknown, not allowed, or over the limits that its owner set.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { KeyId } from "../shared/Ids.ts"
import { FieldPath } from "../shared/RequestRefusal.ts"
import type { CallKeyReused } from "./BoundCall.ts"

export class MissingApiKey extends Schema.TaggedError<MissingApiKey>()("MissingApiKey", {}) {}

export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()("InvalidApiKey", {}) {}

export class RevokedApiKey extends Schema.TaggedError<RevokedApiKey>()("RevokedApiKey", {}) {}

/** A former text of a key that was rotated, after its time: the key goes on under its new text. */
export class ReplacedApiKey extends Schema.TaggedError<ReplacedApiKey>()("ReplacedApiKey", {}) {}

/** A key whose `expires_at` has come. */
export class ExpiredApiKey extends Schema.TaggedError<ExpiredApiKey>()("ExpiredApiKey", {}) {}

/** A new key would expire before it was made, or later than keys may. */
export class KeyExpiryInvalid extends Schema.TaggedError<KeyExpiryInvalid>()("KeyExpiryInvalid", {
  expiresAtMs: Schema.Int
}) {}

export class InsufficientScope extends Schema.TaggedError<InsufficientScope>()("InsufficientScope", {
  required: Schema.Literals(["read", "order"]),
  held: Schema.Array(Schema.Literals(["read", "order"]))
}) {}

/** A list of what all credentials of the account placed, or a webhook for it, for a credential that may not see that. */
export class AccountViewRefused extends Schema.TaggedError<AccountViewRefused>()("AccountViewRefused", {
  held: Schema.Array(Schema.Literals(["read", "order"]))
}) {}

export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { keyId: KeyId }) {}

export class KeyLimitReached extends Schema.TaggedError<KeyLimitReached>()("KeyLimitReached", { limit: Schema.Int }) {}

/** All former texts of the key that are remembered are still good; at `resetsAtMs` the first of them ends. */
export class KeyRotationLimitReached extends Schema.TaggedError<KeyRotationLimitReached>()("KeyRotationLimitReached", {
  keyId: KeyId,
  limit: Schema.Int,
  resetsAtMs: Millis,
  retryAfterSeconds: Schema.Int
}) {}

/** The account has as many active connections as it may have. */
export class ConnectionLimitReached extends Schema.TaggedError<ConnectionLimitReached>()("ConnectionLimitReached", {
  limit: Schema.Int
}) {}

export const SpendRule = Schema.Literals([
  "max_order_cents",
  "max_day_cents",
  "allowed_domains",
  "approve_above_cents",
  "agents_stopped",
  "paused",
  "credit_owed"
])
export type SpendRule = typeof SpendRule.Type

/**
 * A limit that the account's owner set on the key; or `paused`, or `agents_stopped` for all of them; or `credit_owed`: no order is paid from credit while the
 * account owes `owedCents` of a refunded or disputed top-up. `approve_above_cents`: a human approves orders of the key, so that it does not
 * change the host of a target by itself. `limitCents` and `wouldBeCents` for the money rules, `host` for domains.
 */
export class SpendPolicyRefused extends Schema.TaggedError<SpendPolicyRefused>()("SpendPolicyRefused", {
  rule: SpendRule,
  limitCents: Schema.optionalKey(Schema.Int),
  wouldBeCents: Schema.optionalKey(Schema.Int),
  owedCents: Schema.optionalKey(Schema.Int),
  host: Schema.optionalKey(Schema.String),
  allowedDomains: Schema.optionalKey(Schema.Array(Schema.String)),
  path: Schema.optionalKey(FieldPath)
}) {}

export type AccessRefusal =
  | AccountViewRefused
  | CallKeyReused
  | ConnectionLimitReached
  | ExpiredApiKey
  | InsufficientScope
  | InvalidApiKey
  | KeyExpiryInvalid
  | KeyLimitReached
  | KeyNotFound
  | KeyRotationLimitReached
  | MissingApiKey
  | ReplacedApiKey
  | RevokedApiKey
  | SpendPolicyRefused
