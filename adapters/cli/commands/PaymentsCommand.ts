// `payments`: money that does not fit its quote, and what became of it.
import { Command } from "effect/cli"
import { euros } from "#adapters/operator/records/Euros.ts"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { command, tableOf } from "../CallCommand.ts"
import { columns, text } from "../Columns.ts"

/** In hundredths, as the processor tells every currency of two decimals. */
const paymentColumns = columns(PaymentSetAside, {
  PAYMENT: "paymentId",
  QUOTE: "quoteId",
  AMOUNT: ({ amountCents, currency }) => `${euros(amountCents)} ${currency}`,
  CAME: "atMs",
  WRONG: text("reason"),
  OUTCOME: text(({ outcome }) => outcome ?? "to be decided")
})

const setAsideText = tableOf(paymentColumns, "No payment is set aside.")

const resolve = command("resolve", "resolvePayment", {
  about: "Record what became of money that was set aside; decided once, and audited",
  says: ({ amountCents, currency, quoteId }, { outcome }) =>
    `${euros(amountCents)} ${currency} for quote ${quoteId} are ${outcome === "credited" ? "credit of its account" : "recorded as refunded"}.`
})

export const paymentsCommand = command("payments", "listSetAside", {
  about: "List payments that do not fit their quote, and say what became of them",
  fixed: { limit: MAX_PAGE },
  says: ({ payments }, ...rest) => setAsideText(payments, ...rest)
}).pipe(Command.withSubcommands([resolve]))
