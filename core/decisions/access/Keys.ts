// Issues API keys, at most five active ones per account, rotates them, and limits and revokes keys and connections; revoking one revokes its
// subscriptions.
import { HashMap, Result } from "effect"
import { KeyLimitReached, KeyNotFound, KeyRotationLimitReached } from "#core/domain/access/AccessRefusal.ts"
import {
  type ApiKey,
  goodFormerTexts,
  MAX_ACTIVE_KEYS,
  MAX_FORMER_TEXTS,
  ROTATION_GRACE_MS,
  type Scope,
  type SpendLimits
} from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import { loosens } from "#core/domain/access/SpendPolicy.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AccountClosed, AccountNotFound, SandboxAccount } from "#core/domain/members/MemberRefusal.ts"
import { type Mode, secondsUntil } from "#core/domain/shared/DecisionContext.ts"
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
  /** Lowercase hex SHA-256 of the key's text. */
  readonly hash: string
  readonly prefix: string
  readonly lastFour: string
  readonly actor: Actor | null
}

const isCounted = (key: ApiKey, accountId: AccountId): boolean =>
  key.accountId === accountId && key.revokedAtMs === null && credentialKind(key.keyId) === "key"

/** Once per text: a repetition returns the key that was made. */
export const issueKey =
  (input: IssueKey): Decide<ApiKey, AccountClosed | AccountNotFound | KeyLimitReached | SandboxAccount> =>
  (books, context) => {
    const { actor, ...fields } = input
    const { accountId, mode, label, scopes } = fields
    const account = openAccountOf(books, accountId)
    if (Result.isFailure(account)) return Result.fail(account.failure)
    const made = Array.from(HashMap.values(books.keys)).find(
      (key) => key.accountId === accountId && key.hash === fields.hash
    )
    if (made !== undefined) return Result.succeed(unchanged(made))
    const allowed = mode === "live" ? refuseSandboxAccount(books, accountId) : Result.void
    if (Result.isFailure(allowed)) return Result.fail(allowed.failure)
    const active = HashMap.reduce(books.keys, 0, (count, key) => (isCounted(key, accountId) ? count + 1 : count))
    if (active >= MAX_ACTIVE_KEYS) return Result.fail(new KeyLimitReached({ limit: MAX_ACTIVE_KEYS }))
    const draft = new Draft(books, context)
    const key = { keyId: draft.nextId("key_"), ...fields, createdAtMs: context.nowMs, revokedAtMs: null }
    draft.record({ _tag: "KeyIssued", key })
    audit(draft, actor, {
      action: "key.issue",
      subject: key.keyId,
      accountId,
      details: { mode, label, scopes: scopes.join(" ") }
    })
    return Result.succeed(draft.decided(key))
  }

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
      audit(draft, actor, { action, subject: keyId, accountId: key.accountId, details: limitDetails(limits) })
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
      if (key.revokedAtMs !== null || credentialKind(keyId) !== "key")
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

/** Ends its subscriptions, too. */
export const recordRevocation = (draft: Draft, { keyId, accountId }: ApiKey, actor: Actor | null): void => {
  const atMs = draft.context.nowMs
  draft.record({ _tag: "KeyRevoked", keyId, atMs, ...(actor === null ? {} : { by: actor }) })
  for (const { webhookId, keyId: owner, revokedAtMs } of HashMap.values(draft.books.subscriptions)) {
    if (owner === keyId && revokedAtMs === null) draft.record({ _tag: "SubscriptionRevoked", webhookId, atMs })
  }
  audit(draft, actor, { action: `${credentialKind(keyId)}.revoke`, subject: keyId, accountId, details: {} })
}

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
