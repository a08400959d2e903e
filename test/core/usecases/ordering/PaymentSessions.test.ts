// The quote is abandoned while the processor opens the session: the session is closed again, a payment in it is settled, and the link
// is not given out.
import { it } from "@effect/vitest"
import { Effect, Layer, Logger, Result } from "effect"
import { expect } from "vitest"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import type { AbandonedBy } from "#core/domain/ordering/Quote.ts"
import { PaymentId, PaymentSessionId, type QuoteId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { PaymentProcessor, type SessionOutcome } from "#core/ports/ordering/PaymentProcessor.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { ProcessorUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { PaymentSessions } from "#core/usecases/ordering/PaymentSessions.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { known } from "#test/core/BookReads.ts"
import { given, orderBy, rules } from "#test/core/Given.ts"
import { terms } from "#test/core/InvoiceGiven.ts"
import { decide, placed, when } from "#test/core/RunDecision.ts"

const { books: before, quoteId, reply } = placed(given(), orderBy("key_poor"))
const { quote } = reply
const { cardCents, expiresAtMs } = quote

const paid = (amountCents: number): Effect.Effect<SessionOutcome<QuoteId>> =>
  Effect.succeed({
    outcome: "paid",
    payment: { paymentId: PaymentId.make("pay_1"), quoteId, amountCents, currency: "EUR" }
  })

/** The result if the quote is abandoned while its session is opened, and the books and log afterwards. */
const openedTooLate = Effect.fnUntraced(function* (
  by: AbandonedBy,
  closed: Effect.Effect<SessionOutcome<QuoteId>, ProcessorUnavailable>
) {
  let books = before
  const expired: Array<string | null> = []
  const lines: Array<string> = []
  const book = Layer.mock(OrderBook, {
    transact: (_reads, decision) =>
      Effect.suspend(() => {
        const outcome = decide(books, decision, expiresAtMs)
        // `decide` widens the error type of the decision to `Refusal`.
        if (Result.isFailure(outcome)) return Effect.fail(outcome.failure as never)
        books = outcome.success.books
        return Effect.succeed(outcome.success.reply)
      })
  })
  const processor = Layer.mock(PaymentProcessor, {
    simulatePayment: null,
    open: () =>
      Effect.sync(() => {
        books = when(books, abandonQuote(quoteId, by), expiresAtMs).books
        return { sessionId: PaymentSessionId.make("cs_1"), paymentUrl: "https://pay.example/1" }
      }),
    expire: ({ sessionId }) =>
      Effect.andThen(
        Effect.sync(() => expired.push(sessionId)),
        // The only session is the quote's.
        closed as Effect.Effect<SessionOutcome<never>, ProcessorUnavailable>
      )
  })
  const settings = Layer.succeed(ServiceContext, {
    ...rules,
    seller: terms(),
    paymentPage: (token) => `https://shop.example/pay/${token}`,
    approvalPage: (quoteId) => `https://shop.example/account/approvals/${quoteId}`,
    sha256: (text) => text
  })
  const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
  const ports = Layer.mergeAll(book, processor, settings, Layer.mock(Quotes, {}))
  const payment = PaymentSessions.layer.pipe(Layer.provide(Payments.layer), Layer.provide(ports))
  const refusal = yield* Effect.flip(PaymentSessions.use(({ open }) => open(quote))).pipe(
    Effect.provide(Layer.merge(payment, log))
  )
  return { refusal, expired, lines, quote: known(books.quotes, quoteId) }
})

const unlinked = { sessionId: null, paymentUrl: null }

for (const [what, closed] of [
  ["is closed", Effect.succeed({ outcome: "expired" } as const)],
  ["cannot be closed just then", Effect.fail(new ProcessorUnavailable({ retryAfterSeconds: 1, quoteId }))]
] as const) {
  it.effect(`its session ${what}, and the quote stays as it is`, () =>
    Effect.gen(function* () {
      const then = yield* openedTooLate("agent", closed)
      expect(then.refusal).toMatchObject({ _tag: "QuoteNotOpen", quoteId, status: "abandoned" })
      expect(then.expired).toEqual(["cs_1"])
      expect(then.quote).toMatchObject({ ...unlinked, status: "abandoned", creditedCents: 0 })
    })
  )
}

for (const [by, status, creditedCents] of [
  ["agent", "abandoned", cardCents],
  ["expiry", "paid", 0]
] as const) {
  it.effect(`a payment in it after the quote was abandoned by ${by} is a late payment: ${status}`, () =>
    Effect.gen(function* () {
      const then = yield* openedTooLate(by, paid(cardCents))
      expect(then.refusal).toMatchObject({ _tag: "QuoteNotOpen", quoteId, status })
      expect(then.quote).toMatchObject({ ...unlinked, status, creditedCents })
    })
  )
}

it.effect("a payment in it that does not match the quote is logged as an error", () =>
  Effect.gen(function* () {
    const then = yield* openedTooLate("agent", paid(cardCents + 1))
    expect(then.refusal).toMatchObject({ _tag: "QuoteNotOpen", quoteId, status: "abandoned" })
    expect(then.lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "ERROR" }])
    expect(then.quote).toMatchObject({ ...unlinked, status: "abandoned", creditedCents: 0 })
  })
)
