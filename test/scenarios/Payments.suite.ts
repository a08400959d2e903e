// Payments at awkward moments: together with expiry or abandonment, ten times, before the session is stored, forged. Each ends
// consistently, without a lost cent.
import { Effect, Ref } from "effect"
import { expect } from "vitest"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { find } from "#core/decisions/Books.ts"
import type { Payment } from "#core/domain/ordering/Quote.ts"
import { PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { exchange, head } from "#test/adapters/http/server/RawHttp.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, ordersOf, quotesOf } from "../core/BookReads.ts"
import { buyer, by, cart, freshKey, item, order } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, postOrder, press, QUOTES, refusalIn, viewPage } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { openQuote, quotesInEveryState, settlesOnce } from "./QuoteSteps.ts"
import { RunningService } from "./RunningService.ts"
import { everyProcessor, scenarios } from "./ScenarioSuite.ts"

export const noticeFor = (quoteId: QuoteId, over: Partial<Payment> = {}): Payment => ({
  paymentId: PaymentId.make(`pay_${quoteId}`),
  quoteId,
  amountCents: 300,
  currency: "EUR",
  ...over
})

const settle = (payment: Payment) => Effect.flatMap(Payments, ({ settle }) => settle(payment))
const sweep = Effect.flatMap(SweepQuotes, ({ sweep }) => sweep())

const ROUNDS = 20

const LIMIT = 64 * 1_024
const CHUNKED = { "Transfer-Encoding": "chunked" }

export const paymentsSuite = everyProcessor("payments", {}, (it) => {
  it.effect(`${ROUNDS} times payment and expiry at once: an order, whichever was first`, () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { advance } = yield* MovableClock
      for (let round = 0; round < ROUNDS; round++) {
        const { who, url, quoteId } = yield* openQuote
        yield* advance("24 hours")
        const expiry = times(round % 4, () => Effect.asVoid(sweep))
        const read = Effect.asVoid(call("GET", `${QUOTES}/${quoteId}`, { key: who.key }))
        const pay = Effect.asVoid(press("pay", url))
        yield* concurrently(round % 2 === 0 ? [pay, ...expiry, read] : [read, ...expiry, pay, pay])
        expect(yield* who.api.quotes.getQuote({ params: { id: quoteId } })).toMatchObject({
          status: "paid",
          paid: true
        })
        expect(ordersOf(yield* books, who).length).toBe(1)
        expect((yield* who.api.balance.getBalance()).available_cents).toBe(0)
      }
    })
  )

  it.effect(`${ROUNDS} times payment and abandonment at once: an order, or the money as credit`, () =>
    Effect.gen(function* () {
      const ends: Array<string> = []
      for (let round = 0; round < ROUNDS; round++) {
        const { who, url, quoteId } = yield* openQuote
        const agent = call("POST", `${QUOTES}/${quoteId}/abandon`, { key: who.key })
        const actions = [press("pay", url), round % 3 === 0 ? agent : press("abandon", url), press("pay", url)]
        const wishes = round % 2 === 0 ? actions : actions.slice(1)
        // The first two rounds are no race, so that both outcomes occur on any machine.
        yield* round < 2 ? Effect.all(wishes) : concurrently(wishes)
        const end = yield* who.api.quotes.getQuote({ params: { id: quoteId } })
        const { available_cents, held_cents } = yield* who.api.balance.getBalance()
        expect(held_cents).toBe(0)
        if (end.paid) expect([end.credited_cents, available_cents]).toEqual([undefined, 0])
        else expect([end.status, end.credited_cents, available_cents]).toEqual(["abandoned", 300, 500])
        ends.push(end.status)
      }
      expect(Object.keys(countEach(ends)).sort()).toEqual(["abandoned", "paid"])
    })
  )

  it.effect("a notice ten times at once, and again days later, is one order", () =>
    Effect.gen(function* () {
      const { who, quoteId } = yield* openQuote
      const notice = Effect.map(settle(noticeFor(quoteId)), ({ outcome }) => outcome)
      yield* settlesOnce(who, concurrently(times(10, () => notice)), notice)
    })
  )

  it.effect("a notice before the session is stored is one order, and no session is opened after it", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { advance } = yield* MovableClock
      const { down } = yield* ProcessorFaults
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 200 })
      yield* Ref.set(down, true)
      refusalIn(yield* postOrder(who.key, cart([item(siteId)]), freshKey()))
      yield* Ref.set(down, false)
      const quoteId = quotesOf(yield* books, who)[0]?.quoteId ?? QuoteId.make("")
      yield* concurrently(times(3, () => settle(noticeFor(quoteId))))
      yield* advance("1 minute")
      yield* sweep
      const { paid, payment_url } = yield* who.api.quotes.getQuote({ params: { id: quoteId } })
      expect([paid, payment_url]).toEqual([true, null])
      expect(ordersOf(yield* books, who).length).toBe(1)
      expect(find((yield* books).quotes, quoteId)?.sessionId).toBeNull()
    })
  )

  it.effect("a notice of no money or for no quote is refused, and nothing is written", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const quotes = yield* quotesInEveryState(openQuote)
      const covered = yield* order(yield* buyer({ creditCents: 500 }), [item(siteId)])
      const before = yield* books
      for (const { quoteId } of quotes) {
        for (const amountCents of [0, -300, 300.5]) {
          const refused = yield* Effect.flip(
            settle(noticeFor(quoteId, { paymentId: PaymentId.make(freshKey()), amountCents }))
          )
          expect(refused).toMatchObject({ _tag: "PaymentMismatch", reason: "amount" })
        }
      }
      for (const quoteId of ["q_none", covered.quote_id ?? QuoteId.make(""), ""]) {
        const refused = yield* Effect.flip(
          settle(noticeFor(QuoteId.make(quoteId), { paymentId: PaymentId.make(freshKey()) }))
        )
        expect(refused._tag).toBe("QuoteNotFound")
      }
      expect(yield* books).toBe(before)
    })
  )

  it.effect("a second payment of a paid quote becomes credit, once", () =>
    Effect.gen(function* () {
      const { who, quoteId, url } = yield* openQuote
      yield* press("pay", url)
      const outcomes = yield* concurrently(
        times(5, () => settle(noticeFor(quoteId, { paymentId: PaymentId.make(`twice_${quoteId}`) })))
      )
      expect(countEach(outcomes.map(({ outcome }) => outcome))).toEqual({ credited: 1, repeated: 4 })
      const quote = yield* who.api.quotes.getQuote({ params: { id: quoteId } })
      expect([quote.status, quote.credited_cents]).toEqual(["paid", 300])
      expect((yield* who.api.balance.getBalance()).available_cents).toBe(300)
    })
  )

  it.effect("a revoked key's open quotes stay payable", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { revoke } = yield* Credentials
      const { who, quoteId, url } = yield* openQuote
      yield* revoke(who.keyId, by)
      const refused = yield* Effect.flip(who.api.quotes.getQuote({ params: { id: quoteId } }))
      expect(refused).toMatchObject({ error: { code: "revoked_api_key", status: 401 } })
      expect((yield* viewPage(url)).text).toContain("Pay 3.00 EUR")
      expect((yield* press("pay", url)).status).toBe(303)
      expect(ordersOf(yield* books, who).length).toBe(1)
      expect((yield* viewPage(url)).text).toContain("Paid: thank you")
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})

export const paymentPageSuite = scenarios("the payment page", {}, (it) => {
  it.effect("the payment page needs its token, and its buttons redirect back to it", () =>
    Effect.gen(function* () {
      const { url } = yield* openQuote
      const { text } = yield* call("GET", url)
      for (const says of [/Your assistant prepared this order\./, / · Trust Flow \d+ · /, /online within \d+ days?/])
        expect(text).toMatch(says)
      const answer = yield* press("pay", url)
      expect([answer.status, answer.headers.get("location")]).toEqual([303, new URL(url).pathname])
      expect((yield* press("pay", url)).status).toBe(303)
      for (const wrong of [`${url}x`, url.slice(0, -1), new URL("/pay/none", url).href]) {
        expect((yield* call("GET", wrong)).status).toBe(404)
        expect((yield* press("pay", wrong)).status).toBe(404)
      }
      expect(new URL(url).pathname.length - "/pay/".length).toBeGreaterThanOrEqual(26)
    })
  )

  it.effect("a form of more than 64 KiB is refused with a page, with or without Content-Length", () =>
    Effect.gen(function* () {
      const { books, port } = yield* RunningService
      const { url } = yield* openQuote
      const { pathname } = new URL(url)
      const before = yield* books
      const chunks = (size: number) => [`${size.toString(16)}\r\n${"x".repeat(size)}\r\n`, "0\r\n\r\n"]
      const sent = (button: string, size: number, chunked: boolean) =>
        exchange(
          port,
          head("POST", `${pathname}/${button}`, chunked ? CHUNKED : { "Content-Length": String(size) }),
          ...(chunked ? chunks(size) : ["x".repeat(size)])
        )
      for (const button of ["pay", "abandon"]) {
        for (const chunked of [false, true]) {
          const { status, headers, body } = yield* sent(button, LIMIT + 1, chunked)
          expect([status, headers.get("content-type")]).toEqual([413, "text/html; charset=utf-8"])
          expect(body).toContain("Too much was sent")
        }
      }
      expect(yield* books).toBe(before)
      expect((yield* sent("abandon", LIMIT, true)).status).toBe(303)
      expect((yield* viewPage(url)).text).not.toContain("<form")
    })
  )
})
