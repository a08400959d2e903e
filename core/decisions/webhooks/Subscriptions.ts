// Adds, changes and revokes webhook subscriptions. At most five are active per account, over all keys and both modes.
import { HashMap, Result } from "effect"
import {
  AccountViewRefused,
  type ExpiredApiKey,
  RevokedApiKey,
  type SpendPolicyRefused
} from "#core/domain/access/AccessRefusal.ts"
import { type Caller, checkEnd, seesAccount } from "#core/domain/access/ApiKey.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import type { ListScope } from "#core/domain/access/ListScope.ts"
import { checkStopped } from "#core/domain/access/SpendPolicy.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { MemberId, WebhookId } from "#core/domain/shared/Ids.ts"
import { healthy } from "#core/domain/webhooks/EndpointHealth.ts"
import type { EventChoice } from "#core/domain/webhooks/Event.ts"
import {
  callOf,
  changedSubscription,
  choicesOf,
  MAX_ACTIVE_SUBSCRIPTIONS,
  type SealedKeys,
  type Subscription,
  storedChoices,
  type WebhookChange,
  withCall
} from "#core/domain/webhooks/Subscription.ts"
import { WebhookLimitReached, WebhookNotChangeable, WebhookNotFound } from "#core/domain/webhooks/WebhookRefusal.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { ownSubscription } from "./Deliveries.ts"

export interface Subscribe {
  /** Chosen before the decision, because the sealed key is bound to it. */
  readonly webhookId: WebhookId
  readonly caller: Caller
  /** Must have passed the URL policy and the probe. */
  readonly url: string
  readonly events: ReadonlyArray<EventChoice>
  /** `key` unless given. */
  readonly scope?: ListScope
  readonly keys: SealedKeys
}

export const subscribe =
  ({
    webhookId,
    caller,
    url,
    events,
    scope,
    keys
  }: Subscribe): Decide<
    Subscription,
    AccountViewRefused | ExpiredApiKey | RevokedApiKey | SpendPolicyRefused | WebhookLimitReached
  > =>
  (books, context) => {
    const { accountId, keyId, mode } = caller
    // The same call made it before.
    const known = find(books.subscriptions, webhookId)
    if (known !== undefined) return Result.succeed(unchanged(known))
    // The key may have been revoked during the probe. Revoking a key revokes its subscriptions, so it must not get a new one.
    const key = find(books.keys, keyId)
    if (key === undefined) return Result.fail(new RevokedApiKey())
    const ended = checkEnd(key, context.nowMs)
    if (Result.isFailure(ended)) return Result.fail(ended.failure)
    // What the owner allowed may have changed, too.
    if (scope === "account" && !seesAccount(key)) return Result.fail(new AccountViewRefused({ held: caller.scopes }))
    const stopped = checkStopped(find(books.accounts, accountId), key)
    if (Result.isFailure(stopped)) return Result.fail(stopped.failure)
    const active = HashMap.reduce(books.subscriptions, 0, (count, one) =>
      one.accountId === accountId && one.revokedAtMs === null ? count + 1 : count
    )
    if (active >= MAX_ACTIVE_SUBSCRIPTIONS) {
      return Result.fail(new WebhookLimitReached({ limit: MAX_ACTIVE_SUBSCRIPTIONS }))
    }
    const draft = new Draft(books, context)
    const createdAtMs = context.nowMs
    const subscription: Subscription = {
      webhookId,
      accountId,
      keyId,
      mode,
      url,
      ...storedChoices(events),
      ...keys,
      previousKeys: [],
      health: healthy,
      createdAtMs,
      revokedAtMs: null,
      ...(scope === "account" ? { scope } : {})
    }
    draft.record({ _tag: "SubscriptionAdded", subscription })
    const added =
      scope === "account"
        ? { action: "webhook.add_account", details: { url, label: key.label } }
        : { action: "webhook.add", details: { url } }
    audit(draft, keyId, { subject: webhookId, accountId, ...added })
    return Result.succeed(draft.decided(subscription))
  }

export interface ChangeWebhook {
  readonly webhookId: WebhookId
  readonly caller: Caller
  /** Another URL must have passed the URL policy and the probe. */
  readonly change: WebhookChange
  /** The member, where an owner does it for the key. */
  readonly owner?: MemberId | undefined
  /** The call's, where it takes effect once, however often it runs. */
  readonly origin?: CallOrigin | null
}

type Changed = Partial<Subscription>

/** What an agent may not change, its owner may. */
const checkAgentChange = (
  books: Books,
  { webhookId, accountId, keyId, health }: Subscription,
  changed: Changed
): Result.Result<void, SpendPolicyRefused | WebhookNotChangeable> => {
  const key = find(books.keys, keyId)
  const stopped = key === undefined ? Result.void : checkStopped(find(books.accounts, accountId), key)
  if (changed.url !== undefined && Result.isFailure(stopped)) return Result.fail(stopped.failure)
  return health.pausedByOwner && changed.health?.disabledAtMs === null
    ? Result.fail(new WebhookNotChangeable({ webhookId }))
    : Result.void
}

/** All owners are told where events of the whole account go. */
const auditChange = (draft: Draft, actor: Actor, one: Subscription, changed: Changed): void => {
  const { webhookId: subject, accountId, keyId } = one
  const after = { ...one, ...changed }
  const isToTell = changed.url !== undefined && one.scope === "account"
  const details = {
    url: after.url,
    ...(changed.url === undefined ? {} : { from_url: one.url }),
    ...(changed.events === undefined ? {} : { events: choicesOf(after).join(" ") }),
    ...(changed.health === undefined ? {} : { active: after.health.disabledAtMs === null }),
    ...(isToTell ? { label: find(draft.books.keys, keyId)?.label ?? null } : {})
  }
  audit(draft, actor, { action: isToTell ? "webhook.move_account" : "webhook.change", subject, accountId, details })
}

/**
 * While agents are stopped or the key is paused, only an owner gives another URL, and only an owner enables what an owner disabled. What is so
 * already is no change, and so is what this very call changed before.
 */
export const changeWebhook =
  ({
    webhookId,
    caller,
    change,
    owner,
    origin = null
  }: ChangeWebhook): Decide<Subscription, SpendPolicyRefused | WebhookNotChangeable | WebhookNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const one = yield* ownSubscription(books, webhookId, caller)
      if (origin !== null && callOf(one, origin.idPrefix) !== undefined) return unchanged(one)
      const atMs = context.nowMs
      const made = changedSubscription(one, change, { byOwner: owner !== undefined, atMs })
      if (Object.keys(made).length === 0) return unchanged(one)
      if (owner === undefined) yield* checkAgentChange(books, one, made)
      const changed = origin === null ? made : { ...made, calls: withCall(one, { call: origin.idPrefix, atMs }) }
      const draft = new Draft(books, context)
      draft.record({ _tag: "SubscriptionChanged", webhookId, changed })
      auditChange(draft, owner ?? caller.keyId, one, changed)
      return draft.decided({ ...one, ...changed })
    })

/** One that has ended already stays as it is, also if another ended it. */
const end =
  (
    webhookId: WebhookId,
    { mayEnd, actor }: { readonly mayEnd: (one: Subscription) => boolean; readonly actor: Actor }
  ): Decide<Subscription, WebhookNotFound> =>
  (books, context) => {
    const one = find(books.subscriptions, webhookId)
    if (one === undefined || !mayEnd(one)) return Result.fail(new WebhookNotFound({ webhookId }))
    if (one.revokedAtMs !== null) return Result.succeed(unchanged(one))
    const draft = new Draft(books, context)
    draft.record({ _tag: "SubscriptionRevoked", webhookId, atMs: context.nowMs })
    const { accountId, url } = one
    audit(draft, actor, { action: "webhook.remove", subject: webhookId, accountId, details: { url } })
    return Result.succeed(draft.decided({ ...one, revokedAtMs: context.nowMs }))
  }

export const unsubscribe = (webhookId: WebhookId, { keyId }: Pick<Caller, "keyId">) =>
  end(webhookId, { mayEnd: (one) => one.keyId === keyId, actor: keyId })

/** For an owner of the account, whichever key or connection made it. */
export const unsubscribeFor = (webhookId: WebhookId, { accountId, memberId }: Pick<Member, "accountId" | "memberId">) =>
  end(webhookId, { mayEnd: (one) => one.accountId === accountId, actor: memberId })
