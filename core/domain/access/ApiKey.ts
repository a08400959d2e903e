// An API key of an account: what it may do and how much it may spend. Only the SHA-256 of its text is stored; `ApiKeyFormat` has the
// format of the text.
import { Result, Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { DAY_MS, Millis, Mode } from "../shared/DecisionContext.ts"
import { AccountId, KeyId, MemberId } from "../shared/Ids.ts"
import { ExpiredApiKey, RevokedApiKey } from "./AccessRefusal.ts"

export const Scope = Schema.Literals(["read", "order"])
export type Scope = typeof Scope.Type

export const ALL_SCOPES: ReadonlyArray<Scope> = ["read", "order"]

export const MAX_ACTIVE_KEYS = 5

/** How many domains of a credential may be allowed always. */
export const MAX_ALWAYS_ALLOWED = 20

/** A domain, subdomains included, to which orders up to an amount need no approval. */
export const AlwaysAllowed = Schema.Struct({ domain: Schema.String, upToCents: Cents })
export type AlwaysAllowed = typeof AlwaysAllowed.Type

/** Limits that the account's owner sets on a key. `null` means no limit; for `dailyOrderCap`, the shop's default. */
export const SpendLimits = Schema.Struct({
  maxOrderCents: Schema.NullOr(Cents),
  maxDayCents: Schema.NullOr(Cents),
  dailyOrderCap: Schema.NullOr(Schema.Int),
  /** Host names; the host of a target must be one of them or a subdomain of one. */
  allowedDomains: Schema.NullOr(Schema.Array(Schema.String)),
  /** An order over more than this waits for a human's approval; 0: every order, `null`: none. */
  approveAboveCents: Schema.NullOr(Cents),
  /** An order for the same items as a recent one of the account waits for approval instead of only being warned of. */
  holdLookAlikes: Schema.Boolean,
  /** Exceptions from `approveAboveCents`, by the domains of all targets; at most `MAX_ALWAYS_ALLOWED`. */
  alwaysAllow: Schema.Array(AlwaysAllowed)
})
export type SpendLimits = typeof SpendLimits.Type

export const noLimits: SpendLimits = {
  maxOrderCents: null,
  maxDayCents: null,
  dailyOrderCap: null,
  allowedDomains: null,
  approveAboveCents: null,
  holdLookAlikes: false,
  alwaysAllow: []
}

/** Which client an owner connected by OAuth, and when. */
export const Consent = Schema.Struct({
  clientId: Schema.String,
  /** Whom the client belongs to, as far as its registration tells. */
  clientHost: Schema.String,
  memberId: MemberId,
  atMs: Millis,
  /** Whether the owner consented that it lists what all credentials of the account placed; `false` before that was asked. */
  seesAccount: Schema.Boolean
})
export type Consent = typeof Consent.Type

/** How long the former text of a rotated key is good beside the new one. */
export const ROTATION_GRACE_MS = 24 * 60 * 60_000

/** How many former texts of a key are remembered, to tell a client that its key was replaced. While all are good, no further one is added. */
export const MAX_FORMER_TEXTS = 5

/** A text of the key before it was rotated. */
export const FormerText = Schema.Struct({ hash: Schema.String, lastFour: Schema.String, untilMs: Millis })
export type FormerText = typeof FormerText.Type

export const ApiKey = Schema.Struct({
  keyId: KeyId,
  accountId: AccountId,
  mode: Mode,
  label: Schema.String,
  scopes: Schema.Array(Scope),
  /** Lowercase hex SHA-256 of the key's text. */
  hash: Schema.String,
  /** For display only: `sn_live_` or `sn_test_`, and the last four characters. */
  prefix: Schema.String,
  lastFour: Schema.String,
  limits: SpendLimits,
  createdAtMs: Millis,
  revokedAtMs: Schema.NullOr(Millis),
  /** The texts before a rotation, the newest first; each is good until its time. All else of a key stays when it is rotated. */
  former: Schema.optionalKey(Schema.Array(FormerText)),
  /** The operator or member who revoked it; missing where that is not known. */
  revokedBy: Schema.optionalKey(Schema.String),
  /** Only a connection has it, see `Connection.ts`; its label is the client's name. */
  consent: Schema.optionalKey(Consent),
  /** Since when it may not order, until an owner lets it again. */
  pausedAtMs: Schema.optionalKey(Millis),
  /** When a key ends by itself; connections have no such time. */
  expiresAtMs: Schema.optionalKey(Millis)
})
export type ApiKey = typeof ApiKey.Type

/** The same key paused since then, or, with `null`, ordering again. */
export const pausedAt =
  (atMs: Millis | null) =>
  ({ pausedAtMs: _, ...key }: ApiKey): ApiKey =>
    atMs === null ? key : { ...key, pausedAtMs: atMs }

/** A key as the store finds it. `hasExpired`: its time is over by the store's clock. */
export interface FoundKey extends ApiKey {
  readonly hasExpired?: true
}

export type KeyEnd = "revoked" | "expired"

type Ending = Pick<ApiKey, "revokedAtMs" | "expiresAtMs">

/** Why the key is not good any more; `null` while it is active. What a sweep ends after its time has expired all the same. */
export const endOf = (
  { revokedAtMs, expiresAtMs = Number.POSITIVE_INFINITY }: Ending,
  nowMs: Millis
): KeyEnd | null => {
  if (revokedAtMs !== null) return revokedAtMs < expiresAtMs ? "revoked" : "expired"
  return expiresAtMs <= nowMs ? "expired" : null
}

/** When a key that is not good any more ended. */
export const endedAtMs = ({ revokedAtMs, expiresAtMs = Number.POSITIVE_INFINITY }: Ending): Millis =>
  Math.min(revokedAtMs ?? Number.POSITIVE_INFINITY, expiresAtMs)

export const isActive = (key: Ending, nowMs: Millis): boolean => endOf(key, nowMs) === null

/** How the client of a key learns that it is not good any more. */
export const checkEnd = (key: Ending, nowMs: Millis): Result.Result<void, ExpiredApiKey | RevokedApiKey> => {
  const end = endOf(key, nowMs)
  if (end === null) return Result.void
  return Result.fail(end === "expired" ? new ExpiredApiKey() : new RevokedApiKey())
}

/** The same of a key as the store found it, whose clock has told whether its time is over. */
export const checkFound = (key: FoundKey): Result.Result<void, ExpiredApiKey | RevokedApiKey> =>
  checkEnd(key, key.hasExpired === true ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)

/** The latest that a key made now may expire: ten years on. */
export const MAX_EXPIRY_MS = 3_653 * DAY_MS

/** An authenticated client: the key that it presented, and the account of that key. */
export interface Caller {
  readonly accountId: AccountId
  readonly keyId: KeyId
  readonly mode: Mode
  readonly scopes: ReadonlyArray<Scope>
  /** What the account calls it; absent where nothing names it. */
  readonly label?: string
  /** Whether it may list what all credentials of its account in its mode placed. */
  readonly seesAccount?: boolean
  /** The member who orders, where the credential is the Shop's. */
  readonly memberId?: MemberId
}

/** A key sees its account at once, a connection by consent. */
export const seesAccount = ({ consent }: Pick<ApiKey, "consent">): boolean => consent?.seesAccount ?? true

export const callerOf = (key: ApiKey): Caller => ({
  accountId: key.accountId,
  keyId: key.keyId,
  mode: key.mode,
  scopes: key.scopes,
  label: key.label,
  seesAccount: seesAccount(key)
})

/** The former text with this hash, if the present one is another. */
export const formerText = ({ hash: present, former = [] }: ApiKey, hash: string): FormerText | undefined =>
  hash === present ? undefined : former.find((text) => text.hash === hash)

/** The former texts that are still good. */
export const goodFormerTexts = ({ former = [] }: Pick<ApiKey, "former">, nowMs: Millis): ReadonlyArray<FormerText> =>
  former.filter(({ untilMs }) => untilMs > nowMs)
