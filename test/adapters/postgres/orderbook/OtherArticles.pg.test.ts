// Each article is a separate row: an order that writes one does not make orders for others wait.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { buyer, insertionInto, listArticle, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { sharedDatabase, whileBlocked } from "../OtherSession.ts"

layer(sharedDatabase, { excludeTestServices: true })("an order for an article that another session writes", (it) => {
  it.effect("waits for it, but orders for other articles of the same site do not", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const [article, ...others] = yield* Effect.all(times(3, () => listArticle(siteId)))
      if (article === undefined) return yield* Effect.die("three articles")
      const [waiting, poor, rich] = yield* Effect.all([buyer(), buyer(), buyer(100_000)])
      const written = "UPDATE articles SET version = version || ' of another session' WHERE article_id = $1"
      const [blocked, placed] = yield* whileBlocked(
        [written, article.articleId],
        order(waiting.caller, { items: [insertionInto(article)] }),
        Effect.all(
          [poor, rich].map(({ caller }, nth) =>
            order(caller, { items: others.slice(nth, nth + 1).map(insertionInto) })
          ),
          { concurrency: "unbounded" }
        )
      )
      expect(placed.map(({ quote }) => quote.status)).toEqual(["awaiting_payment", "paid"])
      expect(blocked.quote.status).toBe("awaiting_payment")
    })
  )
})
