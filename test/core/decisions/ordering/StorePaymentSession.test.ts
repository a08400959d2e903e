// The first stored payment link wins. The response that the idempotency key replays is stored with it.
import { describe, expect, it } from "vitest"
import { accountBindingId, type Books } from "#core/decisions/Books.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import { storeSession } from "#core/decisions/ordering/StorePaymentSession.ts"
import { AccountId, OrderId, PaymentId, PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import { given, orderBy, render, rules } from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const idempotency = { key: "purchase 1", fingerprint: "f1" }
const bound = placed(given(), orderBy("key_poor", {}, { idempotency }))
const free = placed(given(), orderBy("key_poor"))

const store = (books: Books, quoteId: QuoteId, n = 1) =>
  when(
    books,
    storeSession(
      { quoteId, sessionId: PaymentSessionId.make(`cs_${n}`), paymentUrl: `https://pay.example/${n}` },
      render
    )
  )

const answerOf = (books: Books) =>
  known(books.bindings, accountBindingId({ accountId: AccountId.make("acc_poor"), mode: "live" }, "purchase 1"))
    .response

describe("a payment link", () => {
  const then = store(bound.books, bound.quoteId)

  it("is stored with the processor's id and the response", () => {
    expect(then.written).toEqual(["SessionStored", "ResponseStored"])
    expect(then.reply.placement.quote).toEqual({
      ...bound.reply.quote,
      sessionId: "cs_1",
      paymentUrl: "https://pay.example/1"
    })
    expect(then.reply.placement.quote).toEqual(known(then.books.quotes, bound.quoteId))
    expect(then.reply.response).toEqual(render.response({ ...bound.reply, quote: then.reply.placement.quote }))
    expect(answerOf(then.books)).toEqual(then.reply.response)
  })

  it("stays the first one", () => {
    const again = store(then.books, bound.quoteId, 2)
    expect(again.written).toEqual([])
    expect(again.reply).toEqual(then.reply)
  })

  it("is stored without a response if there is no idempotency key", () => {
    const stored = store(free.books, free.quoteId)
    expect(stored.written).toEqual(["SessionStored"])
    expect(stored.reply.response).toEqual(render.response({ ...free.reply, quote: stored.reply.placement.quote }))
    const again = store(stored.books, free.quoteId, 2)
    expect([again.written, again.reply]).toEqual([[], stored.reply])
  })

  it("requires an existing quote", () => {
    expect(
      refused(
        bound.books,
        storeSession(
          { quoteId: QuoteId.make("q_none"), sessionId: PaymentSessionId.make("cs"), paymentUrl: "u" },
          render
        )
      )
    ).toMatchObject({
      _tag: "QuoteNotFound",
      quoteId: "q_none"
    })
  })
})

describe("a payment before its link is stored", () => {
  const { cardCents } = bound.reply.quote
  const payment = {
    paymentId: PaymentId.make("pay_1"),
    quoteId: bound.quoteId,
    amountCents: cardCents,
    currency: "EUR"
  }
  const paid = when(bound.books, settlePayment(payment, rules))

  it("makes one order, which the stored response shows", () => {
    const then = store(paid.books, bound.quoteId)
    const order = known(then.books.orders, paid.reply.quote.orderId ?? OrderId.make(""))
    const links = order.linkIds.map((linkId) => known(then.books.links, linkId))
    expect(then.reply.response).toEqual(
      render.response({ quote: then.reply.placement.quote, order, links, dryRun: false })
    )
    expect(then.reply.placement.quote.status).toBe("paid")
    const again = when(then.books, settlePayment(payment, rules))
    expect(again.reply.outcome).toBe("repeated")
  })
})

describe("a payment link of a quote that is abandoned meanwhile", () => {
  for (const [what, { books, quoteId }] of Object.entries({ "with an idempotency key": bound, "without one": free })) {
    for (const by of ["agent", "human", "expiry"] as const) {
      it(`is not stored, ${what}, by ${by}`, () => {
        const { expiresAtMs } = known(books.quotes, quoteId)
        const given = when(books, abandonQuote(quoteId, by), by === "expiry" ? expiresAtMs : undefined)
        const late = storeSession(
          {
            quoteId,
            sessionId: PaymentSessionId.make("cs_1"),
            paymentUrl: "https://pay.example/1"
          },
          render
        )
        expect(refused(given.books, late)).toMatchObject({ _tag: "QuoteNotOpen", quoteId, status: "abandoned" })
      })
    }
  }

  it("leaves the idempotency key without a response, so that a repeated order is resumed and refused again", () => {
    const { books } = when(bound.books, abandonQuote(bound.quoteId, "agent"))
    expect(answerOf(books)).toBeNull()
    expect(when(books, placeOrder(orderBy("key_poor", {}, { idempotency }))).reply).toEqual({
      kind: "resume",
      quoteId: bound.quoteId
    })
  })
})

describe("a stored response", () => {
  it("stays the same, whatever happens to the quote", () => {
    const stored = store(bound.books, bound.quoteId)
    const { books } = when(stored.books, abandonQuote(bound.quoteId, "human"))
    expect(store(books, bound.quoteId, 2).reply.response).toEqual(stored.reply.response)
    expect(answerOf(books)).toEqual(stored.reply.response)
  })
})
