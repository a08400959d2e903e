// A payment processor that is down, or that makes a session and does not respond: 502, and nothing is lost or stuck. The same request,
// or the sweeper, ends with the same quote and one session.
import { Effect, HashMap, Option, Ref } from "effect"
import { expect } from "vitest"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { movements, quotesOf } from "../core/BookReads.ts"
import { type Buyer, buyer, cart, freshKey, item, order, quoteOf } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, type HttpResponse, placedBy, postOrder, press, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { everyProcessor } from "./ScenarioSuite.ts"

/** Returns the waiting quote that the refusal names. Without an idempotency key nothing else names it. */
const expectProcessorAway = (answer: HttpResponse, retryable = true): string => {
  const error = refusalIn(answer)
  expect(error).toMatchObject({ code: "payment_processor_unavailable", status: 502, retryable })
  const { quote_id } = error.details ?? {}
  expect(quote_id).toMatch(/^q_/)
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  return String(quote_id)
}

const whileDown = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(ProcessorFaults, ({ down }) =>
    Effect.ensuring(Ref.set(down, true).pipe(Effect.andThen(effect)), Ref.set(down, false))
  )

/** The number of calls to the processor for each session of this key's quotes. */
const sessionsOf = Effect.fnUntraced(function* (who: Buyer) {
  const { books } = yield* RunningService
  const sessions = yield* Ref.get((yield* ProcessorFaults).sessions)
  return quotesOf(yield* books, who).map(({ sessionId }) =>
    Option.getOrElse(HashMap.get(sessions, sessionId ?? PaymentSessionId.make("")), () => 0)
  )
})

const sweep = Effect.flatMap(SweepQuotes, ({ sweep }) => sweep())

/** A buyer with 2.00 EUR of credit, and a link for 5.00 EUR. */
const wish = Effect.gen(function* () {
  const { siteId } = yield* listSite()
  const who = yield* buyer({ creditCents: 200 })
  const idempotencyKey = freshKey()
  const body = cart([item(siteId)])
  return { who, body, idempotencyKey, send: postOrder(who.key, body, idempotencyKey) }
})

export const resumptionSuite = everyProcessor("resumed quotes", {}, (it) => {
  it.effect("the processor's response is lost after it made the session: 502, then the same quote, one session", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { lostAnswers } = yield* ProcessorFaults
      const { who, send, idempotencyKey } = yield* wish
      yield* Ref.set(lostAnswers, 1)
      expectProcessorAway(yield* send)
      const waiting = yield* quoteOf(who, idempotencyKey)
      expect(waiting).toMatchObject({ status: "awaiting_payment", payment_url: null, credit_applied_cents: 200 })
      const answer = yield* send
      expect(placedBy(answer)).toMatchObject({ quote_id: waiting.quote_id, card_amount_cents: 300 })
      expect((yield* send).text).toBe(answer.text)
      expect(yield* sessionsOf(who)).toEqual([2])
      expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200"])
      expect((yield* who.api.balance.getBalance()).orders_today.used).toBe(1)
    })
  )

  it.effect("while the processor is down every try is 502, another body is refused, and only one hold is placed", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { who, body, send, idempotencyKey } = yield* wish
      yield* whileDown(
        Effect.gen(function* () {
          for (const answer of yield* concurrently(times(50, () => send))) expectProcessorAway(answer)
          const other = yield* postOrder(who.key, { ...body, max_total_eur: 90 }, idempotencyKey)
          expect(refusalIn(other).code).toBe("idempotency_key_reused")
        })
      )
      const answers = yield* concurrently(times(50, () => send))
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      const [quote, ...more] = quotesOf(yield* books, who)
      expect(more).toEqual([])
      expect(placedBy(answers[0] ?? (yield* send)).quote_id).toBe(quote?.quoteId)
      expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200"])
      expect((yield* who.api.balance.getBalance()).orders_today.used).toBe(1)
    })
  )

  it.effect("stopped between quote and session: the sweeper stores one link, and the replay has it", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { who, send, idempotencyKey } = yield* wish
      expectProcessorAway(yield* whileDown(send))
      expect(yield* sweep).toEqual({ expired: 0, resumed: 0 }) // its request might still be at work
      yield* advance("16 seconds")
      expect(yield* sweep).toEqual({ expired: 0, resumed: 1 })
      expect(yield* sweep).toEqual({ expired: 0, resumed: 0 })
      const found = yield* quoteOf(who, idempotencyKey)
      expect(found.payment_url).toMatch(/^http/)
      const { quote_id, payment_url } = placedBy(yield* send)
      expect([quote_id, payment_url]).toEqual([found.quote_id, found.payment_url])
      expect(yield* sessionsOf(who)).toEqual([1])
    })
  )

  it.effect("sweepers and replays at once give the same quote, one link, equal bytes", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { books } = yield* RunningService
      const wishes = yield* Effect.all(times(20, () => wish))
      yield* whileDown(concurrently(wishes.map(({ send }) => send)))
      yield* advance("16 seconds")
      const [, ...families] = yield* concurrently([
        concurrently([sweep, sweep, sweep]),
        ...wishes.map(({ send }) => concurrently([send, send, send]))
      ])
      for (const [index, answers] of families.entries()) {
        const texts = new Set(answers.map((answer) => ("text" in answer ? answer.text : "")))
        expect(texts.size).toBe(1)
        const { who } = wishes[index] ?? (yield* Effect.die("a family for each wish"))
        expect(
          quotesOf(yield* books, who).map(({ paymentUrl }) => [...texts][0]?.includes(paymentUrl ?? "none"))
        ).toEqual([true])
      }
    })
  )

  it.effect("sent again after expiry, while the processor does not know whether it was paid: 502, and no link", () =>
    Effect.gen(function* () {
      const { down, meanwhile } = yield* ProcessorFaults
      const { advance } = yield* MovableClock
      const { who, send } = yield* wish
      expectProcessorAway(yield* whileDown(send))
      yield* advance("25 hours")
      const back = Ref.set(down, false)
      yield* Ref.set(meanwhile, () => back)
      yield* Ref.set(down, true)
      const calm = Ref.set(meanwhile, () => Effect.void)
      const answer = yield* Effect.ensuring(send, Effect.andThen(back, calm))
      expectProcessorAway(answer)
      expect(refusalIn(yield* send)).toMatchObject({ code: "quote_not_open", details: { status: "abandoned" } })
      expect(yield* sessionsOf(who)).toEqual([0])
    })
  )

  it.effect("an order without a key is found among the holds, and can be abandoned once the processor is back", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { who, body } = yield* wish
      expectProcessorAway(yield* whileDown(postOrder(who.key, body)), false)
      const { holds, available_cents } = yield* who.api.balance.getBalance()
      expect([available_cents, holds.length]).toEqual([0, 1])
      const abandon = who.api.quotes.abandonQuote({ params: { id: holds[0]?.quote_id ?? QuoteId.make("") } })
      expect(yield* Effect.flip(whileDown(abandon))).toMatchObject({ error: { code: "payment_processor_unavailable" } })
      expect((yield* who.api.balance.getBalance()).held_cents).toBe(200)
      expect(yield* abandon).toMatchObject({ status: "abandoned", payment_url: null })
      expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200", "release 200"])
    })
  )

  it.effect(
    "an order without a key and without credit is found through the refusal, which says not to send it again",
    () =>
      Effect.gen(function* () {
        const { advance } = yield* MovableClock
        const { siteId } = yield* listSite()
        const who = yield* buyer()
        const refused = yield* whileDown(postOrder(who.key, cart([item(siteId)])))
        const quoteId = expectProcessorAway(refused, false)
        expect(refusalIn(refused).suggestion).toMatch(new RegExp(`^Do not send the order again: .*/quotes/${quoteId} `))
        yield* advance("16 seconds")
        yield* sweep
        const found = yield* who.api.quotes.getQuote({ params: { id: QuoteId.make(quoteId) } })
        expect(found).toMatchObject({ quote_id: quoteId, status: "awaiting_payment", card_amount_cents: 500 })
        expect(found.payment_url).toMatch(/^http/)
      })
  )

  it.effect("abandoning a quote while the processor is down is refused with a retry", () =>
    Effect.gen(function* () {
      const { who, send } = yield* wish
      const { quote_id } = placedBy(yield* send)
      const path = `/api/v1/agent/quotes/${quote_id}/abandon`
      const refused = yield* whileDown(call("POST", path, { key: who.key }))
      const quoteId = expectProcessorAway(refused)
      expect(refusalIn(refused).suggestion).toMatch(
        /^Send the very same request again once Retry-After has passed\. An order /
      )
      expect(yield* who.api.quotes.abandonQuote({ params: { id: QuoteId.make(quoteId) } })).toMatchObject({
        status: "abandoned"
      })
    })
  )

  it.effect("expiry while the processor is down waits for it, and then releases everything", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { books } = yield* RunningService
      const { who, body, send } = yield* wish
      const paid = yield* wish
      const { payment_url } = placedBy(yield* paid.send)
      expectProcessorAway(yield* whileDown(send))
      yield* advance("25 hours")
      yield* whileDown(sweep)
      expect(quotesOf(yield* books, who).map(({ status }) => status)).toEqual(["awaiting_payment"])
      expect((yield* press("pay", payment_url ?? "")).status).toBe(303)
      yield* sweep
      expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200", "release 200"])
      expect(movements(yield* books, paid.who.accountId).at(-1)).toBe("capture 200")
      const gone = refusalIn(yield* send)
      expect(gone).toMatchObject({ code: "quote_not_open", status: 409, details: { status: "abandoned" } })
      placedBy(yield* postOrder(who.key, body, freshKey()))
    })
  )

  it.effect("an order whose quote expired while the processor was down gets no link, before a sweep", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { books } = yield* RunningService
      const { who, send } = yield* wish
      expectProcessorAway(yield* whileDown(send))
      yield* advance("24 hours")
      expect(refusalIn(yield* send)).toMatchObject({ code: "quote_not_open", details: { status: "abandoned" } })
      expect(yield* sessionsOf(who)).toEqual([0])
      expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200", "release 200"])
    })
  )

  it.effect("the API definition declares the response to an order whose unfinished quote was abandoned", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { who, body, idempotencyKey, send } = yield* wish
      expectProcessorAway(yield* whileDown(send))
      yield* advance("25 hours")
      yield* sweep
      // The typed client decodes only declared responses.
      const refused = yield* Effect.flip(order(who, body.items, { idempotencyKey }))
      expect("error" in refused ? refused.error.code : refused.message).toBe("quote_not_open")
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
