// An instance whose clock is hours ahead of the database's ends no quote, closes no payment page that is still good, prunes nothing that
// is still good, and buys no repeated order again.
import { layer } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { expect } from "vitest"
import { canonicalOrder, comparedOrder, OrderRequest, readOrder } from "#adapters/contract/ordering/OrderRequest.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { FreeFinished } from "#core/usecases/operations/FreeFinished.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import { isRefusal } from "#test/adapters/payments/StripeAccount.ts"
import { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import { quotesOf } from "#test/core/BookReads.ts"
import { buyer, cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { press } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { openQuote } from "#test/scenarios/StripeQuoteSteps.ts"
import { withStripe } from "#test/scenarios/StripeService.ts"
import { serviceInstances } from "./ServiceInstances.ts"

const AHEAD_MS = 3 * 3_600_000

/** Runs with a clock that is three hours ahead, as on an instance with a wrong clock. */
const ahead = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.clockWith((clock) => {
    const nowMs = () => clock.currentTimeMillisUnsafe() + AHEAD_MS
    const wrong: Clock.Clock = {
      currentTimeMillisUnsafe: nowMs,
      currentTimeMillis: Effect.sync(nowMs),
      currentTimeNanosUnsafe: () => BigInt(nowMs()) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(nowMs()) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }
    return Effect.provideService(effect, Clock.Clock, wrong)
  })

const readQuote = Effect.fnUntraced(function* (quoteId: QuoteId) {
  const quote = yield* Quotes.use(({ byId }) => byId(quoteId))
  if (quote === null) throw new Error("the quote has to exist")
  return quote
})

layer(withStripe(serviceInstances(2)).start({}), { excludeTestServices: true })(
  "an instance whose clock is three hours ahead",
  (it) => {
    it.effect("leaves quote, hold and payment page alone, whatever reads or sweeps, and the page can be paid", () =>
      Effect.gen(function* () {
        const { advance } = yield* MovableClock
        const { account } = yield* StripeStandIn
        const { who, quoteId, url, status, sessionId } = yield* openQuote
        const sessionStatus = () => {
          const session = account.retrieve(sessionId)
          return isRefusal(session) ? "unknown" : session.status
        }
        yield* advance("22 hours")
        const swept = yield* ahead(SweepQuotes.use(({ sweep }) => sweep()))
        expect(swept.resumed).toBe(0)
        yield* ahead(SweepQuotes.use(({ sweepAccount }) => sweepAccount(who.accountId)))
        const report = yield* ahead(
          Effect.flatMap(readQuote(quoteId), (quote) => TrackOrders.use((tracking) => tracking.report(quote)))
        )
        expect(report.quote.status).toBe("awaiting_payment")
        expect(report.asOfMs).toBeLessThan(report.quote.expiresAtMs)
        expect(sessionStatus()).toBe("open")
        expect((yield* who.api.balance.getBalance()).held_cents).toBe(200)
        expect(yield* status).toMatchObject({ status: "awaiting_payment", payment_url: url })
        yield* press("pay", url)
        expect(yield* status).toMatchObject({ status: "paid", paid: true })
      })
    )

    it.effect("prunes no sign-in link that is still good", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const nowMs = yield* Clock.currentTimeMillis
        const times = { createdAtMs: nowMs, expiresAtMs: nowMs + 15 * 60_000, usedAtMs: null, wrongCodes: 0 }
        const withoutCode = { browserHash: null, codeHash: null }
        const link = { hash: "ahead", kind: "mail", email: "ada@brand.example", ...times, ...withoutCode } as const
        yield* sessions.issueLink(link, [])
        const spans = { deliveries: 0, sandbox: 0, answers: 0 }
        yield* ahead(FreeFinished.use(({ pass }) => pass(spans)))
        expect(yield* sessions.link(link.hash)).toEqual(link)
      })
    )

    it.effect("replays an order without an idempotency key that was placed minutes ago, or warns of it", () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const who = yield* buyer({ creditCents: 10_000 })
        const body = Schema.decodeUnknownSync(OrderRequest)(cart([item((yield* listSite()).siteId)]))
        const { accountId, keyId } = who
        const place = (replayUnkeyed: boolean) =>
          PlaceOrder.use((orders) =>
            orders.place({
              caller: { accountId, keyId, mode: "live", scopes: ["read", "order"] },
              request: readOrder(body),
              canonicalBody: canonicalOrder(body),
              idempotencyKey: null,
              ...(replayUnkeyed ? { comparedBody: comparedOrder(body) } : {})
            })
          )
        expect(yield* place(true)).toMatchObject({ replayed: false })
        expect(yield* ahead(place(true))).toMatchObject({ replayed: true })
        expect(quotesOf(yield* books, who)).toHaveLength(1)
        // Where the same order is wanted again, it is warned of.
        expect(yield* ahead(place(false))).toMatchObject({ replayed: false })
        const warnings = quotesOf(yield* books, who).flatMap((quote) => quote.warnings.map(({ code }) => code))
        expect(warnings.filter((code) => code === "similar_recent_order")).toHaveLength(1)
      })
    )

    it.effect("still abandons a quote that has expired by the database's clock", () =>
      Effect.gen(function* () {
        const { advance } = yield* MovableClock
        const { status, sessionId } = yield* openQuote
        const { account } = yield* StripeStandIn
        yield* advance("25 hours")
        yield* ahead(SweepQuotes.use(({ sweep }) => sweep()))
        expect(account.retrieve(sessionId)).toMatchObject({ status: "expired" })
        expect(yield* status).toMatchObject({ status: "abandoned", payment_url: null })
      })
    )
  }
)
