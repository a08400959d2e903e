// Money that the processor gives back: refunds and disputes before, with and after the cancellation of the order, once and repeatedly.
// However they meet, the money is given back once.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import type { InvoiceRecord } from "#adapters/contract/invoicing/Invoices.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, known, movements, ordersOf } from "../core/BookReads.ts"
import { buyer, by, item, order } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, ORDERS } from "./HttpCalls.ts"
import { invoiceOf, untilInvoices } from "./InvoiceSteps.ts"
import { LogLines, RunningService } from "./RunningService.ts"
import { paidByStripe } from "./ScenarioSuite.ts"
import { deliver, linkOf, openQuote, payUnnoticed } from "./StripeQuoteSteps.ts"

/** 5.00 EUR, 2.00 of them from credit and 3.00 by card, and its order of one link. */
const paidOrder = Effect.gen(function* () {
  const { books } = yield* RunningService
  const { who, quoteId, sessionId } = yield* openQuote
  yield* deliver(yield* payUnnoticed(sessionId))
  const [order] = ordersOf(yield* books, who)
  const chargeId = `ch_${sessionId}`
  const balance = Effect.map(books, ({ accounts }) => known(accounts, who.accountId).wallet.balanceCents)
  return {
    who,
    quoteId,
    chargeId,
    orderId: order?.orderId ?? OrderId.make(""),
    linkId: order?.linkIds[0] ?? "",
    balance
  }
})

const outcomeOf = ({ status, text }: { readonly status: number; readonly text: string }): string => {
  expect(status, text).toBe(200)
  return JSON.parse(text).outcome
}

const refund = Effect.fnUntraced(function* (chargeId: string, cents: number) {
  const { account } = yield* StripeStandIn
  const object = { ...account.charge(chargeId), amount_refunded: cents }
  return outcomeOf(yield* deliver(account.event("charge.refunded", object)))
})

const dispute = Effect.fnUntraced(function* (charge: string, type: "created" | "closed", status: string) {
  const { account } = yield* StripeStandIn
  const object = { id: `du_${charge}`, object: "dispute", charge, amount: 300, currency: "eur", status }
  return outcomeOf(yield* deliver(account.event(`charge.dispute.${type}`, object)))
})

const cancel = Effect.fnUntraced(function* (orderId: OrderId, refunded = false) {
  return yield* Effect.result((yield* FulfilLinks).cancelOrder(orderId, "the buyer asked", by, { refunded }))
})

export const refundsSuite = paidByStripe("money that goes back", {}, (it) => {
  it.effect("a refund before the cancellation: no credit on top, and cancelled as refunded", () =>
    Effect.gen(function* () {
      const { lines } = yield* LogLines
      const { who, orderId, chargeId, balance } = yield* paidOrder
      const told = yield* concurrently(times(10, () => refund(chargeId, 300)))
      expect(countEach(told)).toEqual({ recorded: 1, repeated: 9 })
      expect(lines.filter((line) => line.includes("A payment was refunded") && line.includes(chargeId)).length).toBe(1)
      const refused = yield* cancel(orderId)
      expect(Result.isFailure(refused) && refused.failure).toMatchObject({ _tag: "InvalidTransition" })
      expect(Result.isSuccess(yield* cancel(orderId, true))).toBe(true)
      // What credit had paid.
      expect(yield* balance).toBe(200)
      const shown = yield* call("GET", `${ORDERS}/${orderId}`, { key: who.key })
      expect(JSON.parse(shown.text)).toMatchObject({ order_status: "cancelled", credited_cents: 200 })
      yield* expectConsistentBooks
    })
  )

  it.effect("a refund after the cancellation: what came back as credit is taken back, once", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { who, orderId, chargeId, balance } = yield* paidOrder
      expect(Result.isSuccess(yield* cancel(orderId))).toBe(true)
      expect(yield* balance).toBe(500)
      yield* concurrently([...times(5, () => refund(chargeId, 100)), ...times(5, () => refund(chargeId, 300))])
      expect(yield* refund(chargeId, 300)).toBe("repeated")
      expect(yield* balance).toBe(200)
      const taken = movements(yield* books, who.accountId).filter((one) => one.startsWith("adjustment"))
      expect(taken.reduce((cents, one) => cents + Number(one.split(" ")[1]), 0)).toBe(300)
      yield* expectConsistentBooks
    })
  )

  for (const refundedFirst of [false, true]) {
    it.effect(
      `cancelled in part, then the rest, and refunded by card ${refundedFirst ? "before" : "after"}: credit notes make up the invoice, and no more`,
      () =>
        Effect.gen(function* () {
          const { books } = yield* RunningService
          const { siteId } = yield* listSite()
          const who = yield* buyer({ creditCents: 200 })
          const bought = yield* order(who, [item(siteId), item(siteId), item(siteId, { tier2_links: 1 })])
          const sessionId = linkOf(bought)
          yield* deliver(yield* payUnnoticed(sessionId))
          const [{ orderId = OrderId.make(""), linkIds = [] } = {}] = ordersOf(yield* books, who)
          const card = bought.card_amount_cents
          if (refundedFirst) yield* refund(`ch_${sessionId}`, card)
          const { cancelLink } = yield* FulfilLinks
          yield* cancelLink(linkIds[1] ?? LinkId.make(""), "the buyer asked", by, { refunded: refundedFirst })
          const invoice = yield* invoiceOf(who, orderId)
          const notes = (all: ReadonlyArray<InvoiceRecord>) => all.filter(({ kind }) => kind === "credit_note")
          expect(notes(yield* untilInvoices(who, (all) => notes(all).length > 0))).toHaveLength(1)
          expect(Result.isSuccess(yield* cancel(orderId, refundedFirst))).toBe(true)
          if (!refundedFirst) yield* refund(`ch_${sessionId}`, card)
          const before = notes(yield* untilInvoices(who, (all) => notes(all).length > 2))
          const { pass } = yield* IssueInvoices
          yield* pass(true)
          const { invoices } = yield* who.api.invoices.listInvoices({ query: { limit: 50 } })
          expect(notes(invoices)).toEqual(before)
          expect(before).toHaveLength(3)
          const centsOf = (part: "total_eur" | "net_eur" | "vat_eur") =>
            before.reduce((cents, note) => cents + Math.round(note[part] * 100), 0)
          for (const part of ["total_eur", "net_eur", "vat_eur"] as const) {
            expect(centsOf(part), part).toBe(Math.round(invoice[part] * 100))
          }
          expect(centsOf("total_eur")).toBe(bought.credit_applied_cents + card)
          yield* expectConsistentBooks
        })
    )
  }

  it.effect("refunds with the cancellation, 12 times at the same moment: given back once", () =>
    Effect.gen(function* () {
      for (const _ of times(12, () => 0)) {
        const { orderId, chargeId, balance } = yield* paidOrder
        const cancelled = yield* Effect.all([cancel(orderId), ...times(3, () => refund(chargeId, 300))], {
          concurrency: "unbounded"
        })
        expect(yield* balance).toBe(Result.isResult(cancelled[0]) && Result.isSuccess(cancelled[0]) ? 200 : 0)
      }
      yield* expectConsistentBooks
    })
  )

  it.effect("a dispute blocks unpublished links until it is won", () =>
    Effect.gen(function* () {
      const { linkId, orderId, chargeId } = yield* paidOrder
      const links = yield* FulfilLinks
      expect(countEach(yield* concurrently(times(5, () => dispute(chargeId, "created", "needs_response"))))).toEqual({
        recorded: 1,
        repeated: 4
      })
      const refused = yield* Effect.flip(links.advance(LinkId.make(linkId), "drafted", by))
      expect(refused).toMatchObject({ _tag: "InvalidTransition", reason: expect.stringContaining(`du_${chargeId}`) })
      expect(Result.isFailure(yield* cancel(orderId))).toBe(true)
      expect(yield* dispute(chargeId, "closed", "won")).toBe("recorded")
      expect(yield* dispute(chargeId, "created", "needs_response")).toBe("repeated")
      expect((yield* links.advance(LinkId.make(linkId), "drafted", by)).status).toBe("drafted")
      expect(Result.isSuccess(yield* cancel(orderId))).toBe(true)
      yield* expectConsistentBooks
    })
  )

  it.effect("a dispute that closes as lost before its creation is told, after a cancellation", () =>
    Effect.gen(function* () {
      const { orderId, chargeId, balance } = yield* paidOrder
      yield* cancel(orderId)
      expect(yield* dispute(chargeId, "closed", "lost")).toBe("recorded")
      expect(yield* dispute(chargeId, "created", "needs_response")).toBe("repeated")
      expect(yield* balance).toBe(200)
      yield* expectConsistentBooks
    })
  )

  it.effect("what was spent meanwhile cannot be taken back, and reconciliation names it", () =>
    Effect.gen(function* () {
      const { reconcile } = yield* Reconcile
      const { who, quoteId, orderId, chargeId, balance } = yield* paidOrder
      yield* cancel(orderId)
      const accounts = yield* ManageAccounts
      const spent = { accountId: who.accountId, cents: 450, reference: `spent ${orderId}`, reason: "paid out" }
      yield* accounts.debitOnce(spent, by)
      expect(yield* refund(chargeId, 300)).toBe("recorded")
      expect(yield* balance).toBe(0)
      expect((yield* reconcile()).violations).toMatchObject([
        { invariant: "money_goes_back_once", subject: quoteId, message: expect.stringContaining("250 too many") }
      ])
      // Once there is credit again, Stripe's next notice takes the rest.
      yield* accounts.topUp({ accountId: who.accountId, cents: 250, reference: "back" }, by)
      expect(yield* refund(chargeId, 300)).toBe("recorded")
      yield* expectConsistentBooks
    })
  )
})
