// Webhook subscriptions: up to five active per account, managed by the key that made them.
import { HashMap, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { setAccountView } from "#core/decisions/access/Connections.ts"
import { revokeKey } from "#core/decisions/access/Keys.ts"
import {
  type ChangeWebhook,
  changeWebhook,
  type Subscribe,
  subscribe,
  unsubscribe
} from "#core/decisions/webhooks/Subscriptions.ts"
import { callerOf } from "#core/domain/access/ApiKey.ts"
import { NoticeAction } from "#core/domain/mails/NoticeMail.ts"
import { KeyId, MemberId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { WebhookChange } from "#core/domain/webhooks/Subscription.ts"
import { inOrder, known } from "#test/core/BookReads.ts"
import { given, HOUR_MS, key, NOON, subscription } from "#test/core/Given.ts"
import { decide, refused, when } from "#test/core/RunDecision.ts"

const rich = callerOf(key("key_rich", "acc_rich"))
const richTest = callerOf(key("key_rich_test", "acc_rich", { mode: "sandbox" }))
const poor = callerOf(key("key_poor", "acc_poor"))

let chosen = 0

const input = (over: Partial<Subscribe> = {}): Subscribe => ({
  webhookId: WebhookId.make(`wh_new_${++chosen}`),
  caller: rich,
  url: "https://hooks.example/in",
  events: ["order.accepted", "order.cancelled"],
  keys: { sealedSigningKey: "sealed", sealedStandardKey: "standard" },
  ...over
})

describe("a new subscription", () => {
  it("belongs to the calling key, with what was requested", () => {
    const { reply, books, written } = when(given(), subscribe(input({ webhookId: WebhookId.make("wh_chosen") })))
    expect(reply).toMatchObject({
      webhookId: "wh_chosen",
      accountId: "acc_rich",
      keyId: "key_rich",
      mode: "live",
      url: "https://hooks.example/in",
      events: ["order.accepted", "order.cancelled"],
      sealedSigningKey: "sealed",
      sealedStandardKey: "standard",
      createdAtMs: NOON,
      revokedAtMs: null
    })
    expect(known(books.subscriptions, reply.webhookId)).toEqual(reply)
    expect(written).toEqual(["SubscriptionAdded", "AuditRecorded"])
  })

  it("is of the mode of its key", () => {
    const { reply } = when(given(), subscribe(input({ caller: richTest })))
    expect(reply).toMatchObject({ mode: "sandbox" })
  })
})

describe("a change of a subscription", () => {
  const added = when(given(), subscribe(input({ webhookId: WebhookId.make("wh_moving") })))
  const account = known(added.books.accounts, rich.accountId)
  const stopped = {
    ...added.books,
    accounts: HashMap.set(added.books.accounts, rich.accountId, { ...account, agentsStoppedAtMs: NOON })
  }
  const { webhookId } = added.reply
  const OWNER = MemberId.make("mem_rich")
  const change = (change: WebhookChange, over: Partial<ChangeWebhook> = {}) =>
    changeWebhook({ webhookId, caller: rich, change, ...over })
  const move = (owner?: MemberId) => change({ url: "https://elsewhere.example/in" }, { owner })

  it("gives it no other URL while agents are stopped, unless an owner does", () => {
    expect(refused(stopped, move())).toMatchObject({ _tag: "SpendPolicyRefused", rule: "agents_stopped" })
    expect(when(added.books, move()).reply.url).toBe("https://elsewhere.example/in")
    expect(when(stopped, move(OWNER)).reply.url).toBe("https://elsewhere.example/in")
    expect(when(stopped, change({ events: ["order.published"] })).reply.events).toEqual(["order.published"])
  })

  it("is recorded as the owner's where an owner made it", () => {
    const actors = [move(), move(OWNER)].map((one) =>
      inOrder(when(added.books, one).books.audit)
        .filter(({ action }) => action === "webhook.change")
        .map(({ actor }) => actor)
    )
    expect(actors).toEqual([["key_rich"], ["mem_rich"]])
  })

  it("enables again what an owner disabled for an owner alone, and what the agent disabled for both", () => {
    const [on, off] = [{ active: true }, { active: false }]
    const byOwner = when(added.books, change(off, { owner: OWNER })).books
    expect(refused(byOwner, change(on))).toMatchObject({ _tag: "WebhookNotChangeable", webhookId })
    expect(when(byOwner, change(off)).written).toEqual([])
    // A test that succeeds, and another address, leave it so.
    const moved = when(byOwner, move()).books
    expect(refused(moved, change(on))._tag).toBe("WebhookNotChangeable")
    expect(when(moved, change(on, { owner: OWNER })).reply.health).toMatchObject({
      disabledAtMs: null,
      isPaused: false
    })
    const byAgent = when(added.books, change(off)).books
    expect(when(byAgent, change(on)).reply.health.disabledAtMs).toBeNull()
    const byBoth = when(byAgent, change(off, { owner: OWNER })).books
    expect(refused(byBoth, change(on))._tag).toBe("WebhookNotChangeable")
  })

  it("of one call is one, whatever others changed since", () => {
    const url = (nth: number) => ({ url: `https://${nth}.example/in` })
    const origin = (idPrefix: string) => ({ origin: { idPrefix, atMs: NOON, secretBytes: new Uint8Array() } })
    const first = when(added.books, change(url(1), origin("first")))
    const second = when(first.books, change(url(2), origin("second")))
    const again = when(second.books, change(url(1), origin("first")))
    expect([again.written, again.reply]).toEqual([[], second.reply])
    const stopped = {
      ...second.books,
      accounts: HashMap.set(second.books.accounts, rich.accountId, { ...account, agentsStoppedAtMs: NOON })
    }
    expect(when(stopped, change(url(1), origin("first"))).written).toEqual([])
    // The same change, with no call or by another, is another change.
    expect(when(second.books, change(url(1))).reply.url).toBe(url(1).url)
    expect(when(second.books, change(url(1), origin("third"))).reply.calls?.map(({ call }) => call)).toEqual([
      ...["first", "second", "third"]
    ])
  })
})

describe("a subscription for the whole account", () => {
  const wide = (caller = rich) => subscribe(input({ caller, scope: "account", webhookId: WebhookId.make("wh_wide") }))
  const consent = { clientId: "chat", clientHost: "chat.example", memberId: MemberId.make("mem_rich"), atMs: NOON }
  const connection = (seesAccount: boolean) => key("con_chat", "acc_rich", { consent: { ...consent, seesAccount } })
  const withConnection = (seesAccount: boolean) => given({ keys: [connection(seesAccount)] })

  it("is kept as such, and recorded so that owners are told", () => {
    const { reply, books } = when(given(), wide())
    expect(reply).toMatchObject({ keyId: "key_rich", scope: "account" })
    const [record] = inOrder(books.audit)
    expect(record).toMatchObject({ action: "webhook.add_account", actor: "key_rich", accountId: "acc_rich" })
    expect(record?.details).toEqual({ url: "https://hooks.example/in", label: "key_rich" })
  })

  const isTold = Schema.is(NoticeAction)

  it("is recorded so that owners are told where it moves, and not of its events", () => {
    const { books, reply } = when(given(), wide())
    const told = (change: WebhookChange) =>
      inOrder(when(books, changeWebhook({ webhookId: reply.webhookId, caller: rich, change })).books.audit)
        .slice(1)
        .filter(({ action }) => isTold(action) || action === "webhook.change")
        .map(({ action, details }) => [action, details["url"], details["label"]])
    const url = "https://elsewhere.example/in"
    expect(told({ url })).toEqual([["webhook.move_account", url, "key_rich"]])
    expect(told({ events: ["order.published"] })).toEqual([["webhook.change", "https://hooks.example/in", undefined]])
  })

  it("is refused to a connection that may not see its account, whatever its caller was told", () => {
    const caller = { ...callerOf(connection(true)), seesAccount: true }
    expect(refused(withConnection(false), wide(caller))).toMatchObject({ _tag: "AccountViewRefused" })
    expect(when(withConnection(true), wide(caller)).reply.scope).toBe("account")
    const own = subscribe(input({ caller }))
    expect(when(withConnection(false), own).reply.scope).toBeUndefined()
  })

  it("ends once its connection may not see the account any more; its own go on", () => {
    const caller = callerOf(connection(true))
    const first = when(withConnection(true), wide(caller)).books
    const second = when(first, subscribe(input({ caller, webhookId: WebhookId.make("wh_own") }))).books
    const ended = when(second, setAccountView(caller.keyId, false, "mem_rich"), NOON + HOUR_MS)
    expect(known(ended.books.subscriptions, "wh_wide").revokedAtMs).toBe(NOON + HOUR_MS)
    expect(known(ended.books.subscriptions, "wh_own").revokedAtMs).toBeNull()
    expect(known(ended.books.keys, caller.keyId).consent?.seesAccount).toBe(false)
    expect(when(ended.books, setAccountView(caller.keyId, false, "mem_rich")).written).toEqual([])
    expect(when(ended.books, setAccountView(caller.keyId, true, "mem_rich")).reply.consent.seesAccount).toBe(true)
    expect(refused(given(), setAccountView(KeyId.make("key_rich"), true, "mem_rich"))._tag).toBe("KeyNotFound")
  })
})

describe("at most five active subscriptions", () => {
  const five = Array.from({ length: 5 }, (_, n) =>
    subscription(`wh_${n}`, n < 2 ? { keyId: KeyId.make("key_rich_test"), mode: "sandbox" } : {})
  )
  const full = given({ subscriptions: five })

  it("count those of all keys of the account, live and sandbox together", () => {
    const refusal = { _tag: "WebhookLimitReached", limit: 5 }
    expect(refused(full, subscribe(input()))).toMatchObject(refusal)
    expect(refused(full, subscribe(input({ caller: richTest })))).toMatchObject(refusal)
  })

  it("count per account, without revoked ones", () => {
    expect(decide(full, subscribe(input({ caller: poor })))._tag).toBe("Success")
    const { books } = when(full, unsubscribe(WebhookId.make("wh_4"), rich))
    expect(decide(books, subscribe(input()))._tag).toBe("Success")
  })
})

describe("revoking a subscription", () => {
  const books = given({ subscriptions: [subscription("wh_1")] })

  it("keeps it as revoked", () => {
    const { reply, books: after } = when(books, unsubscribe(WebhookId.make("wh_1"), rich), NOON + HOUR_MS)
    expect(reply).toEqual({ ...subscription("wh_1"), revokedAtMs: NOON + HOUR_MS })
    expect(known(after.subscriptions, "wh_1")).toEqual(reply)
    expect(HashMap.size(after.subscriptions)).toBe(1)
    const again = when(after, unsubscribe(WebhookId.make("wh_1"), rich), NOON + 2 * HOUR_MS)
    expect([again.reply, again.written]).toEqual([reply, []])
    expect(refused(after, unsubscribe(WebhookId.make("wh_1"), richTest))).toMatchObject({ _tag: "WebhookNotFound" })
  })

  it.each([
    ["another account's", "wh_1", poor],
    ["another key's of the same account", "wh_1", richTest],
    ["an unknown one", "wh_none", rich]
  ])("%s is not found", (_, webhookId, caller) => {
    expect(refused(books, unsubscribe(WebhookId.make(webhookId), caller))).toMatchObject({
      _tag: "WebhookNotFound",
      webhookId
    })
  })
})

describe("a key that is revoked after authentication", () => {
  const { books } = when(given(), revokeKey(KeyId.make("key_rich"), null))

  it("gets no subscription, because revoking a key revokes its subscriptions", () => {
    expect(refused(books, subscribe(input()))).toMatchObject({ _tag: "RevokedApiKey" })
  })
})
