// The tools that /mcp/full has beside the eleven: what follows a purchase.
import { Schema } from "effect"
import { InvoicesQuery } from "#adapters/contract/invoicing/Invoices.ts"
import { CancelRequest } from "#adapters/contract/ordering/Cancelling.ts"
import { ChangeRequest } from "#adapters/contract/ordering/LinkChanges.ts"
import { LinksQuery } from "#adapters/contract/ordering/Links.ts"
import { IdempotencyKey } from "#adapters/contract/schema/IdempotencyKey.ts"
import { PAGE_SIZE } from "#adapters/contract/schema/Paging.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { TopUpQuery } from "#adapters/contract/wallet/TopUps.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { readTool, type Tool, writeTool } from "./Tool.ts"

const order_id = text(1).annotate({ description: "`order_id` of an order that you placed." }).pipe(idBrands.OrderId)

const idempotency_key = Schema.optionalKey(
  IdempotencyKey.annotate({ description: "One key per change the user decided on; reuse it on every retry." })
)

const cancelLinks = writeTool({
  name: "cancel_links",
  title: "Cancel links that are not begun",
  description: [
    "Cancels links of an order on which no work has begun (`to_assign`); their price comes back as prepaid credit at once.",
    'Cancels all that are asked for or, without `only: "cancellable"`, none; what is cancelled already is a success. Free, and not to be undone: ask first.',
    "Use it when the user no longer wants links. Tell the user what came back (`credited_cents`), and from `kept` what stays and who can still cancel it."
  ],
  input: Schema.Struct({ order_id, ...CancelRequest.fields, idempotency_key }),
  operation: "cancelOrder",
  pathArguments: { id: "order_id" }
})

const changeLink = writeTool({
  name: "change_link",
  title: "Change an ordered link's text",
  description: [
    "Changes target, anchor or brief of one link while it is `to_assign` or `assigned`; its price and site stay. What you leave out stays as it is.",
    "Use it when the user wants other words or another page. Free. `dry_run: true` first shows what would change.",
    "Tell the user `summary` and `warnings`. If it is refused, only the user can change it in the member area, or nobody can, because it is being written."
  ],
  input: Schema.Struct({
    order_id,
    link_id: text(1).annotate({ description: "`link_id` of a link of that order." }).pipe(idBrands.LinkId),
    ...ChangeRequest.fields,
    idempotency_key
  }),
  operation: "changeLink",
  pathArguments: { id: "order_id", link_id: "link_id" }
})

const listLinks = readTool({
  name: "list_links",
  title: "List bought links",
  description: [
    "Lists links one by one, over all orders, those of the newest order first: site, target, anchor, status, where it is online and when it is due.",
    "Use it when the user asks which sites link to them, what is overdue, or what a link with their `reference` became. Free.",
    '`scope: "account"` lists all of the account\'s; `totals` sums up all that match.',
    "Its history is in get_order_status. If there are none, a quote may be waiting for payment: read check_balance."
  ],
  input: LinksQuery,
  operation: "listLinks",
  pageSize: PAGE_SIZE
})

const listInvoices = readTool({
  name: "list_invoices",
  title: "List invoices and receipts",
  description: [
    "Lists the account's invoices, credit notes and receipts, newest first: number, date and amounts with and without VAT.",
    "Use it when the user asks for an invoice or does the books. Free.",
    "If there are none, tell the user: an order is invoiced within a minute, sandbox orders never.",
    "The PDF is on the member area's page Invoices."
  ],
  input: InvoicesQuery,
  operation: "listInvoices",
  pageSize: PAGE_SIZE
})

const requestTopUp = readTool({
  name: "request_top_up",
  title: "Ask the user to top up",
  description: [
    "Answers the page on which the user tops up prepaid credit by this amount. Free; nothing is charged or kept.",
    "Use it when the user wants to top up, or when credit does not cover an order. Pass on `tell_user`: only the user pays, signed in."
  ],
  input: TopUpQuery,
  operation: "requestTopUp"
})

export const furtherTools: ReadonlyArray<Tool> = [cancelLinks, changeLink, listLinks, listInvoices, requestTopUp]
