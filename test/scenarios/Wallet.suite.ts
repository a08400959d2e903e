// Prepaid credit under concurrency: it is never negative, and the ledger is exact to the cent.
import { Effect } from "effect"
import { expect } from "vitest"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, movements } from "../core/BookReads.ts"
import { type Buyer, buyer, by, cart, freshKey, item, order, topUp } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, placedBy, postOrder, press, QUOTES, viewPage } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { everyProcessor } from "./ScenarioSuite.ts"

/** The complete ledger as the account's agent reads it, oldest first. */
const ledgerOf = Effect.fnUntraced(function* ({ api }: Buyer) {
  const pages = []
  let cursor: string | undefined
  do {
    const page = yield* api.balance.listLedger({ query: cursor === undefined ? { limit: 7 } : { limit: 7, cursor } })
    pages.push(...page.entries)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return pages.reverse()
})

const cancelOrder = (orderId: OrderId) =>
  Effect.flatMap(FulfilLinks, ({ cancelOrder }) => cancelOrder(orderId, "as a test", by))

export const walletSuite = everyProcessor("the wallet", {}, (it) => {
  it.effect("20 times two orders race for the last euro: one gets it, and nothing is negative", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      for (let round = 0; round < 20; round++) {
        const who = yield* buyer({ creditCents: 700 })
        const answers = yield* concurrently(times(2, () => postOrder(who.key, cart([item(siteId)]), freshKey())))
        const splits = answers.map(placedBy).map((one) => `${one.credit_applied_cents}+${one.card_amount_cents}`)
        expect(splits.sort()).toEqual(["200+300", "500+0"])
        expect(yield* who.api.balance.getBalance()).toMatchObject({ available_cents: 0, held_cents: 200 })
        expect(movements(yield* books, who.accountId)).toEqual(["top_up 700", "capture 500", "hold 200"])
      }
    })
  )

  it.effect("100 orders at once for credit that covers seven and a part of the eighth", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 3_720 })
      const answers = yield* concurrently(times(100, () => postOrder(who.key, cart([item(siteId)]))))
      const splits = answers.map(placedBy).map((one) => `${one.credit_applied_cents}+${one.card_amount_cents}`)
      expect(countEach(splits)).toEqual({ "500+0": 7, "220+280": 1, "0+500": 92 })
    })
  )

  it.effect("one account, hundreds of operations in parallel: the ledger is exact", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 60_000 })
      /** Orders, then pays, abandons as human or agent, or leaves the quote; cancels every third order. Sends each call twice. */
      const life = Effect.fnUntraced(function* (nth: number) {
        const { payment_url, quote_id } = placedBy(
          yield* postOrder(who.key, cart(times((nth % 3) + 1, () => item(siteId))))
        )
        const path = `${QUOTES}/${quote_id}`
        const actions = [
          press("pay", payment_url ?? "/"),
          press("abandon", payment_url ?? "/"),
          call("POST", `${path}/abandon`, { key: who.key }),
          call("GET", path, { key: who.key })
        ]
        const action = actions[nth % actions.length]
        if (action !== undefined && payment_url !== null) yield* concurrently([action, action])
        const { order_id } = yield* who.api.quotes.getQuote({ params: { id: quote_id ?? QuoteId.make("") } })
        if (nth % 3 === 0 && order_id !== null) {
          const ends = yield* concurrently(times(2, () => Effect.result(cancelOrder(order_id))))
          expect(ends.map(({ _tag }) => _tag)).toEqual(["Success", "Success"])
        }
      })
      yield* concurrently([...times(150, life), ...times(60, (nth) => topUp(who.accountId, nth + 1))])
      const entries = yield* ledgerOf(who)
      const heldFor = new Map<string | null, number>()
      let held = 0
      let balance = 0
      for (const { kind, amount_cents, balance_after_cents, held_after_cents, quote_id } of entries) {
        if (kind === "hold") heldFor.set(quote_id, amount_cents)
        const ofQuote = heldFor.get(quote_id) ?? 0
        if (kind === "hold") held += ofQuote
        if (kind === "release") expect(ofQuote).toBe(amount_cents)
        if (kind === "release" || kind === "capture") held -= ofQuote
        if (kind === "capture") balance -= amount_cents
        if (kind === "top_up" || kind === "recredit" || kind === "late_payment") balance += amount_cents
        expect([balance_after_cents, held_after_cents]).toEqual([balance, held])
        expect(held >= 0 && held <= balance).toBe(true)
      }
      const now = yield* who.api.balance.getBalance()
      expect([now.available_cents, now.held_cents]).toEqual([balance - held, held])
      expect(now.holds.reduce((sum, { cents }) => sum + cents, 0)).toBe(held)
      expect(entries.length).toBe(movements(yield* books, who.accountId).length)
      // Each of 61 top-ups is an entry, and so is each of at least 40 orders that the credit covers.
      expect(entries.length).toBeGreaterThan(100)
    })
  )

  it.effect("credit that covers an order is captured at once by one entry, beside what other quotes hold", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 700 })
      const covered = yield* order(who, [item(siteId)])
      const partly = yield* order(who, [item(siteId)])
      yield* topUp(who.accountId, 500)
      const beside = yield* order(who, [item(siteId)])
      expect([covered.status, partly.status, beside.status]).toEqual(["paid", "awaiting_payment", "paid"])
      const entries = yield* ledgerOf(who)
      expect(
        entries.map((one) => [one.kind, one.amount_cents, one.balance_after_cents, one.held_after_cents, one.quote_id])
      ).toEqual([
        ["top_up", 700, 700, 0, null],
        ["capture", 500, 200, 0, covered.quote_id],
        ["hold", 200, 200, 200, partly.quote_id],
        ["top_up", 500, 700, 200, null],
        ["capture", 500, 200, 200, beside.quote_id]
      ])
      expect(entries[1]?.order_id).toBe(covered.order_id)
      expect((yield* who.api.balance.getBalance()).holds.map(({ quote_id }) => quote_id)).toEqual([partly.quote_id])
    })
  )

  it.effect("partial credit is held, the payment link charges the rest, and the next order cannot use it", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite({ shelf: "Corail" })
      const who = yield* buyer({ creditCents: 700 })
      const first = yield* order(who, [item(siteId)])
      expect(first).toMatchObject({ credit_applied_cents: 700, card_amount_cents: 800, status: "awaiting_payment" })
      const second = yield* order(who, [item(siteId)])
      expect(second).toMatchObject({ credit_applied_cents: 0, card_amount_cents: 1_500 })
      const page = yield* viewPage(first.payment_url ?? "")
      expect(page.text).toContain("Pay 8.00 EUR")
      const { holds, held_cents, available_cents } = yield* who.api.balance.getBalance()
      expect([held_cents, available_cents]).toEqual([700, 0])
      expect(holds).toEqual([{ quote_id: first.quote_id, cents: 700, expires_at: first.expires_at }])
      yield* press("pay", first.payment_url ?? "")
      expect(yield* who.api.balance.getBalance()).toMatchObject({ available_cents: 0, held_cents: 0, holds: [] })
      const kinds = (yield* ledgerOf(who)).map(({ kind, amount_cents, quote_id }) => [kind, amount_cents, quote_id])
      expect(kinds).toEqual([
        ["top_up", 700, null],
        ["hold", 700, first.quote_id],
        ["capture", 700, first.quote_id]
      ])
    })
  )

  it.effect("a top-up while a hold is open does not change the hold, and pays for the next order", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 200 })
      const { payment_url } = yield* order(who, [item(siteId)])
      yield* concurrently([topUp(who.accountId, 1_000), topUp(who.accountId, 1)])
      expect(yield* who.api.balance.getBalance()).toMatchObject({ available_cents: 1_001, held_cents: 200 })
      expect(yield* order(who, [item(siteId)])).toMatchObject({ credit_applied_cents: 500, status: "paid" })
      yield* press("pay", payment_url ?? "")
      expect(yield* who.api.balance.getBalance()).toMatchObject({ available_cents: 501, held_cents: 0 })
    })
  )

  it.effect("15 times a link and its order are cancelled many times at once: one re-credit each", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { cancelLink } = yield* FulfilLinks
      const { siteId } = yield* listSite()
      for (let round = 0; round < 15; round++) {
        const who = yield* buyer({ creditCents: 900 })
        const { order_id, payment_url } = yield* order(
          who,
          times(3, () => item(siteId))
        )
        expect(order_id).toBeUndefined()
        yield* press("pay", payment_url ?? "")
        const { orders } = yield* who.api.orders.listOrders({ query: {} })
        const id = orders[0]?.order_id ?? OrderId.make("")
        const { items } = yield* who.api.orders.getOrder({ params: { id } })
        const links = items.map(({ link_id }) => Effect.result(cancelLink(link_id, "as a test", by)))
        const whole = Effect.result(cancelOrder(id))
        yield* concurrently<Effect.Effect<unknown, never, FulfilLinks>>(
          round % 2 === 0 ? [...links, ...links, whole] : [whole, whole, ...links]
        )
        expect(movements(yield* books, who.accountId).slice(3)).toEqual(times(3, () => "recredit 500"))
        const cancelled = yield* who.api.orders.getOrder({ params: { id } })
        expect(cancelled).toMatchObject({ order_status: "cancelled", credited_cents: 1_500 })
        expect((yield* who.api.balance.getBalance()).available_cents).toBe(1_500)
      }
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
