// Reads return in time, however long the payment processor takes to expire a session.
import { it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { SweepLeases } from "#core/ports/ordering/SweepLeases.ts"
import { AbandonQuote } from "#core/usecases/ordering/AbandonQuote.ts"
import { AskProcessor } from "#core/usecases/ordering/AskProcessor.ts"
import { PaymentSessions } from "#core/usecases/ordering/PaymentSessions.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import { given, orderBy } from "#test/core/Given.ts"
import { placed } from "#test/core/RunDecision.ts"
import { givenService } from "../GivenService.ts"

const { quote: open } = placed(given(), orderBy("key_poor")).reply
const expired = { ...open, expiresAtMs: 0 }

/** Expires the first session, and never returns for the second. */
const stuckAt = (second: Deferred.Deferred<void>) => {
  const givenUp: Array<string> = []
  const quotes = Layer.mock(Quotes, {
    byId: (quoteId) => Effect.succeed({ ...expired, quoteId }),
    due: () => Effect.succeed(["q_1", "q_2", "q_3"].map((id) => QuoteId.make(id))),
    ofRevokedKeys: () => Effect.succeed([])
  })
  const leases = Layer.mock(SweepLeases, {
    claim: (id) => Effect.succeed({ id, untilMs: 1 }),
    release: () => Effect.void
  })
  const abandonQuote = Layer.mock(AbandonQuote, {
    expire: (quote) => {
      if (quote.quoteId !== "q_1") return Effect.andThen(Deferred.succeed(second, undefined), Effect.never)
      givenUp.push(quote.quoteId)
      return Effect.succeed({ quote: { ...quote, status: "abandoned", abandonedBy: "expiry" }, atMs: 0 })
    }
  })
  const unused = Layer.mergeAll(
    Layer.mock(OrderBook, {}),
    Layer.mock(Orders, {}),
    Layer.mock(ApiKeys, {}),
    Layer.mock(Catalogue, {}),
    Layer.mock(PaymentSessions, {}),
    Layer.mock(AskProcessor, {}),
    givenService
  )
  const others = Layer.mergeAll(quotes, leases, abandonQuote, unused)
  return { givenUp, layer: Layer.provide(Layer.merge(SweepQuotes.layer, TrackOrders.layer), others) }
}

const afterFiveSeconds = <A, E, R>(reading: Effect.Effect<A, E, R>, stuck: Deferred.Deferred<void>) =>
  Effect.gen(function* () {
    const reader = yield* Effect.forkChild(reading)
    yield* Deferred.await(stuck)
    yield* TestClock.adjust("4999 millis")
    expect(reader.pollUnsafe()).toBeUndefined()
    yield* TestClock.adjust("1 millis")
    return yield* Fiber.await(reader)
  })

it.effect("a wallet is shown after five seconds, with what was released by then", () =>
  Effect.gen(function* () {
    const stuck = yield* Deferred.make<void>()
    const { layer, givenUp } = stuckAt(stuck)
    const sweeping = Effect.provide(
      SweepQuotes.use(({ sweepAccount }) => sweepAccount(open.accountId)),
      layer
    )
    expect(yield* afterFiveSeconds(sweeping, stuck)).toEqual(Exit.void)
    expect(givenUp).toEqual(["q_1"])
  })
)

it.effect("a quote is shown unchanged if it could not be abandoned within five seconds", () =>
  Effect.gen(function* () {
    const stuck = yield* Deferred.make<void>()
    const looking = Effect.provide(
      TrackOrders.use(({ report }) => report({ ...expired, quoteId: QuoteId.make("q_2") })),
      stuckAt(stuck).layer
    )
    expect(yield* afterFiveSeconds(looking, stuck)).toMatchObject(
      Exit.succeed({ quote: { quoteId: "q_2", status: open.status } })
    )
  })
)
