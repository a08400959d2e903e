// An outage in the middle of an import: repeating the command completes it, and articles sold in between stay sold.
import { layer } from "@effect/vitest"
import { Effect, HashMap } from "effect"
import { expect } from "vitest"
import { MAX_ROWS } from "#adapters/operator/calls/CatalogueCalls.ts"
import type { Books } from "#core/decisions/Books.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { buyer, cart, insertion } from "#test/scenarios/Buyers.ts"
import { type Fault, OrderBookFaults } from "#test/scenarios/FaultyOrderBook.ts"
import { placedBy, postOrder, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { articlesCsv, sitesCsv } from "./ImportFiles.ts"
import { file, refusal, succeed } from "./RunCommand.ts"

const TRIES = 4

const books = Effect.flatMap(RunningService, ({ books }) => books)

/** Sites and articles without the time of their last update. */
const goodsIn = ({ sites, articles }: Books) => ({
  sites: new Map(HashMap.map(sites, ({ updatedAtMs: _, ...site }) => site)),
  articles: new Map(articles)
})

/** Articles for two batches. */
const articlesFrom = (first: number) =>
  articlesCsv(Array.from({ length: 2 * MAX_ROWS }, (_, index) => [first + index, 1] as const))

/** How the second batch fails: before it is written, or with only its response lost. */
const losses: ReadonlyArray<readonly [how: string, fates: ReadonlyArray<Fault>, firstArticle: number]> = [
  ["the store goes away", Array.from({ length: TRIES }, () => "is refused"), 20_000],
  ["the answer is lost, again and again", Array.from({ length: TRIES }, () => "loses its answer"), 30_000]
]

layer(operatorService(), { excludeTestServices: true })("an interrupted import", (it) => {
  for (const [how, fates, firstArticle] of losses) {
    it.effect(`is completed by the same command, where ${how}`, () =>
      Effect.gen(function* () {
        yield* succeed("import", "sites", yield* file("sites.csv", sitesCsv(1, 3)))
        const path = yield* file("articles.csv", articlesFrom(firstArticle))
        // Both batches are judged, and one is written.
        yield* (yield* OrderBookFaults).injectFaults("passes", "passes", "passes", ...fates)
        expect(yield* refusal("import", "articles", path)).toContain(`Unknown: lines ${MAX_ROWS + 2} to`)

        const bought = firstArticle + 7
        const { key } = yield* buyer({ creditCents: 10_000 })
        const sale = cart([insertion({ siteId: 1, articleId: bought })])
        expect(placedBy(yield* postOrder(key, sale)).order_status).toBe("paid")

        yield* succeed("import", "articles", path)
        const repaired = goodsIn(yield* books)
        expect(
          [...repaired.articles.keys()].filter((id) => id >= firstArticle && id < firstArticle + 2 * MAX_ROWS)
        ).toHaveLength(2 * MAX_ROWS)
        expect(repaired.articles.get(bought)?.sale.state).toBe("sold")
        expect(refusalIn(yield* postOrder(key, sale)).code).toBe("article_unavailable")

        // A further repetition changes nothing.
        yield* succeed("import", "articles", path)
        expect(goodsIn(yield* books)).toEqual(repaired)
      })
    )
  }
})
