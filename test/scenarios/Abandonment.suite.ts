// Abandoning a quote: by its human, its agent or its expiry, on several instances over one store, at once and in any order. What it held
// and reserved is released exactly once.
import { Effect } from "effect"
import { expect } from "vitest"
import { find } from "#core/decisions/Books.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, movements, quotesOf } from "../core/BookReads.ts"
import { type Buyer, buyer, cart, freshKey, insertion, issueKey, item, order } from "./Buyers.ts"
import { definePromo, listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistent, expectConsistentBooks } from "./ConsistentBooks.ts"
import {
  BALANCE,
  call,
  type HttpResponse,
  OwnPage,
  placedBy,
  postOrder,
  press,
  QUOTES,
  refusalIn
} from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { whileSessionOpens } from "./QuoteSteps.ts"
import { RunningService, ServiceInstances } from "./RunningService.ts"
import { everyProcessor } from "./ScenarioSuite.ts"

/** An open quote that holds credit, an article and the last use of a code. */
const reserved = Effect.gen(function* () {
  const { siteId } = yield* listSite()
  const article = yield* listArticle(siteId)
  const promo = yield* definePromo({ maxRedemptions: 1 })
  const who = yield* buyer({ creditCents: 300 })
  const body = cart([item(siteId), insertion(article)], { promo_code: promo.code })
  const { quote_id, payment_url } = placedBy(yield* postOrder(who.key, body))
  return {
    who,
    body,
    article,
    promo,
    quoteId: quote_id ?? QuoteId.make(""),
    page: new URL((yield* OwnPage)(payment_url ?? "")).pathname
  }
})

type Reserved = Effect.Success<typeof reserved>

const expectAllBack = Effect.fnUntraced(function* ({ who, article, promo, quoteId, body }: Reserved) {
  const { books } = yield* RunningService
  const rival = yield* buyer({ creditCents: 900 })
  expect(movements(yield* books, who.accountId)).toEqual(["top_up 300", "hold 300", "release 300"])
  expect(find((yield* books).quotes, quoteId)?.status).toBe("abandoned")
  expect(find((yield* books).articles, article.articleId)?.sale).toEqual({ state: "free" })
  expect(find((yield* books).promos, promo.code)?.reservations).toEqual([])
  expect(yield* who.api.balance.getBalance()).toMatchObject({ available_cents: 300, held_cents: 0, holds: [] })
  expect(yield* order(rival, body.items, { promo_code: promo.code })).toMatchObject({ status: "paid" })
})

/** The same tasks, in another order each round. */
const inOrder = <A>(tasks: ReadonlyArray<A>, round: number): ReadonlyArray<A> => {
  const from = (round * 7) % tasks.length
  const turned = [...tasks.slice(from), ...tasks.slice(0, from)]
  return round % 2 === 0 ? turned : turned.reverse()
}

const ROUNDS = 15

const aDayLater = Effect.flatMap(MovableClock, ({ advance }) => advance("25 hours"))

const abandonPath = (quoteId: string): string => `${QUOTES}/${quoteId}/abandon`

const expectDoneOrClosed = (answer: HttpResponse, done: boolean): void => {
  if (answer.status === 200 && done) expect(JSON.parse(answer.text)).toMatchObject({ status: "abandoned" })
  else expect(refusalIn(answer)).toMatchObject({ code: "quote_not_open", status: 409 })
}

export const abandonmentSuite = everyProcessor("abandonment", {}, (it) => {
  it.effect(`${ROUNDS} times a human and an agent abandon at once on every instance: credit is released once`, () =>
    Effect.gen(function* () {
      const instances = yield* (yield* ServiceInstances).all
      for (let round = 0; round < ROUNDS; round++) {
        const quote = yield* reserved
        const agent = ({ url }: { readonly url: string }) =>
          call("POST", `${url}${abandonPath(quote.quoteId)}`, { key: quote.who.key })
        const human = ({ url }: { readonly url: string }) => press("abandon", `${url}${quote.page}`)
        const answers = yield* concurrently(inOrder([...instances.map(agent), ...instances.map(human)], round))
        for (const { status, text } of answers.filter(({ status }) => status !== 303))
          expect([status, JSON.parse(text).status], text).toEqual([200, "abandoned"])
        expect(answers.filter(({ status }) => status === 303).length).toBe(instances.length)
        yield* expectAllBack(quote)
      }
    })
  )

  it.effect(
    `${ROUNDS} times a quote expires while sweepers, reads, a human and an agent race: credit is released once`,
    () =>
      Effect.gen(function* () {
        const instances = yield* (yield* ServiceInstances).all
        const { advance } = yield* MovableClock
        for (let round = 0; round < ROUNDS; round++) {
          const quote = yield* reserved
          const { key } = quote.who
          yield* advance("24 hours")
          const tasks = instances.flatMap(({ url, sweep }) => [
            Effect.as(sweep(), null),
            call("GET", `${url}${QUOTES}/${quote.quoteId}`, { key }),
            call("GET", `${url}${BALANCE}`, { key }),
            call("GET", `${url}${quote.page}`),
            call("POST", `${url}${abandonPath(quote.quoteId)}`, { key }),
            press("abandon", `${url}${quote.page}`)
          ])
          const answers = (yield* concurrently(inOrder(tasks, round))).filter((answer) => answer !== null)
          expect(countEach(answers.map(({ status }) => status))).toEqual({
            200: 4 * instances.length,
            303: instances.length
          })
          for (const { text } of answers.filter(({ status }) => status === 200)) {
            if (text.startsWith("{")) {
              const { status = "abandoned", held_cents = 0 } = JSON.parse(text)
              expect([status, held_cents]).toEqual(["abandoned", 0])
            } else expect(text).toContain("This order was not placed")
          }
          yield* expectAllBack(quote)
        }
      })
  )

  it.effect("another key of the account does not abandon a quote; the key that made it, and its human, do", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const byAgent = yield* reserved
      const byHuman = yield* reserved
      const { key: sibling } = yield* issueKey(byAgent.who.accountId)
      const refused = refusalIn(yield* call("POST", abandonPath(byAgent.quoteId), { key: sibling }))
      expect(refused).toMatchObject({ code: "not_cancellable", status: 409, recovery: "human" })
      expect(refused.details).toEqual({ quote_id: byAgent.quoteId })
      expect(quotesOf(yield* books, byAgent.who).map(({ status }) => status)).toEqual(["awaiting_payment"])
      expectDoneOrClosed(yield* call("POST", abandonPath(byAgent.quoteId), { key: byAgent.who.key }), true)
      yield* press("abandon", byHuman.page)
      for (const quote of [byAgent, byHuman]) yield* expectAllBack(quote)
    })
  )

  const reads: Readonly<Record<string, (quote: Reserved) => Effect.Effect<unknown, unknown, RunningService>>> = {
    "its quote": ({ who, quoteId }) => who.api.quotes.getQuote({ params: { id: quoteId } }),
    "the balance": ({ who }) => who.api.balance.getBalance(),
    "the ledger": ({ who }) => who.api.balance.listLedger({ query: {} }),
    "the payment page": ({ page }) => call("GET", page)
  }
  for (const [what, read] of Object.entries(reads)) {
    it.effect(`an expired quote releases everything when ${what} is read`, () =>
      Effect.gen(function* () {
        const { advance } = yield* MovableClock
        const quote = yield* reserved
        yield* advance("24 hours")
        yield* read(quote)
        yield* expectAllBack(quote)
      })
    )
  }

  it.effect("another order gets what an expired quote had reserved, before a sweep", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const quote = yield* reserved
      const rival: Buyer = yield* buyer({ creditCents: 900 })
      const ask = postOrder(rival.key, quote.body)
      expect(refusalIn(yield* ask).code).toBe("article_unavailable")
      yield* advance("24 hours")
      expect(placedBy(yield* ask).status).toBe("paid")
    })
  )

  it.effect("credit that an expired quote held pays for the account's next order, before a sweep", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { who, body } = yield* reserved
      yield* advance("24 hours")
      expect(yield* order(who, body.items, { dry_run: true })).toMatchObject({ credit_applied_cents: 300 })
      expect(placedBy(yield* postOrder(who.key, body))).toMatchObject({ credit_applied_cents: 300 })
    })
  )

  for (const [by, giveUp] of [
    ["agent", (key: string, quoteId: string) => call("POST", abandonPath(quoteId), { key })],
    [
      "expiry",
      (key: string, quoteId: string) => Effect.andThen(aDayLater, call("GET", `${QUOTES}/${quoteId}`, { key }))
    ]
  ] as const) {
    it.effect(`abandoned by ${by} while its payment link is made: no response and no replay has the link`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { siteId } = yield* listSite()
        for (const idempotencyKey of [freshKey(), undefined]) {
          const who = yield* buyer({ creditCents: 200 })
          const send = postOrder(who.key, cart([item(siteId)]), idempotencyKey)
          const late = yield* whileSessionOpens(send, (quoteId) => giveUp(who.key, quoteId))
          const replays = idempotencyKey === undefined ? [] : [yield* send, yield* send]
          for (const answer of [late, ...replays]) {
            expect(refusalIn(answer)).toMatchObject({ code: "quote_not_open", details: { status: "abandoned" } })
          }
          expect(
            quotesOf(yield* books, who).map(({ abandonedBy, paymentUrl, sessionId }) => [
              abandonedBy,
              paymentUrl,
              sessionId
            ])
          ).toEqual([[by, null, null]])
          expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200", "release 200"])
        }
      })
    )
  }

  it.effect("the books are consistent", () => expectConsistentBooks)
})

export const sweeperSuite = everyProcessor(
  "the sweeper",
  { SWEEP_INTERVAL: "50 millis", QUOTE_TTL: "1 hour" },
  (it) => {
    it.effect("finds expired quotes by itself, in batches of any size", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { advance, nowMs } = yield* MovableClock
          const { books } = yield* RunningService
          const quotes = yield* Quotes
          const { siteId } = yield* listSite()
          const who = yield* buyer({ creditCents: 300 })
          yield* concurrently(times(450, () => postOrder(who.key, cart([item(siteId)]))))
          yield* advance("1 hour")
          const due = Effect.suspend(() => quotes.due({ nowMs: nowMs(), limit: 1 }))
          // Pauses leave the processors to the sweepers.
          yield* Effect.repeat(Effect.delay(due, "20 millis"), { until: (ids) => ids.length === 0 })
          expect(movements(yield* books, who.accountId)).toEqual(["top_up 300", "hold 300", "release 300"])
          expectConsistent(yield* books)
        })
      )
    )
  }
)
