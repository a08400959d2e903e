// The operator says what became of money that was set aside because it could not be booked: once, and audited.
import { Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import { PaymentMismatch, PaymentNotFound, PaymentResolved } from "#core/domain/ordering/PaymentRefusal.ts"
import type { PaymentSetAside, SetAsideOutcome } from "#core/domain/ordering/PaymentSetAside.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { type PayableId, type PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { isTopUpId, type TopUp } from "#core/domain/wallet/TopUp.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { recordFirstPayment } from "../members/AccountState.ts"
import { bookCredit } from "../wallet/OwedCredit.ts"
import { bookTopUpPayment } from "../wallet/TopUps.ts"

export interface Resolution {
  readonly paymentId: PaymentId
  readonly outcome: SetAsideOutcome
  readonly reason: string
  readonly actor: Actor
}

/** What the money was paid for. */
const payableOf = (books: Books, id: PayableId): Quote | TopUp | undefined =>
  isTopUpId(id) ? find(books.topUps, id) : find(books.quotes, QuoteId.make(id))

const creditQuote = (draft: Draft, { quoteId, accountId }: Quote, payment: PaymentSetAside): void => {
  const { paymentId, amountCents: cents, currency } = payment
  draft.record({ _tag: "PaymentRecorded", payment: { paymentId, quoteId, amountCents: cents, currency } })
  bookCredit(draft, accountId, { kind: "late_payment", cents }, { quoteId })
  draft.record({ _tag: "QuoteCredited", quoteId, cents })
  recordFirstPayment(draft, accountId)
}

/** Repeating the same outcome changes nothing. Only euros can become credit. */
export const resolvePayment =
  ({
    paymentId,
    outcome,
    reason,
    actor
  }: Resolution): Decide<PaymentSetAside, PaymentNotFound | PaymentResolved | PaymentMismatch> =>
  (books, context) => {
    const found = find(books.setAside, paymentId)
    const paidFor = found === undefined ? undefined : payableOf(books, found.quoteId)
    if (found === undefined || paidFor === undefined) return Result.fail(new PaymentNotFound({ paymentId }))
    if (found.outcome === outcome) return Result.succeed(unchanged(found))
    if (found.outcome !== null) return Result.fail(new PaymentResolved({ paymentId, outcome: found.outcome }))
    const { quoteId, amountCents: cents, currency } = found
    if (outcome === "credited" && currency !== "EUR") {
      return Result.fail(new PaymentMismatch({ quoteId, reason: "currency" }))
    }
    const draft = new Draft(books, context)
    const resolved: PaymentSetAside = { ...found, outcome }
    draft.record({ _tag: "PaymentSetAside", setAside: resolved })
    if (outcome === "credited") {
      if ("topUpId" in paidFor) bookTopUpPayment(draft, paidFor, paymentId)
      else creditQuote(draft, paidFor, found)
    }
    audit(draft, actor, {
      action: "payment.resolve",
      subject: paymentId,
      accountId: paidFor.accountId,
      details: { quote: quoteId, outcome, reason, cents, currency }
    })
    return Result.succeed(draft.decided(resolved))
  }
