// The daily cap on orders: exactly as many quotes per key and UTC day as it allows, under any concurrency, and a new count at midnight.
import { Effect } from "effect"
import { expect } from "vitest"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, quotesOf } from "../core/BookReads.ts"
import { type Buyer, buyer, by, cart, freshKey, issueKey, item, order } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { placedBy, postOrder, pricedBy, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const CAP = 20

const DAY_MS = 86_400_000

/** `2027-06-01`. */
const dateOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, "2027-06-01".length)

/** The midnight that ends the day: `2027-06-02T00:00:00.000Z`. */
const endOf = (date: string): string => new Date(Date.parse(date) + DAY_MS).toISOString()

/** Sets the clock to `leftMs` before the next midnight. */
const untilMidnight = (leftMs: number) =>
  Effect.flatMap(MovableClock, ({ advance, nowMs }) => advance(Date.parse(endOf(dateOf(nowMs()))) - nowMs() - leftMs))

/** The orders counted today, as its agent reads them. */
const used = ({ api }: Buyer) => Effect.map(api.balance.getBalance(), ({ orders_today }) => orders_today.used)

export const dailyCapSuite = scenarios("the daily cap", { DAILY_ORDER_CAP: String(CAP) }, (it) => {
  for (const [kind, wish] of Object.entries({
    "credit covers": { creditCents: 1_000_000 },
    "a human pays": {},
    "the sandbox simulates payment": { mode: "sandbox" as const }
  })) {
    it.effect(`200 in parallel at cap ${CAP}, ${kind}: exactly ${CAP}`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { nowMs } = yield* MovableClock
        const { siteId } = yield* listSite()
        const who = yield* buyer(wish)
        const answers = yield* concurrently(
          times(200, (nth) => postOrder(who.key, cart([item(siteId)]), nth % 2 === 0 ? freshKey() : undefined))
        )
        expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: CAP, 429: 200 - CAP })
        expect(quotesOf(yield* books, who).length).toBe(CAP)
        const resets_at = endOf(dateOf(nowMs()))
        for (const answer of answers.filter(({ status }) => status === 429)) {
          const { code, recovery, details } = refusalIn(answer)
          expect({ code, recovery, details }).toEqual({
            code: "daily_order_cap_reached",
            recovery: "wait",
            details: { limit: CAP, used: CAP, resets_at }
          })
          expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
        }
        expect((yield* who.api.balance.getBalance()).orders_today).toEqual({ used: CAP, limit: CAP, resets_at })
      })
    )
  }

  it.effect("replays, dry runs, refused and abandoned orders neither exceed it nor use it up", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ limits: { dailyOrderCap: 3 } })
      const idempotencyKey = freshKey()
      for (let nth = 0; nth < 5; nth++) {
        placedBy(yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey))
        pricedBy(yield* postOrder(who.key, cart([item(siteId)], { dry_run: true })))
        refusalIn(yield* postOrder(who.key, cart([item(siteId)], { promo_code: "NONE" })))
        refusalIn(yield* postOrder(who.key, cart([item(siteId, { brief: "other" })]), idempotencyKey))
      }
      expect(yield* used(who)).toBe(1)
      for (let nth = 0; nth < 2; nth++) {
        const { quote_id } = yield* order(who, [item(siteId)])
        yield* who.api.quotes.abandonQuote({ params: { id: quote_id ?? QuoteId.make("") } })
      }
      expect(yield* used(who)).toBe(3)
      const refused = refusalIn(yield* postOrder(who.key, cart([item(siteId)])))
      expect(refused.details).toMatchObject({ limit: 3, used: 3 })
      const priced = pricedBy(yield* postOrder(who.key, cart([item(siteId)], { dry_run: true })))
      expect(priced).toMatchObject({ quote_id: null, total_eur: 5, payment_url: null })
      expect(priced.summary).toMatch(/^Dry run, nothing was ordered: 1 link for 5\.00 EUR/)
      expect(yield* used(who)).toBe(3)
      expect((yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey)).status).toBe(201)
    })
  )

  it.effect("each key is counted separately; a limit that a human sets takes effect at once", () =>
    Effect.gen(function* () {
      const keys = yield* Credentials
      const { siteId } = yield* listSite()
      const first = yield* buyer({ limits: { dailyOrderCap: 1 } })
      const second = yield* issueKey(first.accountId, { limits: { dailyOrderCap: 1 } })
      const ask = (key: string) => Effect.map(postOrder(key, cart([item(siteId)])), ({ status }) => status)
      expect([yield* ask(first.key), yield* ask(first.key), yield* ask(second.key)]).toEqual([201, 429, 201])
      yield* keys.limit(first.keyId, { ...noLimits, dailyOrderCap: 2 }, by)
      expect([yield* ask(first.key), yield* ask(first.key), yield* ask(second.key)]).toEqual([201, 429, 429])
    })
  )

  it.effect("a key whose own limit is zero has no limit, and its balance says so", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ limits: { dailyOrderCap: 0 } })
      const answers = yield* concurrently(times(CAP + 5, () => postOrder(who.key, cart([item(siteId)]))))
      expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: CAP + 5 })
      expect((yield* who.api.balance.getBalance()).orders_today).toMatchObject({ used: CAP + 5, limit: null })
    })
  )

  it.effect("the count starts again at midnight UTC, to the millisecond", () =>
    Effect.gen(function* () {
      const { nowMs, advance } = yield* MovableClock
      const { siteId } = yield* listSite()
      const who = yield* buyer({ limits: { dailyOrderCap: 2 } })
      yield* untilMidnight(60_000)
      const today = dateOf(nowMs())
      for (let nth = 0; nth < 2; nth++) placedBy(yield* postOrder(who.key, cart([item(siteId)])))
      const refused = yield* postOrder(who.key, cart([item(siteId)]))
      expect(refusalIn(refused).details).toMatchObject({ resets_at: endOf(today) })
      const leftMs = Date.parse(endOf(today)) - nowMs()
      const retryAfter = Number(refused.headers.get("retry-after"))
      // The clock has run since, and the store's clock may differ a little.
      expect(retryAfter).toBeGreaterThanOrEqual(Math.floor(leftMs / 1_000))
      expect(retryAfter).toBeLessThanOrEqual(61)
      yield* untilMidnight(0)
      const tomorrow = dateOf(nowMs())
      expect(tomorrow).toBe(endOf(today).slice(0, today.length))
      expect((yield* who.api.balance.getBalance()).orders_today).toMatchObject({
        used: 0,
        resets_at: endOf(tomorrow)
      })
      for (let nth = 0; nth < 2; nth++) placedBy(yield* postOrder(who.key, cart([item(siteId)])))
      expect((yield* postOrder(who.key, cart([item(siteId)]))).status).toBe(429)
      yield* advance(DAY_MS)
      expect((yield* who.api.balance.getBalance()).orders_today.used).toBe(0)
    })
  )

  it.effect("60 orders while the day changes: neither day has more than the cap", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const days: Array<number> = []
      for (let before = 0; before < CAP; before += 2) {
        const who = yield* buyer()
        yield* untilMidnight(60_000)
        const rush = Effect.forEach(times(60, freshKey), (key) => postOrder(who.key, cart([item(siteId)]), key), {
          concurrency: 5
        })
        const midnight = Effect.repeat(used(who), { until: (used) => used >= before })
        const [answers] = yield* Effect.all([rush, Effect.andThen(midnight, untilMidnight(0))], { concurrency: 2 })
        const made = quotesOf(yield* books, who)
        const perDay = Object.values(countEach(made.map(({ createdAtMs }) => dateOf(createdAtMs))))
        expect(Math.max(...perDay)).toBe(CAP)
        expect(answers.filter(({ status }) => status === 201).length).toBe(made.length)
        days.push(perDay.length)
      }
      expect(countEach(days)[2]).toBeGreaterThan(2)
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
