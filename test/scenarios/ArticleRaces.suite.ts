// An article is sold once: of many accounts that order it at the same time one gets it, the others are refused and hold nothing.
import { Effect } from "effect"
import { expect } from "vitest"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, movements, quotesOf } from "../core/BookReads.ts"
import { buyer, cart, freshKey, insertion, item } from "./Buyers.ts"
import { listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { placedBy, postOrder, refusalIn } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const ROUNDS = 25

export const articleRacesSuite = scenarios("races for an article", { OPEN_ARTICLES_MAX: "0" }, (it) => {
  it.effect(
    `${ROUNDS} times two accounts race for one article: one gets it, the other gets 409 and its hold is released`,
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { siteId } = yield* listSite()
        const rivals = yield* Effect.all([buyer({ creditCents: 50_000 }), buyer({ creditCents: 100 })])
        const wins = [0, 0]
        for (let round = 0; round < ROUNDS; round++) {
          const body = cart([item(siteId), insertion(yield* listArticle(siteId))])
          const found = yield* books
          const before = rivals.map(({ accountId }) => movements(found, accountId))
          const inTurn = round % 2 === 0 ? rivals : rivals.toReversed()
          const answers = yield* concurrently(inTurn.map(({ key }) => postOrder(key, body, freshKey())))
          expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
          for (const [index, answer] of answers.entries()) {
            const nth = round % 2 === 0 ? index : 1 - index
            const { accountId } = rivals[nth] ?? (yield* Effect.die("two rivals"))
            if (answer.status === 201) wins[nth] = (wins[nth] ?? 0) + 1
            else {
              expect(refusalIn(answer)).toMatchObject({ code: "article_unavailable", param: "items[1].article_id" })
              expect(movements(yield* books, accountId)).toEqual(before[nth])
            }
          }
        }
        expect(wins.reduce((a, b) => a + b)).toBe(ROUNDS)
        const left = yield* books
        expect(rivals.map((who) => quotesOf(left, who).length)).toEqual(wins)
      })
  )

  it.effect("40 accounts order the same two articles, in either order: one account gets both", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const pair = [insertion(yield* listArticle(siteId)), insertion(yield* listArticle(siteId))]
      const rivals = yield* Effect.all(times(40, (nth) => buyer({ creditCents: nth % 3 === 0 ? 1_000 : 100 })))
      const answers = yield* concurrently(
        rivals.map(({ key }, nth) => postOrder(key, cart(nth % 2 === 0 ? pair : pair.toReversed())))
      )
      expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 39 })
      const left = yield* books
      const loserHolds = rivals.filter((who, nth) => answers[nth]?.status === 409 && quotesOf(left, who).length > 0)
      expect(loserHolds).toEqual([])
    })
  )

  it.effect("abandoned by the winner, the article is listed again, and the other account can order it", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const article = yield* listArticle(siteId)
      const [winner, loser] = yield* Effect.all([buyer({ creditCents: 100 }), buyer({ creditCents: 500 })])
      const { quote_id } = placedBy(yield* postOrder(winner.key, cart([insertion(article)])))
      const listed = Effect.map(
        loser.api.catalog.listArticles({ params: { id: siteId }, query: {} }),
        ({ count }) => count
      )
      expect(yield* listed).toBe(0)
      expect(refusalIn(yield* postOrder(loser.key, cart([insertion(article)]))).code).toBe("article_unavailable")
      yield* winner.api.quotes.abandonQuote({ params: { id: quote_id ?? QuoteId.make("") } })
      expect(yield* listed).toBe(1)
      expect(placedBy(yield* postOrder(loser.key, cart([insertion(article)]))).status).toBe("paid")
      expect(yield* listed).toBe(0)
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
