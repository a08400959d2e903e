// An order is deferred if abandoning expired quotes could change its result; any other order is decided as usual.
import { describe, expect, it } from "vitest"
import { type PlaceOrder, placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { account, given, insertion, item, key, orderBy, stock, welcomeSpent } from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const unless = (input: PlaceOrder) => placeOrder(input, ["sweep"])

const deferred = { kind: "unprepared", needs: "sweep" }

/** An account whose 16.00 EUR are held by an open quote for 30.00. */
const shop = given({ accounts: [account("acc_rich", 1_600, welcomeSpent), account("acc_poor", 0)] })
const nautilus = { items: [item({ siteId: 3 })] }
const held = placed(shop, orderBy("key_rich", nautilus)).books

describe("an order that expired quotes may affect", () => {
  it("is deferred if a card would pay while credit is held, dry runs included", () => {
    for (const dryRun of [false, true]) {
      const { reply, written } = when(held, unless(orderBy("key_rich", { dryRun })))
      expect([reply, written]).toEqual([deferred, []])
    }
  })

  it("is deferred if held credit could avoid the card's minimum", () => {
    const small = orderBy("key_rich", { items: [insertion(13)] })
    expect(refused(held, placeOrder(small))).toMatchObject({ _tag: "AmountBelowMinimum" })
    expect(when(held, unless(small)).reply).toEqual(deferred)
  })

  it("is deferred if held credit could avoid the card's maximum", () => {
    const large = orderBy("key_rich", nautilus)
    const input = { ...large, settings: { ...large.settings, cardMaximumCents: 2_999 } }
    expect(refused(held, placeOrder(input))).toMatchObject({ _tag: "AmountAboveMaximum" })
    expect(when(held, unless(input)).reply).toEqual(deferred)
  })

  it("is deferred if the daily budget of its key is spent", () => {
    const keys = [...stock.keys.slice(1), key("key_rich", "acc_rich", { limits: { ...noLimits, maxDayCents: 900 } })]
    const { books } = placed(given({ keys }), orderBy("key_rich"))
    expect(refused(books, placeOrder(orderBy("key_rich")))).toMatchObject({ rule: "max_day_cents" })
    expect(when(books, unless(orderBy("key_rich"))).reply).toEqual(deferred)
  })
})

describe("any other order", () => {
  it("is decided if the available credit covers it, although credit is held", () => {
    const { books } = when(
      held,
      topUp({ accountId: AccountId.make("acc_rich"), cents: 500, reference: "", actor: null })
    )
    expect(when(books, unless(orderBy("key_rich"))).reply).toMatchObject({ placement: { quote: { status: "paid" } } })
  })

  it("is refused by another rule of its key, or for the card's minimum if no credit is held", () => {
    const keys = [...stock.keys.slice(1), key("key_rich", "acc_rich", { limits: { ...noLimits, maxOrderCents: 1 } })]
    expect(refused(given({ keys }), unless(orderBy("key_rich")))).toMatchObject({ rule: "max_order_cents" })
    const small = orderBy("key_poor", { items: [insertion(13)] })
    expect(refused(shop, unless(small))).toMatchObject({ _tag: "AmountBelowMinimum" })
  })

  it("is decided: with nothing held, with credit enough, as a replay, or refused for another reason", () => {
    const { books, reply } = when(shop, unless(orderBy("key_rich", nautilus)))
    expect(reply.kind).toBe("placed")
    expect(when(given(), unless(orderBy("key_rich", nautilus))).reply).toMatchObject({ kind: "placed" })
    expect(when(shop, unless(orderBy("key_poor"))).reply.kind).toBe("placed")
    expect(when(books, unless(orderBy("key_rich_test"))).reply.kind).toBe("placed")
    expect(refused(books, unless(orderBy("key_rich", { promoCode: "GONE" })))).toMatchObject({ reason: "expired" })
    const idempotency = { key: "k", fingerprint: "f" }
    const bound = placed(shop, orderBy("key_rich", nautilus, { idempotency })).books
    expect(when(bound, unless(orderBy("key_rich", nautilus, { idempotency }))).reply.kind).toBe("resume")
  })
})
