// Amounts that a card cannot be charged: less credit is used so that the card pays its minimum, and what cannot be paid is refused.
import { Effect } from "effect"
import { expect } from "vitest"
import { buyer, cart, insertion } from "./Buyers.ts"
import { definePromo, listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistent } from "./ConsistentBooks.ts"
import { placedBy, postOrder, refusalIn } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/** Price and credit in cents, and how the price is paid; `null` if it cannot be. The core tests all other splits. */
const CASES: ReadonlyArray<
  readonly [price: number, credit: number, split: readonly [credit: number, card: number] | null]
> = [
  [500, 500, [500, 0]],
  [500, 499, [450, 50]],
  [49, 49, [49, 0]],
  [49, 48, null]
]

export const cardAmountsSuite = scenarios("card amounts", {}, (it) => {
  for (const [priceCents, creditCents, split] of CASES) {
    const end = split === null ? "409 amount_below_minimum" : `${split[0]} by credit, ${split[1]} by card`
    it.effect(`${priceCents} cents with ${creditCents} of credit: ${end}`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { siteId } = yield* listSite()
        const article = yield* listArticle(siteId, { priceCents })
        const { key, api } = yield* buyer({ creditCents })
        const before = yield* books
        const answer = yield* postOrder(key, cart([insertion(article)]))
        if (split === null) {
          expect(refusalIn(answer)).toMatchObject({
            code: "amount_below_minimum",
            status: 409,
            details: { total_cents: priceCents, available_cents: creditCents, minimum_cents: 50 }
          })
          expect(yield* books).toBe(before)
        } else {
          const { credit_applied_cents, card_amount_cents, status, payment_url } = placedBy(answer)
          expect([credit_applied_cents, card_amount_cents]).toEqual(split)
          expect([status, payment_url === null]).toEqual(split[1] === 0 ? ["paid", true] : ["awaiting_payment", false])
          expect((yield* api.balance.getBalance()).held_cents).toBe(split[1] === 0 ? 0 : split[0])
        }
      })
    )
  }

  it.effect("more than the processor charges at once is refused, in a dry run too, unless credit brings it down", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const priceCents = 100_000_000
      const article = yield* listArticle((yield* listSite()).siteId, { priceCents })
      const { key } = yield* buyer()
      const rich = yield* buyer({ creditCents: 1 })
      const before = yield* books
      for (const dry_run of [true, false]) {
        expect(refusalIn(yield* postOrder(key, cart([insertion(article)], { dry_run })))).toMatchObject({
          code: "price_above_limit",
          status: 409,
          retryable: false,
          recovery: "correct",
          details: { total_cents: priceCents, available_cents: 0, maximum_cents: 99_999_999 }
        })
      }
      expect(yield* books).toBe(before)
      const answer = placedBy(yield* postOrder(rich.key, cart([insertion(article)])))
      expect([answer.status, answer.card_amount_cents]).toEqual(["awaiting_payment", 99_999_999])
    })
  )

  it.effect("a net total of zero is an order at once, without payment", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const { code: promo_code } = yield* definePromo({ reduction: { kind: "percent", basisPoints: 10_000 } })
      const { key, api } = yield* buyer()
      const answer = placedBy(yield* postOrder(key, cart([insertion(yield* listArticle(siteId))], { promo_code })))
      expect(answer).toMatchObject({
        status: "paid",
        total_eur: 0,
        credit_applied_cents: 0,
        card_amount_cents: 0,
        payment_url: null
      })
      expect((yield* api.balance.listLedger({ query: {} })).entries).toEqual([])
      expectConsistent(yield* books)
    })
  )
})
