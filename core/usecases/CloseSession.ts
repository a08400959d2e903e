// Makes a processor's session unpayable, for whoever must be sure that nobody pays a quote any more. Where it turns out to have
// been paid, that payment is settled.
import { Effect } from "effect"
import type { PaymentMismatch } from "#core/domain/Refusal.ts"
import type { PaymentProcessor } from "#core/ports/PaymentProcessor.ts"
import type { SettlePayment } from "./SettlePayment.ts"

/** Money has moved, and nothing here accounts for it: somebody has to look into it, whatever the caller is told. */
const report = (failure: PaymentMismatch) => Effect.logError("A payment does not fit its quote", failure)

/** Answers the quote of a session that was paid, as the payment left it, and `null` where nobody has paid or can pay. */
export const makeCloseSession = (processor: PaymentProcessor["Service"], payments: SettlePayment["Service"]) =>
  Effect.fnUntraced(function* (session: { readonly quoteId: string; readonly sessionId: string | null }) {
    const closed = yield* processor.expire(session)
    if (closed.outcome === "expired") return null
    const { quote } = yield* Effect.tapErrorTag(payments.settle(closed.payment), "PaymentMismatch", report)
    return quote
  })
