// `payments`: money that does not fit its quote, and what became of it.
import { Argument, Command, Flag } from "effect/cli"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { PaymentId } from "#core/domain/shared/Ids.ts"
import { idColumn, textColumn, timeText } from "../Columns.ts"
import { withClient } from "../Connect.ts"
import { euros } from "../Euros.ts"
import { printResult } from "../Output.ts"
import { table } from "../Table.ts"

/** In hundredths, as the processor tells every currency of two decimals. */
const columns = [
  idColumn<PaymentSetAside>("PAYMENT", ({ paymentId }) => paymentId),
  idColumn<PaymentSetAside>("QUOTE", ({ quoteId }) => quoteId),
  idColumn<PaymentSetAside>("AMOUNT", ({ amountCents, currency }) => `${euros(amountCents)} ${currency}`),
  idColumn<PaymentSetAside>("CAME", ({ atMs }) => timeText(atMs)),
  textColumn<PaymentSetAside>("WRONG", ({ reason }) => reason),
  textColumn<PaymentSetAside>("OUTCOME", ({ outcome }) => outcome ?? "to be decided")
]

const resolve = Command.make(
  "resolve",
  {
    payment: Argument.String("payment").pipe(
      Argument.withDescription("Payment id, as listed by `operator payments`"),
      Argument.withSchema(PaymentId)
    ),
    outcome: Argument.Literals("outcome", ["refunded", "credited"]).pipe(
      Argument.withDescription("refunded: you gave it back at the processor; credited: credit for the account, now")
    ),
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the audit"), Flag.withMetavar("TEXT"))
  },
  withClient((client, { payment: paymentId, outcome, reason }) =>
    printResult(client.resolvePayment({ paymentId, outcome, reason }), ({ amountCents, currency, quoteId }) =>
      outcome === "credited"
        ? `${euros(amountCents)} ${currency} for quote ${quoteId} are credit of its account.`
        : `${euros(amountCents)} ${currency} for quote ${quoteId} are recorded as refunded.`
    )
  )
).pipe(Command.withDescription("Record what became of money that was set aside; decided once, and audited"))

export const paymentsCommand = Command.make(
  "payments",
  {},
  withClient((client) =>
    printResult(client.listSetAside({ limit: MAX_PAGE }), ({ payments }, width) =>
      payments.length === 0 ? "No payment is set aside." : table(columns, payments, width)
    )
  )
).pipe(
  Command.withDescription("List payments that do not fit their quote, and say what became of them"),
  Command.withSubcommands([resolve])
)
