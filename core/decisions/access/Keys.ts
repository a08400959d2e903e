// Issues API keys, at most five active ones per account, rotates them, and limits, pauses and revokes keys and connections; the end of one
// revokes its subscriptions.
import { HashMap, Result } from "effect"
import {
  KeyExpiryInvalid,
  KeyLimitReached,
  KeyNotFound,
  KeyRotationLimitReached
} from "#core/domain/access/AccessRefusal.ts"
import {
  type ApiKey,
  goodFormerTexts,
  isActive,
  MAX_ACTIVE_KEYS,
  MAX_EXPIRY_MS,
  MAX_FORMER_TEXTS,
  ROTATION_GRACE_MS,
  type Scope,
  type SpendLimits
} from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import { loosens } from "#core/domain/access/SpendPolicy.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AccountClosed, AccountNotFound, SandboxAccount } from "#core/domain/members/MemberRefusal.ts"
import { type Millis, type Mode, secondsUntil } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { openAccountOf } from "../members/AccountState.ts"
import { refuseSandboxAccount } from "../members/Members.ts"

export interface IssueKey {
  readonly accountId: AccountId
  readonly mode: Mode
  readonly label: string
  readonly scopes: ReadonlyArray<Scope>
  readonly limits: SpendLimits
  /** When it ends by itself. */
  readonly expiresAtMs?: Millis
  /** Lowercase hex SHA-256 of the key's text. */
  readonly hash: string
  readonly prefix: string
  readonly lastFour: string
  readonly actor: Actor | null
}

const isCounted = (key: ApiKey, accountId: AccountId, nowMs: Millis): boolean =>
  key.accountId === accountId && isActive(key, nowMs) && credentialKind(key.keyId) === "key"

const checkExpiry = (expiresAtMs: Millis | undefined, nowMs: Millis): Result.Result<void, KeyExpiryInvalid> =>
  expiresAtMs === undefined || (expiresAtMs > nowMs && expiresAtMs <= nowMs + MAX_EXPIRY_MS)
    ? Result.void
    : Result.fail(new KeyExpiryInvalid({ expiresAtMs }))

/** Once per text: a repetition returns the key that was made. */
export const issueKey =
  (
    input: IssueKey
  ): Decide<ApiKey, AccountClosed | AccountNotFound | KeyExpiryInvalid | KeyLimitReached | SandboxAccount> =>
  (books, context) =>
    Result.gen(function* () {
      const { actor, ...fields } = input
      const { accountId, mode, label, scopes, expiresAtMs } = fields
      const { nowMs } = context
      yield* openAccountOf(books, accountId)
      const made = Array.from(HashMap.values(books.keys)).find(
        (key) => key.accountId === accountId && key.hash === fields.hash
      )
      if (made !== undefined) return unchanged(made)
      if (mode === "live") yield* refuseSandboxAccount(books, accountId)
      yield* checkExpiry(expiresAtMs, nowMs)
      const active = HashMap.reduce(books.keys, 0, (count, key) =>
        isCounted(key, accountId, nowMs) ? count + 1 : count
      )
      if (active >= MAX_ACTIVE_KEYS) return yield* Result.fail(new KeyLimitReached({ limit: MAX_ACTIVE_KEYS }))
      const draft = new Draft(books, context)
      const key = { keyId: draft.nextId("key_"), ...fields, createdAtMs: nowMs, revokedAtMs: null }
      draft.record({ _tag: "KeyIssued", key })
      const expires = expiresAtMs === undefined ? {} : { expires_at_ms: expiresAtMs }
      const details = { mode, label, scopes: scopes.join(" "), ...expires }
      audit(draft, actor, { action: "key.issue", subject: key.keyId, accountId, details })
      return draft.decided(key)
    })

const findKey = (keys: Books["keys"], keyId: KeyId): Result.Result<ApiKey, KeyNotFound> =>
  Result.fromNullishOr(
    credentialKind(keyId) === "web" ? undefined : find(keys, keyId),
    () => new KeyNotFound({ keyId })
  )

/** The limits as the audit log has them. */
export const limitDetails = ({ allowedDomains, alwaysAllow, ...others }: SpendLimits) => ({
  ...others,
  alwaysAllow: alwaysAllow.map(({ domain, upToCents }) => `${domain}=${upToCents}`).join(" ") || null,
  allowedDomains: allowedDomains?.join(" ") ?? null
})

/** Limits that are not given stay as they are. */
export const limitKey =
  (keyId: KeyId, change: Partial<SpendLimits>, actor: Actor | null): Decide<ApiKey, KeyNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const key = yield* findKey(books.keys, keyId)
      const limits = { ...key.limits, ...change }
      const draft = new Draft(books, context)
      draft.record({ _tag: "KeyLimited", keyId, limits })
      const action = `${credentialKind(keyId)}.limit`
      const details = { label: key.label, loosens: loosens(key.limits, limits), ...limitDetails(limits) }
      audit(draft, actor, { action, subject: keyId, accountId: key.accountId, details })
      return draft.decided({ ...key, limits })
    })

/** Limits the key where the limits allow no more than the present ones; otherwise nothing changes, and the reply is `null`. */
export const tightenKey =
  (keyId: KeyId, change: Partial<SpendLimits>, actor: Actor | null): Decide<ApiKey | null, KeyNotFound> =>
  (books, context) =>
    Result.flatMap(
      findKey(books.keys, keyId),
      ({ limits }): ReturnType<Decide<ApiKey | null, KeyNotFound>> =>
        loosens(limits, { ...limits, ...change })
          ? Result.succeed(unchanged(null))
          : limitKey(keyId, change, actor)(books, context)
    )

/** Whether it may not order from this commit on. It reads all the same, and keeps its webhooks and what it ordered. Idempotent. */
export const pauseKey =
  (keyId: KeyId, paused: boolean, actor: Actor | null): Decide<ApiKey, KeyNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const key = yield* findKey(books.keys, keyId)
      const { accountId, label, pausedAtMs } = key
      if (!isActive(key, context.nowMs)) return yield* Result.fail(new KeyNotFound({ keyId }))
      if ((pausedAtMs !== undefined) === paused) return unchanged(key)
      const draft = new Draft(books, context)
      draft.record({ _tag: "KeyPaused", keyId, atMs: paused ? context.nowMs : null })
      const action = `${credentialKind(keyId)}.${paused ? "pause" : "resume"}`
      audit(draft, actor, { action, subject: keyId, accountId, details: { label } })
      return draft.decided(find(draft.books.keys, keyId) ?? key)
    })

/** The mode of a key, which its text says. */
export const modeOf =
  (keyId: KeyId): Decide<Mode, KeyNotFound> =>
  ({ keys }) =>
    Result.map(findKey(keys, keyId), ({ mode }) => unchanged(mode))

export interface RotateKey extends Pick<ApiKey, "hash" | "prefix" | "lastFour"> {
  readonly keyId: KeyId
  /** The present text ends at once, such as one that leaked, and with it all before; otherwise it is good for a day more. */
  readonly now: boolean
  /** The end of the text that is to be replaced, as the page showed it. */
  readonly replaces?: string
  readonly actor: Actor | null
}

/**
 * Gives the key another text and leaves all else: limits, the day's counts, orders, idempotency keys, webhooks and its place among the five
 * are those of one key, so that both texts share them. The text that it has already changes nothing. The reply is `null` if the key was rotated
 * since it was seen. Refused while as many former texts are good as are remembered, unless all are to end at once.
 */
export const rotateKey =
  ({ keyId, now, replaces, actor, ...text }: RotateKey): Decide<ApiKey | null, KeyNotFound | KeyRotationLimitReached> =>
  (books, context) =>
    Result.gen(function* () {
      const key = yield* findKey(books.keys, keyId)
      if (!isActive(key, context.nowMs) || credentialKind(keyId) !== "key")
        return yield* Result.fail(new KeyNotFound({ keyId }))
      const { accountId, hash, lastFour, former: earlier = [] } = key
      if (text.hash === hash) return unchanged(key)
      if (replaces !== undefined && replaces !== lastFour) return unchanged(null)
      const { nowMs } = context
      const good = goodFormerTexts(key, nowMs)
      if (!now && good.length >= MAX_FORMER_TEXTS) {
        const resetsAtMs = Math.min(...good.map(({ untilMs }) => untilMs))
        const retryAfterSeconds = secondsUntil(resetsAtMs, nowMs)
        const facts = { keyId, limit: MAX_FORMER_TEXTS, resetsAtMs, retryAfterSeconds }
        return yield* Result.fail(new KeyRotationLimitReached(facts))
      }
      const present = { hash, lastFour, untilMs: nowMs + ROTATION_GRACE_MS }
      const all = [present, ...earlier].slice(0, MAX_FORMER_TEXTS)
      const former = now ? all.map((one) => ({ ...one, untilMs: Math.min(one.untilMs, nowMs) })) : all
      const draft = new Draft(books, context)
      draft.record({ _tag: "KeyRotated", keyId, ...text, former })
      const details = { now, last_four: text.lastFour, replaces: lastFour }
      audit(draft, actor, { action: "key.rotate", subject: keyId, accountId, details })
      return draft.decided({ ...key, ...text, former })
    })

/** Its subscriptions end with it. */
const recordEnd = (draft: Draft, { keyId }: ApiKey, by: Actor | null): void => {
  const atMs = draft.context.nowMs
  draft.record({ _tag: "KeyRevoked", keyId, atMs, ...(by === null ? {} : { by }) })
  for (const { webhookId, keyId: owner, revokedAtMs } of HashMap.values(draft.books.subscriptions)) {
    if (owner === keyId && revokedAtMs === null) draft.record({ _tag: "SubscriptionRevoked", webhookId, atMs })
  }
}

export const recordRevocation = (draft: Draft, key: ApiKey, actor: Actor | null): void => {
  const { keyId, accountId } = key
  recordEnd(draft, key, actor)
  audit(draft, actor, { action: `${credentialKind(keyId)}.revoke`, subject: keyId, accountId, details: {} })
}

/** Ends a key whose time is over, as a revocation would; its owner chose that time. Leaves any other key as it is. */
export const expireKey =
  (keyId: KeyId): Decide<ApiKey, KeyNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const key = yield* findKey(books.keys, keyId)
      if (key.revokedAtMs !== null || isActive(key, context.nowMs)) return unchanged(key)
      const { accountId, label } = key
      const draft = new Draft(books, context)
      recordEnd(draft, key, null)
      audit(draft, keyId, { action: "key.expire", subject: keyId, accountId, details: { label } })
      return draft.decided(find(draft.books.keys, keyId) ?? key)
    })

/** Idempotent. Open quotes of the key stay payable; those that await approval are abandoned, see `Quotes.ofRevokedKeys`. */
export const revokeKey =
  (keyId: KeyId, actor: Actor | null): Decide<ApiKey, KeyNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const key = yield* findKey(books.keys, keyId)
      if (key.revokedAtMs !== null) return unchanged(key)
      const draft = new Draft(books, context)
      recordRevocation(draft, key, actor)
      return draft.decided(find(draft.books.keys, keyId) ?? key)
    })
