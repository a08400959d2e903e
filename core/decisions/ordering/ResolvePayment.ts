// The operator says what became of money that was set aside because it did not fit its quote: once, and audited.
import { Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import { PaymentMismatch, PaymentNotFound, PaymentResolved } from "#core/domain/ordering/PaymentRefusal.ts"
import type { PaymentSetAside, SetAsideOutcome } from "#core/domain/ordering/PaymentSetAside.ts"
import type { PaymentId } from "#core/domain/shared/Ids.ts"
import { find } from "../Books.ts"
import { audit, type Decide, Draft, ledgerEntry, unchanged } from "../Draft.ts"
import { recordFirstPayment } from "../members/AccountState.ts"

export interface Resolution {
  readonly paymentId: PaymentId
  readonly outcome: SetAsideOutcome
  readonly reason: string
  readonly actor: Actor
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
    const quote = found === undefined ? undefined : find(books.quotes, found.quoteId)
    if (found === undefined || quote === undefined) return Result.fail(new PaymentNotFound({ paymentId }))
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
      draft.record({ _tag: "PaymentRecorded", payment: { paymentId, quoteId, amountCents: cents, currency } })
      const entry = ledgerEntry(draft, quote.accountId, { kind: "late_payment", cents }, { quoteId })
      draft.record({ _tag: "Credited", entry })
      draft.record({ _tag: "QuoteCredited", quoteId, cents })
      recordFirstPayment(draft, quote.accountId)
    }
    audit(draft, actor, {
      action: "payment.resolve",
      subject: paymentId,
      accountId: quote.accountId,
      details: { quote: quoteId, outcome, reason, cents, currency }
    })
    return Result.succeed(draft.decided(resolved))
  }
