// The idempotency key of an order belongs to the account and mode: whichever key of the account sends the same order again, it is one order.
import { Effect } from "effect"
import { expect } from "vitest"
import { find } from "#core/decisions/Books.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, quotesOf } from "../core/BookReads.ts"
import { type Buyer, buyer, by, cart, freshKey, issueKey, item, quoteOf } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { isReplay, placedBy, postOrder, refusalIn } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const COPIES = 100

export const accountIdempotencySuite = scenarios("idempotency keys of an account", {}, (it) => {
  for (const creditCents of [1_000_000, 0]) {
    it.effect(
      `${COPIES} twins by three keys of one account, with ${creditCents} cents: one quote, and one answer`,
      () =>
        Effect.gen(function* () {
          const { books } = yield* RunningService
          const { siteId } = yield* listSite()
          const first = yield* buyer({ creditCents })
          const keys = [first, yield* issueKey(first.accountId), yield* issueKey(first.accountId)]
          const stranger = yield* buyer({ creditCents: 1_000_000 })
          const body = cart([item(siteId)])
          for (const idempotencyKey of times(3, freshKey)) {
            const before = yield* books
            const made = () => Effect.map(books, (now) => keys.flatMap((who) => quotesOf(now, who)).length)
            const had = keys.flatMap((who) => quotesOf(before, who)).length
            const [answers, foreign] = yield* Effect.all(
              [
                concurrently(times(COPIES, (nth) => postOrder(keys[nth % 3]?.key ?? "", body, idempotencyKey))),
                postOrder(stranger.key, body, idempotencyKey)
              ],
              { concurrency: 2 }
            )
            expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: COPIES })
            expect(answers.filter(isReplay).length).toBe(COPIES - 1)
            expect(yield* made()).toBe(had + 1)
            const orders = answers.map(placedBy)
            expect(new Set(orders.map(({ quote_id }) => quote_id)).size).toBe(1)
            const others = orders.filter(({ warnings }) =>
              warnings.some(({ code }) => code === "placed_by_other_credential")
            )
            expect(new Set(orders.map((one) => JSON.stringify({ ...one, warnings: [] }))).size).toBe(1)
            expect([66, 67]).toContain(others.length)
            expect([isReplay(foreign), foreign.status]).toEqual([false, 201])
          }
        })
    )
  }

  it.effect(
    "another key of the account gets the same answer, and for another body a refusal with the first one's name",
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { siteId } = yield* listSite()
        const { siteId: other } = yield* listSite()
        for (const creditCents of [10_000, 0]) {
          const who = yield* buyer({ creditCents })
          const second = yield* issueKey(who.accountId)
          const idempotencyKey = freshKey()
          const body = cart([item(siteId)])
          const first = yield* postOrder(who.key, body, idempotencyKey)
          const { quote_id } = placedBy(first)
          const before = yield* books
          const again = yield* postOrder(second.key, body, idempotencyKey)
          expect([again.status, isReplay(again)]).toEqual([first.status, true])
          const { warnings, ...rest } = placedBy(again)
          const { warnings: had, ...same } = placedBy(first)
          expect(rest).toEqual(same)
          const label = find((yield* books).keys, who.keyId)?.label
          const message = expect.stringContaining(`"${label}", a key of this account, placed`)
          expect(warnings).toEqual([...had, { code: "placed_by_other_credential", message }])
          expect((yield* postOrder(who.key, body, idempotencyKey)).text).toBe(first.text)
          const refused = refusalIn(yield* postOrder(second.key, cart([item(other)]), idempotencyKey))
          expect(refused).toMatchObject({ code: "idempotency_key_reused", status: 422, details: { quote_id } })
          expect(refused.message).toContain(`by "${label}", a key of this account`)
          expect(yield* books).toBe(before)
          expect((yield* second.api.balance.getBalance()).orders_today.used).toBe(0)
          expect((yield* quoteOf(second, idempotencyKey)).quote_id).toBe(quote_id)
        }
      })
  )

  it.effect("a key is revoked after its answer was lost: the next one finds the order, and does not buy again", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 10_000 })
      const idempotencyKey = freshKey()
      const { quote_id } = placedBy(yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey))
      yield* (yield* Credentials).revoke(who.keyId, by)
      expect(refusalIn(yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey)).code).toBe("revoked_api_key")
      const next = yield* issueKey(who.accountId)
      const found = yield* quoteOf(next, idempotencyKey)
      expect(found).toMatchObject({ quote_id, paid: true })
      expect(placedBy(yield* postOrder(next.key, cart([item(siteId)]), idempotencyKey)).quote_id).toBe(quote_id)
      expect(quotesOf(yield* books, next).length).toBe(0)
      expect(quotesOf(yield* books, who).length).toBe(1)
    })
  )

  it.effect("where no quote has the key, the answer says whether the order may be sent", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 500 })
      const reader = yield* issueKey(who.accountId, { scopes: ["read"] })
      const test = yield* issueKey(who.accountId, { mode: "sandbox" })
      const query = { idempotency_key: freshKey() }
      const asked = (one: Buyer) => Effect.flip(one.api.quotes.findQuote({ query }))
      expect(yield* asked(who)).toMatchObject({
        error: { details: { order_again: "once" }, suggestion: expect.stringContaining("it will not buy twice") }
      })
      for (const [one, order_again] of [
        [reader, "forbidden"],
        [test, "again"]
      ] as const) {
        const suggestion = expect.not.stringContaining("not buy twice")
        expect(yield* asked(one)).toMatchObject({
          error: { code: "quote_not_found", details: { order_again }, suggestion }
        })
      }
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
