// An account without credit cannot take all articles, or all uses of a limited code, from the others with quotes that it never pays.
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { buyer, cart, freshKey, insertion, issueKey, item, order, topUp } from "./Buyers.ts"
import { definePromo, listArticle, listArticles, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, placedBy, postOrder, QUOTES, refusalIn } from "./HttpCalls.ts"
import { scenarios } from "./ScenarioSuite.ts"

const MAX = { OPEN_ARTICLES_MAX: "6", OPEN_CODE_USES_MAX: "2", DAILY_ORDER_CAP: "0" }

const decodeDetails = Schema.decodeUnknownSync(
  Schema.Struct({
    open: Schema.Array(
      Schema.Struct({
        quote_id: Schema.String,
        expires_at: Schema.String,
        article_ids: Schema.optionalKey(Schema.Array(Schema.Int)),
        promo_code: Schema.optionalKey(Schema.String)
      })
    )
  })
)

const openIn = (details: unknown) => decodeDetails(details).open

const stockOf = (count: number) =>
  Effect.gen(function* () {
    const { siteId } = yield* listSite()
    return yield* listArticles(times(count, () => ({ siteId, priceCents: null })))
  })

/** An account with this credit and three keys. */
const keysOfOne = (creditCents: number) =>
  Effect.gen(function* () {
    const first = yield* buyer({ creditCents })
    const others = yield* Effect.all(times(2, () => issueKey(first.accountId)))
    return { who: first, keys: [first, ...others].map(({ key }) => key) }
  })

/** Tries every key, because the key that made the quote is not known. */
const abandon = Effect.fnUntraced(function* (keys: ReadonlyArray<string>, quoteId: string | null | undefined) {
  const answers = yield* Effect.forEach(keys, (key) => call("POST", `${QUOTES}/${quoteId}/abandon`, { key }))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
})

export const openReservationsSuite = scenarios("what open quotes may reserve", MAX, (it) => {
  for (const [kind, creditCents] of Object.entries({ "no credit": 0, "some credit": 700 })) {
    it.effect(
      `40 orders for articles race over three keys of one account with ${kind}: six articles are reserved`,
      () =>
        Effect.gen(function* () {
          const articles = yield* stockOf(40)
          const { who, keys } = yield* keysOfOne(creditCents)
          const answers = yield* concurrently(
            articles.map((one, nth) => postOrder(keys[nth % 3] ?? "", cart([insertion(one)]), freshKey()))
          )
          const placed = answers.filter(({ status }) => status === 201).map(placedBy)
          const open = placed.filter(({ status }) => status === "awaiting_payment").map(({ quote_id }) => quote_id)
          expect(open).toHaveLength(6)
          expect(countEach(answers.map(({ status }) => status))).toEqual({
            201: placed.length,
            409: 40 - placed.length
          })
          for (const answer of answers.filter(({ status }) => status === 409)) {
            const { code, recovery, details } = refusalIn(answer)
            expect({ code, recovery }).toEqual({ code: "too_many_reservations", recovery: "correct" })
            expect(details).toMatchObject({ limit: 6, reserved: 6, requested: 1 })
            const held = openIn(details)
            expect(held.map(({ quote_id }) => quote_id).sort()).toEqual(open.toSorted())
            expect(held.flatMap(({ article_ids = [] }) => article_ids)).toHaveLength(6)
          }
          const stranger = yield* buyer()
          const left = articles.filter((_, nth) => answers[nth]?.status === 409).slice(0, 6)
          expect(placedBy(yield* postOrder(stranger.key, cart(left.map(insertion)))).status).toBe("awaiting_payment")
          yield* abandon(keys, open[0])
          const freed = yield* listArticle(articles[0]?.siteId ?? 0)
          expect((yield* postOrder(who.key, cart([insertion(freed)]))).status).toBe(201)
          expect((yield* postOrder(who.key, cart([insertion(yield* listArticle(freed.siteId))]))).status).toBe(409)
        })
    )
  }

  it.effect("30 orders with a limited code race over three keys of one account: two uses are reserved", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { code: promo_code } = yield* definePromo({ maxRedemptions: 25 })
      const { who, keys } = yield* keysOfOne(0)
      const answers = yield* concurrently(
        times(30, (nth) => postOrder(keys[nth % 3] ?? "", cart([item(siteId)], { promo_code }), freshKey()))
      )
      expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: 2, 409: 28 })
      const quotes = answers.filter(({ status }) => status === 201).map(placedBy)
      for (const answer of answers.filter(({ status }) => status === 409)) {
        const { code, param, details } = refusalIn(answer)
        expect({ code, param }).toEqual({ code: "too_many_reservations", param: "promo_code" })
        const held = openIn(details)
        expect(held.map((one) => one.quote_id).sort()).toEqual(
          quotes.map(({ quote_id }) => quote_id ?? QuoteId.make("")).sort()
        )
        expect(held.map((one) => one.promo_code)).toEqual([promo_code, promo_code])
      }
      const others = yield* Effect.all(times(23, () => buyer()))
      const theirs = yield* concurrently(others.map(({ key }) => postOrder(key, cart([item(siteId)], { promo_code }))))
      expect(countEach(theirs.map(({ status }) => status))).toEqual({ 201: 23 })
      yield* topUp(who.accountId, 10_000)
      yield* abandon(keys, quotes[0]?.quote_id)
      const paid = placedBy(yield* postOrder(who.key, cart([item(siteId)], { promo_code })))
      expect(paid.status).toBe("paid")
    })
  )

  it.effect("orders paid from credit, sandbox orders and replays are free of it; a dry run says it", () =>
    Effect.gen(function* () {
      const articles = yield* stockOf(30)
      const who = yield* buyer()
      const idempotencyKey = freshKey()
      const full = cart(articles.slice(0, 6).map(insertion))
      const { quote_id } = placedBy(yield* postOrder(who.key, full, idempotencyKey))
      const more = [insertion(articles[6] ?? { siteId: 0, articleId: 0 })]
      expect(refusalIn(yield* postOrder(who.key, cart(more, { dry_run: true }))).code).toBe("too_many_reservations")
      expect(placedBy(yield* postOrder(who.key, full, idempotencyKey)).quote_id).toBe(quote_id)
      const sandbox = yield* issueKey(who.accountId, { mode: "sandbox" })
      expect((yield* postOrder(sandbox.key, cart(articles.slice(6, 20).map(insertion)))).status).toBe(201)
      yield* topUp(who.accountId, 100_000)
      const paid = yield* order(who, articles.slice(6, 26).map(insertion))
      expect(paid.status).toBe("paid")
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
