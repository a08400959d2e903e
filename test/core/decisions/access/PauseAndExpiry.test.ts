// A paused key orders nothing and keeps all else; a key with a time ends by itself, as if it were revoked then.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expireKey, type IssueKey, issueKey, pauseKey, revokeKey, rotateKey } from "#core/decisions/access/Keys.ts"
import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import {
  ALL_SCOPES,
  type ApiKey,
  callerOf,
  checkFound,
  endOf,
  MAX_EXPIRY_MS,
  noLimits
} from "#core/domain/access/ApiKey.ts"
import { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import { account, given, HOUR_MS, key, NOON, orderBy, subscription } from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const rich = KeyId.make("key_rich")

const paused = (books = given()) => when(books, pauseKey(rich, true, "olga"))

const auditOf = (books: ReturnType<typeof given>) =>
  [...HashMap.values(books.audit)]
    .toSorted((one, other) => (one.auditId < other.auditId ? -1 : 1))
    .map(({ action, actor, subject }) => [action, actor, subject])

describe("a paused key", () => {
  it("orders nothing, not even as a dry run, until it is resumed", () => {
    const { reply, books } = paused()
    expect(reply.pausedAtMs).toBe(NOON)
    for (const dryRun of [false, true]) {
      expect(refused(books, placeOrder(orderBy("key_rich", { dryRun })))).toMatchObject({
        _tag: "SpendPolicyRefused",
        rule: "paused"
      })
    }
    const resumed = when(books, pauseKey(rich, false, "olga"))
    expect(known(resumed.books.keys, "key_rich")).toEqual(key("key_rich", "acc_rich"))
    expect(placed(resumed.books, orderBy("key_rich")).reply.order).not.toBe(null)
    expect(auditOf(resumed.books)).toEqual([
      ["key.pause", "olga", "key_rich"],
      ["key.resume", "olga", "key_rich"]
    ])
  })

  it("is one key: others of the account order", () => {
    const other = key("key_other", "acc_rich")
    const { books } = paused(given({ keys: [key("key_rich", "acc_rich"), other] }))
    expect(placed(books, orderBy("key_rich", {}, { caller: callerOf(other) })).reply.order).not.toBe(null)
  })

  it("is paused once, keeps its webhooks, stays paused under another text, and is revoked as ever", () => {
    const { books } = paused(given({ subscriptions: [subscription("wh_1")] }))
    expect(when(books, pauseKey(rich, true, "olga"), NOON + HOUR_MS).changes).toEqual([])
    expect(known(books.subscriptions, "wh_1").revokedAtMs).toBe(null)
    const text = { hash: "another", prefix: "sn_live_", lastFour: "1234" }
    expect(when(books, rotateKey({ keyId: rich, now: true, actor: "olga", ...text })).reply?.pausedAtMs).toBe(NOON)
    const { books: ended } = when(books, revokeKey(rich, "olga"))
    expect(refused(ended, pauseKey(rich, false, "olga"))).toMatchObject({ _tag: "KeyNotFound" })
  })

  it("is not the one that stops when all are: what is told is the whole account", () => {
    const { books } = paused(given({ accounts: [account("acc_rich", 10_000, { agentsStoppedAtMs: NOON })] }))
    expect(refused(books, placeOrder(orderBy("key_rich")))).toMatchObject({ rule: "agents_stopped" })
  })
})

const untilNoon = (over: Partial<ApiKey> = {}) =>
  given({
    keys: [key("key_rich", "acc_rich", { expiresAtMs: NOON, ...over })],
    subscriptions: [subscription("wh_1")]
  })

const input = (over: Partial<IssueKey> = {}): IssueKey => ({
  ...{ accountId: AccountId.make("acc_rich"), mode: "live", label: "my agent", scopes: ALL_SCOPES, limits: noLimits },
  ...{ hash: "abc", prefix: "sn_live_", lastFour: "wxyz", actor: "olga", ...over }
})

describe("a key that expires", () => {
  it("orders until the millisecond before", () => {
    expect(placed(untilNoon(), orderBy("key_rich"), NOON - 1).reply.order).not.toBe(null)
    expect(refused(untilNoon(), placeOrder(orderBy("key_rich")), NOON)).toMatchObject({ _tag: "ExpiredApiKey" })
  })

  it("ends once its time is over, with its webhooks, in its own name", () => {
    expect(when(untilNoon(), expireKey(rich), NOON - 1).changes).toEqual([])
    const { reply, books } = when(untilNoon(), expireKey(rich), NOON + 1)
    expect(reply).toMatchObject({ revokedAtMs: NOON + 1 })
    expect(reply.revokedBy).toBe(undefined)
    expect(known(books.subscriptions, "wh_1").revokedAtMs).toBe(NOON + 1)
    expect(auditOf(books)).toEqual([["key.expire", "key_rich", "key_rich"]])
    expect(when(books, expireKey(rich), NOON + 2).changes).toEqual([])
    expect(refused(books, placeOrder(orderBy("key_rich")), NOON + HOUR_MS)).toMatchObject({ _tag: "ExpiredApiKey" })
  })

  it("leaves a key without a time alone", () => {
    expect(when(given(), expireKey(rich), Number.MAX_SAFE_INTEGER).changes).toEqual([])
  })

  it("frees its place among the five at that time, before anything has ended it", () => {
    const five = Array.from({ length: 5 }, (_, n) => key(`key_${n}`, "acc_rich", n === 0 ? { expiresAtMs: NOON } : {}))
    const books = given({ keys: five })
    expect(refused(books, issueKey(input()), NOON - 1)._tag).toBe("KeyLimitReached")
    expect(when(books, issueKey(input()), NOON).written).toContain("KeyIssued")
  })

  it("is made with a time in the future alone, at most ten years on", () => {
    const at = (expiresAtMs: number) => issueKey(input({ expiresAtMs }))
    for (const wrong of [0, NOON - 1, NOON, NOON + MAX_EXPIRY_MS + 1])
      expect(refused(given(), at(wrong), NOON)).toMatchObject({ _tag: "KeyExpiryInvalid" })
    for (const right of [NOON + 1, NOON + MAX_EXPIRY_MS])
      expect(when(given(), at(right), NOON).reply.expiresAtMs).toBe(right)
  })

  const time = fc.integer({ min: 0, max: 100 })

  property("ends by what came first, and is active only before both", [time, time, time], (revoked, expires, now) => {
    const one = { ...key("key_1", "acc_rich"), expiresAtMs: expires }
    expect(endOf(one, now)).toBe(expires <= now ? "expired" : null)
    expect(endOf({ ...one, revokedAtMs: revoked }, now)).toBe(revoked < expires ? "revoked" : "expired")
    // The store's clock alone says whether its time is over.
    expect(checkFound(one)._tag).toBe("Success")
    expect(checkFound({ ...one, hasExpired: true })).toMatchObject({ failure: { _tag: "ExpiredApiKey" } })
  })
})
