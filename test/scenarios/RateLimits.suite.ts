// Requests per minute and key: announced on every response, refused beyond the limit with the time to retry, counted separately for reads
// and orders.
import { Effect } from "effect"
import { expect } from "vitest"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, quotesOf } from "../core/BookReads.ts"
import { buyer, cart, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { BALANCE, call, type HttpResponse, postOrder, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const READS = 6
const ORDERS_A_MINUTE = 4

const headersOf = ({ headers }: HttpResponse) => [headers.get("ratelimit-policy"), headers.get("ratelimit")]

const remaining = (answer: HttpResponse): number => Number(/;r=(\d+)/.exec(headersOf(answer)[1] ?? "")?.[1])

const RATES = { RATE_LIMIT_READS: String(READS), RATE_LIMIT_ORDERS: String(ORDERS_A_MINUTE) }

export const rateLimitsSuite = scenarios("request rates", RATES, (it) => {
  it.effect("every response has the policy and what remains; beyond it 429 has the time to retry", () =>
    Effect.gen(function* () {
      const { advance, nowMs } = yield* MovableClock
      const { key } = yield* buyer()
      const read = call("GET", BALANCE, { key })
      for (let left = READS - 1; left >= 0; left--) {
        const answer = yield* read
        expect([answer.status, headersOf(answer)[0], remaining(answer)]).toEqual([200, `"read";q=${READS};w=60`, left])
        expect(headersOf(answer)[1]).toMatch(/^"read";r=\d+;t=\d+$/)
      }
      const refused = yield* read
      const error = refusalIn(refused)
      expect(error).toMatchObject({ code: "rate_limited", status: 429, recovery: "wait", retryable: true })
      const wait = Number(refused.headers.get("retry-after"))
      expect(wait > 0 && wait <= 60).toBe(true)
      expect(headersOf(refused)).toEqual([`"read";q=${READS};w=60`, `"read";r=0;t=${wait}`])
      expect(error.details).toMatchObject({ limit: READS, retry_after_seconds: wait })
      const resetsInMs = Date.parse(String(error.details?.["resets_at"])) - nowMs()
      expect(resetsInMs > 0 && resetsInMs <= wait * 1_000).toBe(true)
      yield* advance(`${wait} seconds`)
      expect((yield* read).status).toBe(200)
      yield* advance("1 minute")
      expect(remaining(yield* read)).toBe(READS - 1)
    })
  )

  it.effect("reads and orders are counted separately, and so is each key", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const first = yield* buyer()
      const second = yield* issueKey(first.accountId)
      for (let nth = 0; nth < READS; nth++) yield* call("GET", BALANCE, { key: first.key })
      expect((yield* call("GET", BALANCE, { key: first.key })).status).toBe(429)
      const placed = yield* postOrder(first.key, cart([item(siteId)]))
      expect([placed.status, headersOf(placed)[0]]).toEqual([201, `"order";q=${ORDERS_A_MINUTE};w=60`])
      expect((yield* call("GET", BALANCE, { key: second.key })).status).toBe(200)
    })
  )

  it.effect("60 orders at once: as many as the minute allows are placed, the others are 429 and write nothing", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 100_000 })
      const answers = yield* concurrently(times(60, () => postOrder(who.key, cart([item(siteId)]))))
      expect(countEach(answers.map(({ status }) => status))).toEqual({
        201: ORDERS_A_MINUTE,
        429: 60 - ORDERS_A_MINUTE
      })
      for (const answer of answers.filter(({ status }) => status === 429)) {
        expect(refusalIn(answer).code).toBe("rate_limited")
      }
      expect(quotesOf(yield* books, who).length).toBe(ORDERS_A_MINUTE)
    })
  )

  it.effect("the rate is checked after the key and its scope, and before the body", () =>
    Effect.gen(function* () {
      const { accountId, key } = yield* buyer()
      const readOnly = yield* issueKey(accountId, { scopes: ["read"] })
      const codes = []
      for (let nth = 0; nth <= ORDERS_A_MINUTE; nth++) codes.push(refusalIn(yield* postOrder(key, "{")).code)
      expect(codes).toEqual([...times(ORDERS_A_MINUTE, () => "invalid_json"), "rate_limited"])
      for (let nth = 0; nth <= ORDERS_A_MINUTE; nth++) {
        const refused = yield* postOrder(readOnly.key, "{")
        expect([refusalIn(refused).code, ...headersOf(refused)]).toEqual(["insufficient_scope", null, null])
      }
    })
  )
})
