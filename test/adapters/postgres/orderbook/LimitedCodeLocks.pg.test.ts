// A limited promotion is locked last: many orders write its row, so each holds it only until its commit, and orders and listings that
// write the same articles never wait for one another in a circle.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import {
  buyer,
  definePromo,
  insertionInto,
  listArticle,
  listSite,
  order,
  submitOrder
} from "#test/core/ports/ShopSetup.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { otherSession, sharedDatabase, whileBlocked } from "../OtherSession.ts"

layer(sharedDatabase, { excludeTestServices: true })("an order with a code", (it) => {
  it.effect("that is limited has locked all other rows when it waits for it", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const article = yield* listArticle(siteId)
      const { code } = yield* definePromo({ maxRedemptions: 2 })
      const { caller } = yield* buyer()
      const isFree = Effect.gen(function* () {
        const session = yield* otherSession
        const free = "SELECT FROM articles WHERE article_id = $1 FOR NO KEY UPDATE SKIP LOCKED"
        return (yield* session.query(free, [article.articleId], false)).rows.length > 0
      })
      const [placed, free] = yield* whileBlocked(
        ["SELECT FROM promos WHERE code = $1 FOR NO KEY UPDATE", code],
        order(caller, { items: [insertionInto(article)], promoCode: code }),
        isFree
      )
      expect(placed.quote.status).toBe("awaiting_payment")
      expect(free).toBe(false)
    })
  )

  it.effect("that is not limited yet waits for a change of the code, which would not count its use", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const article = yield* listArticle(siteId)
      const { code } = yield* definePromo()
      const { caller } = yield* buyer()
      const [placed] = yield* whileBlocked(
        ["SELECT FROM promos WHERE code = $1 FOR UPDATE", code],
        order(caller, { items: [insertionInto(article)], promoCode: code }),
        Effect.void
      )
      expect(placed.quote.status).toBe("awaiting_payment")
    })
  )

  it.effect("never waits in a circle with changes of the code and of the article", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const articles = yield* Effect.all(times(6, () => listArticle(siteId)))
      const { code } = yield* definePromo({ maxRedemptions: 100 })
      const buyers = yield* Effect.all(times(6, () => buyer(100_000)))
      const orders = articles.flatMap((article) =>
        buyers.map(({ caller }) =>
          Effect.result(submitOrder(caller, { items: [insertionInto(article)], promoCode: code }))
        )
      )
      const changes = times(20, (nth) => definePromo({ code, maxRedemptions: 100 + nth }))
      const placed = yield* concurrently([...orders, ...changes])
      const session = yield* otherSession
      const { rows } = yield* session.query(
        "SELECT deadlocks::int, (SELECT redeemed::int FROM promos WHERE code = $1) AS redeemed FROM pg_stat_database WHERE datname = current_database()",
        [code]
      )
      expect(placed.length).toBe(orders.length + changes.length)
      expect(rows).toEqual([{ deadlocks: 0, redeemed: articles.length }])
    })
  )
})
