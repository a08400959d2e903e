// Everything at once, on every instance: agents that repeat requests, humans who pay and abandon, an operator who cancels, sweepers, and
// days that pass. No request meets a fault, copies get the same response, and the books are consistent in the end.
import { Effect } from "effect"
import { expect } from "vitest"
import { QuoteStatus } from "#adapters/contract/ordering/Quotes.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { planFrom } from "#test/Property.ts"
import { type SeededRandom, seededRandom } from "#test/programs/kills/SeededRandom.ts"
import { countEach, inOrder } from "../core/BookReads.ts"
import { buyer, by, cart, freshKey, insertion, issueKey, item, topUp } from "./Buyers.ts"
import { definePromo, listArticles, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { BALANCE, call, type HttpResponse, placedBy, postOrder, press, QUOTES, read } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const PURCHASES = 300
const AT_ONCE = 24
const PURCHASES_A_DAY = 40

/** A small catalogue, so that many order the same. */
const testData = Effect.gen(function* () {
  const sites = yield* Effect.all([listSite(), listSite({ shelf: "Corail" }), listSite({ shelf: "Nautilus" })])
  const articles = yield* listArticles(sites.flatMap(({ siteId }) => times(20, () => ({ siteId, priceCents: 700 }))))
  const half = { kind: "percent", basisPoints: 5_000 } as const
  const promos = yield* Effect.all([
    definePromo({ reduction: half, maxRedemptions: 5 }),
    definePromo({ reduction: half, oncePerAccount: true }),
    definePromo()
  ])
  const buyers = yield* Effect.all(times(6, (nth) => buyer({ creditCents: nth * 2_000 })))
  const others = yield* Effect.all(buyers.map(({ accountId }) => issueKey(accountId)))
  const tests = yield* Effect.all(buyers.map(({ accountId }) => issueKey(accountId, { mode: "sandbox" })))
  return {
    news: sites.map(({ siteId }) => item(siteId)),
    insertions: articles.map(insertion),
    codes: promos.map(({ code }) => code),
    buyers: [...buyers, ...others, ...tests]
  }
})

type TestData = Effect.Success<typeof testData>

const oneOf = <A>(random: SeededRandom, [first, ...rest]: ReadonlyArray<A>): A => {
  if (first === undefined) throw new Error("there is nothing to pick from")
  return random.pick([first, ...rest])
}

/** A cart of one to three items, no article twice. */
const someCart = ({ news, insertions, codes }: TestData, random: SeededRandom) => {
  const thing = () => oneOf(random, random.chance(0.3) ? insertions : news)
  const items = [...new Set(times(1 + random.below(3), thing))]
  return cart(items, random.chance(0.3) ? { promo_code: oneOf(random, codes) } : {})
}

/** What can happen to an open quote. Each may happen twice, and two at once. */
const ends = (key: string, quoteId: QuoteId, paymentUrl: string) => [
  press("pay", paymentUrl),
  press("pay", paymentUrl),
  press("abandon", paymentUrl),
  call("POST", `${QUOTES}/${quoteId}/abandon`, { key }),
  call("GET", `${QUOTES}/${quoteId}`, { key }),
  call("GET", BALANCE, { key })
]

const expectNoFault = (answers: ReadonlyArray<HttpResponse>): void => {
  for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
}

/** One purchase from the first request to its end. */
const life = Effect.fnUntraced(function* (testData: TestData, random: SeededRandom) {
  const { cancelOrder } = yield* FulfilLinks
  const { key, accountId } = oneOf(random, testData.buyers)
  const body = someCart(testData, random)
  const idempotencyKey = freshKey()
  const answers = yield* concurrently(times(1 + random.below(3), () => postOrder(key, body, idempotencyKey)))
  expectNoFault(answers)
  const [placed, ...copies] = answers.filter(({ status }) => status === 201)
  if (placed === undefined) return
  for (const { text } of copies) expect(text).toBe(placed.text)
  const { quote_id, payment_url } = placedBy(placed)
  if (payment_url !== null) {
    const possible = ends(key, quote_id ?? QuoteId.make(""), payment_url)
    expectNoFault(yield* concurrently(times(random.below(4), () => oneOf(random, possible))))
  }
  if (random.chance(0.2)) yield* topUp(accountId, 1 + random.below(900))
  const { order_id } = yield* read(QuoteStatus, key, `${QUOTES}/${quote_id}`)
  // The operator has no sandbox orders, and a cancelled order cannot be cancelled again.
  if (order_id !== null && random.chance(0.3)) yield* Effect.result(cancelOrder(order_id, "as a test", by))
  // A human returns to an old browser tab.
  if (payment_url !== null && random.chance(0.3)) expectNoFault([yield* press("pay", payment_url)])
})

/** Quotes expire while they are paid, and every instance sweeps. */
const nextDay = Effect.gen(function* () {
  const { advance } = yield* MovableClock
  const { all } = yield* ServiceInstances
  yield* advance("24 hours")
  yield* concurrently((yield* all).map(({ sweep }) => sweep()))
})

const env = { WELCOME_OFFER_PERCENT: "20", DAILY_ORDER_CAP: "12" }

export const mixedLoadSuite = scenarios("mixed load", env, (it) => {
  it.effect(
    `${PURCHASES} purchases, ${AT_ONCE} at once, while days go by: no fault, and the books are consistent`,
    () =>
      Effect.gen(function* () {
        const { seed } = planFrom(process.env)
        console.log(`random choices: seed ${seed} (PROPERTY_SEED=${seed} repeats them)`)
        const random = seededRandom(seed)
        const there = yield* testData
        const purchases = times(PURCHASES, (nth) => ({ nth, random: random.fork() }))
        yield* Effect.forEach(
          purchases,
          ({ nth, random }) =>
            Effect.gen(function* () {
              yield* life(there, random)
              if (nth % PURCHASES_A_DAY === PURCHASES_A_DAY - 1) yield* nextDay
            }),
          { concurrency: AT_ONCE, discard: true }
        )
        yield* expectConsistentBooks
        const { books } = yield* RunningService
        const came = countEach(inOrder((yield* books).quotes).map(({ mode, status }) => `${mode} ${status}`))
        // Every outcome occurred, and the important ones more than a few times.
        expect(came).toMatchObject({ "sandbox paid": expect.any(Number), "sandbox abandoned": expect.any(Number) })
        expect(Math.min(came["live paid"] ?? 0, came["live abandoned"] ?? 0)).toBeGreaterThan(PURCHASES / 20)
      })
  )
})
