// The tools that /mcp/full has beside the eleven: what follows a purchase.
import { PAGE_SIZE, PageQuery } from "#adapters/contract/schema/Paging.ts"
import { TopUpQuery } from "#adapters/contract/wallet/TopUps.ts"
import { readTool, type Tool } from "./Tool.ts"

const listInvoices = readTool({
  name: "list_invoices",
  title: "List invoices and receipts",
  description: [
    "Lists the account's invoices, credit notes and receipts, newest first: number, date and amounts with and without VAT.",
    "Use it when the user asks for an invoice or does the books. Free.",
    "If there are none, tell the user: an order is invoiced within a minute, sandbox orders never.",
    "The PDF is on the member area's page Invoices."
  ],
  input: PageQuery,
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

export const furtherTools: ReadonlyArray<Tool> = [listInvoices, requestTopUp]
