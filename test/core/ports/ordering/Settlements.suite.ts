// What every store promises of concurrent payments, abandonments, expiries and cancellations: each quote and each link has one
// outcome, and so has its money.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import {
  buyer,
  expiredQuoteSettings,
  insertionInto,
  linksOn,
  listArticle,
  listSite,
  order,
  plainSettings,
  topUpAccount
} from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { expectConsistentWallet, movements } from "../wallet/LedgerChecks.ts"
import { abandon, cancelLinkById, cancelOrderById, pay, storeSessionOf } from "./OrderSteps.ts"

/** A site of 5.00 EUR, 2.00 of it from credit, and a quote for it. */
const partlyCovered = (settings = plainSettings) =>
  Effect.gen(function* () {
    const owner = yield* buyer(200)
    const site = yield* listSite()
    const article = yield* listArticle(site.siteId)
    const { quote } = yield* order(owner.caller, { items: [insertionInto(article)], settings })
    return { ...owner, accountId: owner.account.accountId, quote, article }
  })

const known = Effect.fnUntraced(function* ({ quoteId }: Quote) {
  const quotes = yield* Quotes
  return yield* quotes.byId(quoteId)
})

export const settlementsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`OrderBook of ${name}: settlements`, store, (it) => {
    it.effect("one payment reported ten times at once, before its session is stored: one order", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { accountId, caller, quote } = yield* partlyCovered()
        const outcomes = yield* concurrently(times(10, () => pay(quote)))
        const repeated = outcomes.filter(({ outcome }) => outcome === "repeated")
        expect(repeated).toHaveLength(9)
        yield* storeSessionOf(quote)
        const query = { shown: [caller.keyId], leftOut: [], status: null, limit: 50, beforeId: null }
        expect((yield* orders.listed(query)).orders).toMatchObject([{ order: { quoteId: quote.quoteId } }])
        expect(yield* movements(accountId)).toEqual(["top_up 200", "hold 200", "capture 200"])
        expect(yield* expectConsistentWallet(accountId)).toEqual({ balanceCents: 0, heldCents: 0 })
      })
    )

    it.effect("three concurrent abandonments, ten times: the hold is released once", () =>
      Effect.gen(function* () {
        const { accountId, quote } = yield* partlyCovered()
        const parties = ["human", "agent", "expiry"] as const
        yield* concurrently(times(10, () => concurrently(parties.map((by) => abandon(quote, by)))))
        expect(yield* movements(accountId)).toEqual(["top_up 200", "hold 200", "release 200"])
        expect(yield* known(quote)).toMatchObject({ status: "abandoned", orderId: null })
      })
    )

    it.effect("payment against abandonment, in either order: an order or credit, never both", () =>
      Effect.gen(function* () {
        const races = yield* Effect.all(times(40, () => partlyCovered()))
        yield* concurrently(
          races.flatMap(({ quote }, index) => {
            const rivals = [Effect.asVoid(pay(quote)), Effect.asVoid(abandon(quote, "human"))]
            return index % 2 === 0 ? rivals : rivals.reverse()
          })
        )
        for (const { accountId, quote } of races) {
          const end = yield* known(quote)
          const paid = end?.status === "paid"
          expect(end).toMatchObject({
            status: paid ? "paid" : "abandoned",
            creditedCents: paid ? 0 : 300,
            orderId: paid ? expect.any(String) : null
          })
          expect(yield* movements(accountId)).toEqual([
            "top_up 200",
            "hold 200",
            ...(paid ? ["capture 200"] : ["release 200", "late_payment 300"])
          ])
          yield* expectConsistentWallet(accountId)
        }
      })
    )

    it.effect("payment against expiry of an expired quote, in either order: one order", () =>
      Effect.gen(function* () {
        const races = yield* Effect.all(times(40, () => partlyCovered(expiredQuoteSettings)))
        yield* concurrently(
          races.flatMap(({ quote }, index) => {
            const rivals = [Effect.asVoid(pay(quote)), Effect.asVoid(abandon(quote, "expiry"))]
            return index % 2 === 0 ? rivals : rivals.reverse()
          })
        )
        for (const { accountId, quote } of races) {
          expect(yield* known(quote)).toMatchObject({ status: "paid", orderId: expect.any(String) })
          expect(yield* expectConsistentWallet(accountId)).toEqual({ balanceCents: 0, heldCents: 0 })
        }
      })
    )

    it.effect("a late payment against another order for the article: one gets the article, the other its money", () =>
      Effect.gen(function* () {
        const { accountId, quote, article } = yield* partlyCovered(expiredQuoteSettings)
        const rival = yield* buyer(500)
        const purchase = Effect.result(order(rival.caller, { items: [insertionInto(article)] }))
        const [bought, late] = yield* Effect.all([purchase, pay(quote)], { concurrency: "unbounded" })
        const paid = late.outcome === "settled"
        expect(Result.isSuccess(bought)).toBe(!paid)
        expect(yield* known(quote)).toMatchObject({
          status: paid ? "paid" : "abandoned",
          creditedCents: paid ? 0 : 300
        })
        expect(yield* expectConsistentWallet(accountId)).toEqual({ balanceCents: paid ? 0 : 500, heldCents: 0 })
        expect(yield* expectConsistentWallet(rival.account.accountId)).toEqual({
          balanceCents: paid ? 500 : 0,
          heldCents: 0
        })
      })
    )

    it.effect("top-ups while a hold is open and settles: both are exact", () =>
      Effect.gen(function* () {
        const { accountId, quote } = yield* partlyCovered()
        const deposits = times(20, () => Effect.asVoid(topUpAccount(accountId, 7)))
        yield* concurrently([...deposits.slice(0, 10), Effect.asVoid(pay(quote)), ...deposits.slice(10)])
        expect(yield* expectConsistentWallet(accountId)).toEqual({ balanceCents: 140, heldCents: 0 })
      })
    )

    it.effect("links and their order cancelled many times at once: every cent is recredited once", () =>
      Effect.gen(function* () {
        const { account, caller } = yield* buyer(1_500)
        const sites = yield* Effect.all(times(3, () => listSite()))
        const { order: placed, links } = yield* order(caller, { items: linksOn(...sites) })
        const orderId = placed?.orderId ?? OrderId.make("")
        const attempt = (index: number) => {
          const linkId = links[index % links.length]?.linkId ?? LinkId.make("")
          return concurrently([Effect.result(cancelLinkById(linkId)), Effect.result(cancelOrderById(orderId))])
        }
        yield* concurrently(times(10, attempt))
        const recredits = (yield* movements(account.accountId)).filter((one) => one.startsWith("recredit"))
        expect(recredits).toEqual(["recredit 500", "recredit 500", "recredit 500"])
        expect(yield* expectConsistentWallet(account.accountId)).toEqual({ balanceCents: 1_500, heldCents: 0 })
      })
    )
  })
