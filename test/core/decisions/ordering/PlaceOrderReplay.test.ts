// A repeated idempotency key: replay, resume, reuse; and the daily cap, against which replays do not count.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { revokeKey } from "#core/decisions/access/Keys.ts"
import { accountBindingId, dailyUsageOf } from "#core/decisions/Books.ts"
import { type PlaceOrder, placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { storeSession } from "#core/decisions/ordering/StorePaymentSession.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { defaultShopSettings } from "#core/domain/ShopSettings.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { KeyId, PaymentSessionId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import {
  given,
  insertion,
  item,
  key,
  MINUTE_MS,
  NOON,
  orderBy,
  QUOTE_TTL_MS,
  render,
  site,
  stock
} from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const idempotency = { key: "purchase 1", fingerprint: "f1" }
const MIDNIGHT = Date.UTC(2026, 4, 5)
const again = (input: PlaceOrder, fingerprint = "f1"): PlaceOrder => ({
  ...input,
  idempotency: { ...idempotency, fingerprint }
})

const covered = orderBy("key_rich", {}, { idempotency })
const carded = orderBy("key_poor", {}, { idempotency })

describe("a covered order", () => {
  const first = placed(given(), covered)

  it("binds its key to the body and stores the response", () => {
    expect(first.written.at(-1)).toBe("KeyBound")
    expect(known(first.books.bindings, accountBindingId(covered.caller, "purchase 1"))).toEqual({
      keyId: "key_rich",
      accountId: "acc_rich",
      mode: "live",
      boundScope: "account",
      idempotencyKey: "purchase 1",
      fingerprint: "f1",
      quoteId: first.quoteId,
      response: render.response(first.reply),
      boundAtMs: NOON
    })
    expect(first.reply.quote.idempotencyKey).toBe("purchase 1")
  })

  it("replays the same bytes and writes nothing", () => {
    const { reply, written } = when(first.books, placeOrder(covered), NOON + MINUTE_MS)
    expect(reply).toEqual({ kind: "replay", quoteId: first.quoteId, response: render.response(first.reply) })
    expect(written).toEqual([])
  })

  it("refuses another body under the same key", () => {
    expect(refused(first.books, placeOrder(again(covered, "f2")))).toMatchObject({
      _tag: "IdempotencyKeyReused",
      idempotencyKey: "purchase 1",
      quoteId: first.quoteId
    })
  })

  it("does not affect the same idempotency key of another account, nor other keys of this one", () => {
    const other = placed(first.books, orderBy("key_poor", {}, { idempotency }))
    const next = placed(first.books, orderBy("key_rich", {}, { idempotency: { key: "purchase 2", fingerprint: "f1" } }))
    expect(new Set([first.quoteId, other.quoteId, next.quoteId]).size).toBe(3)
  })

  it("is placed again without a key", () => {
    const second = placed(first.books, orderBy("key_rich"))
    expect(second.quoteId).not.toBe(first.quoteId)
    expect(second.written).not.toContain("KeyBound")
  })
})

describe("a replay does not depend on later changes:", () => {
  const items = [insertion(12)]
  const asked = orderBy(
    "key_rich",
    { items, promoCode: "LAST" },
    { idempotency, settings: { ...defaultShopSettings, dailyOrderCap: 1 } }
  )
  const first = placed(given(), asked)
  const replayed = { kind: "replay", response: render.response(first.reply), quoteId: first.quoteId }

  it("the cap is reached, the article sold, the code exhausted", () => {
    expect(when(first.books, placeOrder(asked)).reply).toEqual(replayed)
  })

  it("the site is closed and more expensive, the code gone", () => {
    const later = {
      ...first.books,
      sites: HashMap.set(first.books.sites, 1, site(1, { open: false, shelf: "Nautilus" })),
      promos: HashMap.remove(first.books.promos, "LAST")
    }
    expect(when(later, placeOrder(asked)).reply).toEqual(replayed)
  })

  it("the quote is long over", () => {
    expect(when(first.books, placeOrder(asked), NOON + 30 * QUOTE_TTL_MS).reply).toEqual(replayed)
  })

  it("but a revoked key is refused", () => {
    const { books } = when(first.books, revokeKey(KeyId.make("key_rich"), null))
    expect(refused(books, placeOrder(asked))).toMatchObject({ _tag: "RevokedApiKey" })
  })
})

describe("an order with a card part", () => {
  const first = placed(given(), carded)
  const session = {
    quoteId: first.quoteId,
    sessionId: PaymentSessionId.make("cs_1"),
    paymentUrl: "https://pay.example/1"
  }

  it("is resumed until its link is stored", () => {
    expect(known(first.books.bindings, accountBindingId(carded.caller, "purchase 1")).response).toBeNull()
    const { reply, written } = when(first.books, placeOrder(carded))
    expect(reply).toEqual({ kind: "resume", quoteId: first.quoteId })
    expect(written).toEqual([])
    expect(refused(first.books, placeOrder(again(carded, "f2")))).toMatchObject({ _tag: "IdempotencyKeyReused" })
  })

  it("is replayed with its link afterwards", () => {
    const stored = when(first.books, storeSession(session, render))
    const { reply } = when(stored.books, placeOrder(carded))
    expect(reply).toEqual({ kind: "replay", quoteId: first.quoteId, response: stored.reply.response })
    expect(stored.reply.response.body).toContain("https://pay.example/1")
  })
})

describe("the daily cap", () => {
  const capped = given({ keys: [key("key_rich", "acc_rich", { limits: { ...noLimits, dailyOrderCap: 2 } })] })
  const second = placed(placed(capped, orderBy("key_rich")).books, orderBy("key_rich"))

  it("refuses further quotes until midnight", () => {
    expect(refused(second.books, placeOrder(orderBy("key_rich")), MIDNIGHT - 1)).toMatchObject({
      _tag: "DailyCapReached",
      limit: 2,
      used: 2,
      resetsAtMs: MIDNIGHT
    })
    const next = placed(second.books, orderBy("key_rich"), MIDNIGHT)
    expect(dailyUsageOf(next.books, KeyId.make("key_rich"), utcDay(MIDNIGHT)).quotes).toBe(1)
    expect(dailyUsageOf(next.books, KeyId.make("key_rich"), utcDay(NOON)).quotes).toBe(2)
  })

  it("is the shop's if the key has none, and off at zero", () => {
    const withCap = (dailyOrderCap: number) => ({ settings: { ...defaultShopSettings, dailyOrderCap } })
    const once = placed(given(), orderBy("key_rich", {}, withCap(1))).books
    expect(refused(once, placeOrder(orderBy("key_rich", {}, withCap(1))))).toMatchObject({
      _tag: "DailyCapReached",
      limit: 1
    })
    expect(placed(once, orderBy("key_rich", {}, withCap(0))).reply.quote.status).toBe("paid")
    expect(defaultShopSettings.dailyOrderCap).toBe(20)
  })

  it("is off for a key whose own cap is zero", () => {
    const free = given({ keys: [key("key_rich", "acc_rich", { limits: { ...noLimits, dailyOrderCap: 0 } })] })
    const withCap = { settings: { ...defaultShopSettings, dailyOrderCap: 1 } }
    const once = placed(free, orderBy("key_rich", {}, withCap)).books
    expect(placed(once, orderBy("key_rich", {}, withCap)).reply.quote.status).toBe("paid")
  })

  it("counts neither refused requests, dry runs nor replays", () => {
    const first = placed(capped, covered)
    refused(first.books, placeOrder(orderBy("key_rich", { items: [item({ siteId: 99 })] })))
    const dry = placed(first.books, orderBy("key_rich", { dryRun: true }))
    const replay = when(dry.books, placeOrder(covered))
    expect(dailyUsageOf(replay.books, KeyId.make("key_rich"), utcDay(NOON)).quotes).toBe(1)
  })

  it("allows dry runs when it is reached", () => {
    const { reply, written, books } = placed(second.books, orderBy("key_rich", { dryRun: true }), MIDNIGHT - 1)
    expect(reply).toMatchObject({ dryRun: true, order: null, quote: { totalCents: 500 } })
    expect(written).toEqual([])
    expect(dailyUsageOf(books, KeyId.make("key_rich"), utcDay(NOON)).quotes).toBe(2)
  })

  it("counts per key, abandoned quotes included", () => {
    const two = given({ keys: [...stock.keys, key("key_rich_2", "acc_rich")] })
    const { books } = placed(two, orderBy("key_rich"))
    expect(dailyUsageOf(books, KeyId.make("key_rich_2"), utcDay(NOON)).quotes).toBe(0)
  })

  property(
    "of any number of orders on one day, exactly the cap is made",
    [fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 9 })],
    (cap, asked) => {
      const input = orderBy("key_poor", {}, { settings: { ...defaultShopSettings, dailyOrderCap: cap } })
      let books = given()
      let made = 0
      for (let i = 0; i < asked; i++) {
        if (dailyUsageOf(books, KeyId.make("key_poor"), utcDay(NOON)).quotes >= cap) {
          expect(refused(books, placeOrder(input))).toMatchObject({ _tag: "DailyCapReached", used: cap })
          continue
        }
        books = placed(books, input).books
        made++
      }
      expect([made, HashMap.size(books.quotes)]).toEqual([Math.min(cap, asked), made])
    }
  )
})
