// Webhook subscriptions: up to five active per account, managed by the key that made them.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { revokeKey } from "#core/decisions/Keys.ts"
import { type Subscribe, subscribe, unsubscribe } from "#core/decisions/Subscriptions.ts"
import { callerOf } from "#core/domain/ApiKey.ts"
import { given, HOUR_MS, key, NOON, subscription } from "../Given.ts"
import { decide, known, refused, when } from "../RunDecision.ts"

const rich = callerOf(key("key_rich", "acc_rich"))
const richTest = callerOf(key("key_rich_test", "acc_rich", { mode: "sandbox" }))
const poor = callerOf(key("key_poor", "acc_poor"))

const input = (over: Partial<Subscribe> = {}): Subscribe => ({
  caller: rich,
  url: "https://hooks.example/in",
  events: ["order.accepted", "order.cancelled"],
  sealedSigningKey: "sealed",
  ...over
})

describe("a new subscription", () => {
  it("is the calling key's, as it was asked for", () => {
    const { reply, books, written } = when(given(), subscribe(input()))
    expect(reply).toMatchObject({
      webhookId: expect.stringMatching(/^wh_[0-9a-z]{28}$/),
      accountId: "acc_rich",
      keyId: "key_rich",
      mode: "live",
      url: "https://hooks.example/in",
      events: ["order.accepted", "order.cancelled"],
      sealedSigningKey: "sealed",
      createdAtMs: NOON,
      revokedAtMs: null
    })
    expect(known(books.subscriptions, reply.webhookId)).toEqual(reply)
    expect(written).toEqual(["SubscriptionAdded"])
  })

  it("of a sandbox key says so in its id", () => {
    const { reply } = when(given(), subscribe(input({ caller: richTest })))
    expect(reply).toMatchObject({ mode: "sandbox", webhookId: expect.stringMatching(/^wh_test_/) })
  })
})

describe("at most five active subscriptions", () => {
  const five = Array.from({ length: 5 }, (_, n) =>
    subscription(`wh_${n}`, n < 2 ? { keyId: "key_rich_test", mode: "sandbox" } : {})
  )
  const full = given({ subscriptions: five })

  it("are those of all the account's keys, live and sandbox together", () => {
    const refusal = { _tag: "WebhookLimitReached", limit: 5 }
    expect(refused(full, subscribe(input()))).toMatchObject(refusal)
    expect(refused(full, subscribe(input({ caller: richTest })))).toMatchObject(refusal)
  })

  it("are an account's own, and revoked ones do not count", () => {
    expect(decide(full, subscribe(input({ caller: poor })))._tag).toBe("Success")
    const { books } = when(full, unsubscribe("wh_4", rich))
    expect(decide(books, subscribe(input()))._tag).toBe("Success")
  })
})

describe("ending one", () => {
  const books = given({ subscriptions: [subscription("wh_1")] })

  it("keeps it, revoked", () => {
    const { reply, books: after } = when(books, unsubscribe("wh_1", rich), NOON + HOUR_MS)
    expect(reply).toEqual({ ...subscription("wh_1"), revokedAtMs: NOON + HOUR_MS })
    expect(known(after.subscriptions, "wh_1")).toEqual(reply)
    expect(HashMap.size(after.subscriptions)).toBe(1)
    expect(refused(after, unsubscribe("wh_1", rich))).toMatchObject({ _tag: "WebhookNotFound", webhookId: "wh_1" })
  })

  it.each([
    ["another account's", "wh_1", poor],
    ["another key's of the same account", "wh_1", richTest],
    ["nobody's", "wh_none", rich]
  ])("%s is not found", (_, webhookId, caller) => {
    expect(refused(books, unsubscribe(webhookId, caller))).toMatchObject({ _tag: "WebhookNotFound", webhookId })
  })
})

describe("a key that is revoked between being recognised and subscribing", () => {
  const { books } = when(given(), revokeKey("key_rich", null))

  it("leaves no subscription behind, for revoking a key revokes its subscriptions", () => {
    expect(refused(books, subscribe(input()))).toMatchObject({ _tag: "RevokedApiKey" })
  })
})
