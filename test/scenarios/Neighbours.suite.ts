// Greedy accounts that search and order as fast as they can, beside one that buys now and then.
import { Deferred, Effect, Exit, Fiber } from "effect"
import { expect } from "vitest"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { buyer, cart, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, postOrder } from "./HttpCalls.ts"
import { scenarios } from "./ScenarioSuite.ts"

const NO_RATES = { RATE_LIMIT_READS: "0", RATE_LIMIT_ORDERS: "0" }

/** On each instance: those whose turn had come before, and those that start in the turns of the event loop that a search takes. */
const FEW = 80
const INSTANCES_MAX = 3

/** Each search has its own filter, so that none shares the work of another. */
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

  it.effect("of a greedy account's 500 searches, few are answered while another account waits for one", () =>
    Effect.gen(function* () {
      yield* listSite()
      const bystander = yield* buyer()
      const greedy = yield* buyer()
      const burst = (from: number, onAnswer = () => {}) =>
        concurrently(
          times(500, (nth) =>
            Effect.map(search(greedy.key, from + nth), ({ status }) => {
              onAnswer()
              return status
            })
          )
        )
      // Both keys are known from here on, and the next burst finds its connections open.
      yield* concurrently([search(bystander.key, 0), burst(0)])
      let answered = 0
      const begun = yield* Deferred.make<void>()
      const onAnswer = () => {
        answered++
        Deferred.doneUnsafe(begun, Exit.void)
      }
      const crowd = yield* Effect.forkChild(burst(500, onAnswer), { startImmediately: true })
      yield* Deferred.await(begun)
      const before = answered
      expect((yield* search(bystander.key, 1)).status).toBe(200)
      expect(answered - before).toBeLessThan(FEW * INSTANCES_MAX)
      // On a busy machine the last ones wait too long.
      const { 200: served = 0, 503: refused = 0 } = countEach((yield* Fiber.join(crowd)).map(String))
      expect(served + refused).toBe(500)
    })
  )
})
