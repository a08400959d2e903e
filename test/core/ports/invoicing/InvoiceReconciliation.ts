// Numbered documents for tests that break them: two invoices with two lines each, and a credit note.
import { Effect } from "effect"
import { InvoiceId, LinkId, type OrderId } from "#core/domain/shared/Ids.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { terms } from "#test/core/InvoiceGiven.ts"
import { cancelLinkById } from "../ordering/OrderSteps.ts"
import { buyer } from "../ShopSetup.ts"
import { issueAllDue, orderOfLinks } from "./InvoiceSteps.ts"

export const invoicedOrders = Effect.gen(function* () {
  yield* (yield* Invoices).noteSeller(terms())
  const ada = yield* buyer(50_000)
  const first = yield* orderOfLinks(ada, 2)
  const second = yield* orderOfLinks(ada, 2)
  yield* cancelLinkById(first.linkIds[0] ?? LinkId.make(""))
  const issued = yield* issueAllDue()
  const idOf = (kind: string, orderId: OrderId): InvoiceId =>
    issued.find((one) => one.kind === kind && one.orderId === orderId)?.invoiceId ?? InvoiceId.make("")
  return {
    accountId: ada.account.accountId,
    firstOrder: first.orderId,
    secondOrder: second.orderId,
    openLink: first.linkIds[1] ?? LinkId.make(""),
    first: idOf("invoice", first.orderId),
    second: idOf("invoice", second.orderId),
    note: idOf("credit_note", first.orderId)
  }
})
