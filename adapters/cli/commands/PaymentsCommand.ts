// `payments`: money that could not be booked, what became of it, and accounts that owe something.
import { Command } from "effect/cli"
import { euros } from "#adapters/operator/records/Euros.ts"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { command, tableOf } from "../CallCommand.ts"
import { columns, text } from "../Columns.ts"
import { owingText } from "./BooksCommands.ts"

/** In hundredths, as the processor tells every currency of two decimals. */
const paymentColumns = columns(PaymentSetAside, {
  PAYMENT: "paymentId",
  FOR: "quoteId",
  AMOUNT: ({ amountCents, currency }) => `${euros(amountCents)} ${currency}`,
  CAME: "atMs",
  WRONG: text("reason"),
  OUTCOME: text(({ outcome }) => outcome ?? "to be decided")
})

const setAsideText = tableOf(paymentColumns, "No payment is set aside.")

const resolve = command("resolve", "resolvePayment", {
  about: "Record what became of money that was set aside; decided once, and audited",
  says: ({ amountCents, currency, quoteId }, { outcome }) =>
    `${euros(amountCents)} ${currency} for ${quoteId} ${outcome === "credited" ? "were credited to its account" : "are recorded as refunded"}.`
})

export const paymentsCommand = command("payments", "listSetAside", {
  about: "List payments that could not be booked and accounts that owe something, and say what became of a payment",
  fixed: { limit: MAX_PAGE },
  says: ({ payments, owing }, ...rest) =>
    [setAsideText(payments, ...rest), ...(owing.length === 0 ? [] : [owingText(owing)])].join("\n")
}).pipe(Command.withSubcommands([resolve]))
