// At most five keys are active per account. They are limited by their owner, and revoked for good with their subscriptions.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type IssueKey, issueKey, limitKey, revokeKey, tightenKey } from "#core/decisions/access/Keys.ts"
import { find } from "#core/decisions/Books.ts"
import { ALL_SCOPES, callerOf, noLimits } from "#core/domain/access/ApiKey.ts"
import { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import { given, HOUR_MS, key, NOON, stock, subscription } from "#test/core/Given.ts"
import { decide, refused, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const input = (over: Partial<IssueKey> = {}): IssueKey => ({
  accountId: AccountId.make("acc_rich"),
  mode: "live",
  label: "my agent",
  scopes: ALL_SCOPES,
  limits: noLimits,
  hash: "abc",
  prefix: "sn_live_",
  lastFour: "wxyz",
  actor: "olga",
  ...over
})

const empty = given({ keys: [] })

describe("a new key", () => {
  const { reply, books } = when(empty, issueKey(input()))

  it("has what was requested, without the text of the key", () => {
    expect(reply).toEqual({
      keyId: expect.stringMatching(/^key_/),
      accountId: "acc_rich",
      mode: "live",
      label: "my agent",
      scopes: ["read", "order"],
      limits: noLimits,
      hash: "abc",
      prefix: "sn_live_",
      lastFour: "wxyz",
      createdAtMs: NOON,
      revokedAtMs: null
    })
    expect(known(books.keys, reply.keyId)).toEqual(reply)
  })

  it("is audited without its hash", () => {
    const [record] = [...HashMap.values(books.audit)]
    expect(record).toMatchObject({ actor: "olga", action: "key.issue", subject: reply.keyId })
    expect(record?.details).toEqual({ mode: "live", label: "my agent", scopes: "read order" })
  })

  it("identifies its caller", () => {
    expect(callerOf(reply)).toEqual({
      accountId: "acc_rich",
      keyId: reply.keyId,
      mode: "live",
      scopes: ["read", "order"],
      label: "my agent",
      seesAccount: true
    })
  })

  it("is made once of a text: the same text gives the same key, also where five are active", () => {
    const again = when(books, issueKey(input({ label: "again" })))
    expect(again.reply).toEqual(reply)
    expect(again.books).toEqual(books)
    const others = ["b", "c", "d", "e"].reduce((more, hash) => when(more, issueKey(input({ hash }))).books, books)
    expect(when(others, issueKey(input())).reply).toEqual(reply)
    expect(refused(others, issueKey(input({ hash: "f" })))._tag).toBe("KeyLimitReached")
  })

  it("requires an existing account", () => {
    expect(refused(empty, issueKey(input({ accountId: AccountId.make("acc_none") })))).toMatchObject({
      _tag: "AccountNotFound"
    })
  })
})

describe("at most five active keys", () => {
  const five = Array.from({ length: 5 }, (_, n) => key(`key_${n}`, "acc_rich", n < 2 ? { mode: "sandbox" } : {}))

  it("count live and sandbox keys together", () => {
    const refusal = { _tag: "KeyLimitReached", limit: 5 }
    expect(refused(given({ keys: five }), issueKey(input()))).toMatchObject(refusal)
    expect(refused(given({ keys: five }), issueKey(input({ mode: "sandbox" })))).toMatchObject(refusal)
  })

  it("count per account, without revoked keys", () => {
    expect(decide(given({ keys: five }), issueKey(input({ accountId: AccountId.make("acc_poor") })))._tag).toBe(
      "Success"
    )
    const [first, ...others] = five
    const revoked = { ...(first ?? key("key_0", "acc_rich")), revokedAtMs: NOON }
    expect(decide(given({ keys: [revoked, ...others] }), issueKey(input()))._tag).toBe("Success")
  })

  const commands = fc.array(fc.oneof(fc.constant("issue" as const), fc.nat({ max: 9 })), { maxLength: 25 })

  property("are never exceeded by any sequence of issuing and revoking, and always reached", [commands], (all) => {
    let books = empty
    const issued: Array<KeyId> = []
    const active = new Set<string>()
    for (const command of all) {
      if (command === "issue") {
        const outcome = decide(books, issueKey(input({ hash: `hash ${issued.length}` })))
        expect(outcome._tag).toBe(active.size < 5 ? "Success" : "Failure")
        if (outcome._tag === "Failure") continue
        books = outcome.success.books
        issued.push(outcome.success.reply.keyId)
        active.add(outcome.success.reply.keyId)
      } else {
        const keyId = issued[command]
        if (keyId === undefined) continue
        books = when(books, revokeKey(keyId, null)).books
        active.delete(keyId)
      }
      expect(active.size).toBeLessThanOrEqual(5)
    }
    const left = [...HashMap.values(books.keys)].filter(({ revokedAtMs }) => revokedAtMs === null)
    expect(new Set(left.map(({ keyId }) => keyId))).toEqual(active)
  })
})

describe("limits", () => {
  const limits = {
    maxOrderCents: 5_000,
    maxDayCents: 9_000,
    dailyOrderCap: 3,
    allowedDomains: ["a.example", "b.example"],
    approveAboveCents: 2_500,
    holdLookAlikes: true,
    alwaysAllow: [{ domain: "a.example", upToCents: 5_000 }]
  }

  it("replace earlier limits, and are audited", () => {
    const { reply, books } = when(given(), limitKey(KeyId.make("key_rich"), limits, "olga"))
    expect(reply).toEqual({ ...key("key_rich", "acc_rich"), limits })
    expect(known(books.keys, "key_rich")).toEqual(reply)
    const [record] = [...HashMap.values(books.audit)]
    expect(record).toMatchObject({ action: "key.limit", subject: "key_rich" })
    expect(record?.details).toEqual({
      ...limits,
      ...{ label: "key_rich", loosens: true },
      ...{ allowedDomains: "a.example b.example", alwaysAllow: "a.example=5000" }
    })
    const lifted = when(books, limitKey(KeyId.make("key_rich"), noLimits, null))
    expect([lifted.reply.limits, lifted.written]).toEqual([noLimits, ["KeyLimited"]])
  })

  it("stay as they are where none is given", () => {
    const { books } = when(given(), limitKey(KeyId.make("key_rich"), limits, null))
    const raised = when(
      books,
      limitKey(KeyId.make("key_rich"), { maxDayCents: 9_500, approveAboveCents: null }, "olga")
    )
    expect(raised.reply.limits).toEqual({ ...limits, maxDayCents: 9_500, approveAboveCents: null })
    const [record] = [...HashMap.values(raised.books.audit)]
    expect(record?.details).toMatchObject({ maxOrderCents: 5_000, maxDayCents: 9_500, approveAboveCents: null })
  })

  it("are tightened as they are in that moment, and what allows more changes nothing", () => {
    const { books } = when(given(), limitKey(KeyId.make("key_rich"), limits, null))
    const looser = when(books, tightenKey(KeyId.make("key_rich"), { maxDayCents: 9_500 }, "olga"))
    expect([looser.reply, looser.written]).toEqual([null, []])
    const tighter = when(books, tightenKey(KeyId.make("key_rich"), { maxDayCents: 8_500 }, "olga"))
    expect(tighter.reply).toEqual({ ...key("key_rich", "acc_rich"), limits: { ...limits, maxDayCents: 8_500 } })
    expect(refused(given(), tightenKey(KeyId.make("key_none"), {}, null))).toMatchObject({ _tag: "KeyNotFound" })
  })

  it("require an existing key", () => {
    expect(refused(given(), limitKey(KeyId.make("key_none"), limits, null))).toMatchObject({
      _tag: "KeyNotFound",
      keyId: "key_none"
    })
  })
})

describe("revoking a key", () => {
  const subscriptions = [
    subscription("wh_1"),
    subscription("wh_2", { revokedAtMs: NOON - HOUR_MS }),
    subscription("wh_3", { keyId: KeyId.make("key_rich_test"), mode: "sandbox" }),
    subscription("wh_4", { keyId: KeyId.make("key_poor"), accountId: AccountId.make("acc_poor") })
  ]
  const { reply, books, written } = when(given({ subscriptions }), revokeKey(KeyId.make("key_rich"), "olga"))

  it("is permanent", () => {
    expect(reply).toEqual({ ...key("key_rich", "acc_rich"), revokedAtMs: NOON, revokedBy: "olga" })
    expect(known(books.keys, "key_rich")).toEqual(reply)
  })

  it("revokes its active subscriptions and no others", () => {
    const ends = subscriptions.map(({ webhookId }) => known(books.subscriptions, webhookId).revokedAtMs)
    expect(ends).toEqual([NOON, NOON - HOUR_MS, null, null])
    expect(written).toEqual(["KeyRevoked", "SubscriptionRevoked", "AuditRecorded"])
  })

  it("is idempotent", () => {
    const again = when(books, revokeKey(KeyId.make("key_rich"), "olga"), NOON + HOUR_MS)
    expect([again.reply, again.written]).toEqual([reply, []])
  })

  it("leaves other keys alone", () => {
    const others = stock.keys.filter(({ keyId }) => keyId !== "key_rich")
    expect(others.map(({ keyId }) => find(books.keys, keyId))).toEqual(others)
  })

  it("requires an existing key", () => {
    expect(refused(given(), revokeKey(KeyId.make("key_none"), null))).toMatchObject({
      _tag: "KeyNotFound",
      keyId: "key_none"
    })
  })
})
