// Greedy accounts that search and order as fast as they can, beside one that buys now and then.
import { Effect, Fiber } from "effect"
import { expect } from "vitest"
import { concurrently, times } from "#test/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { buyer, cart, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, postOrder } from "./HttpCalls.ts"
import { scenarios } from "./ScenarioSuite.ts"

const NO_RATES = { RATE_LIMIT_READS: "0", RATE_LIMIT_ORDERS: "0" }

/** A filter of its own for each search, so that none shares the work of another. */
const search = (key: string, nth: number) =>
  call("GET", `/api/v1/agent/catalog?min_traffic=${nth}&sort=-traffic`, { key })

export const neighboursSuite = scenarios("neighbours", NO_RATES, (it) => {
  it.effect("beside five greedy accounts, each order and search of a bystander is answered", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const order = (key: string, nth: number) =>
        postOrder(key, cart([item(siteId, { target_url: `https://brand.example/${nth}` })]))
      const bystander = yield* buyer({ creditCents: 10_000 })
      const greedy = yield* Effect.all(times(5, () => buyer({ creditCents: 10_000 })))
      const crowd = yield* Effect.forkChild(
        concurrently(
          greedy.flatMap(({ key }, account) => [
            ...times(100, (nth) => search(key, account * 100 + nth)),
            ...times(15, (nth) => order(key, nth))
          ])
        ),
        { startImmediately: true }
      )
      const answers = []
      for (let nth = 0; nth < 10; nth++) {
        answers.push(yield* order(bystander.key, nth), yield* search(bystander.key, nth))
      }
      expect(countEach(answers.map(({ status }) => status))).toEqual({ 200: 10, 201: 10 })
      const others = countEach((yield* Fiber.join(crowd)).map(({ status }) => status))
      expect(others).toMatchObject({ 201: 75 })
      yield* expectConsistentBooks
    })
  )
})
