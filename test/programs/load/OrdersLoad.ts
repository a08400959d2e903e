// Orders of a thousand accounts, beside the same written by hand and as one statement.
import { Effect } from "effect"
import { compareInvoices } from "./InvoicedOrders.ts"
import { compareLimitedArticles, compareLimitedCode } from "./LimitedOrders.ts"
import type { Load } from "./Load.ts"
import { optionsFrom } from "./Options.ts"
import { compareOrders } from "./OrderComparison.ts"

/** Floors for 128 connections. The ratio to the handwritten peer is not reached in every run. */
const FLOORS = { handwritten: 4, pgbench: 1.2 }

export const load: Load = (args) =>
  Effect.flatMap(optionsFrom(args), (options) => {
    if (options.limitedCode) return compareLimitedCode(options)
    if (options.limitedArticles) return compareLimitedArticles(options)
    if (options.invoices) return compareInvoices(options)
    return compareOrders({ name: "orders", accounts: 1_000, pgbenchClients: 16, floors: FLOORS }, options)
  })
