// All operations of the API, by group and name, built once for every way of calling them.
import { Context, Effect, Layer } from "effect"
import { balanceOperations } from "./BalanceOperations.ts"
import { catalogOperations } from "./CatalogOperations.ts"
import { deliveriesOperations } from "./DeliveriesOperations.ts"
import { invoicesOperations } from "./InvoicesOperations.ts"
import { ordersOperations } from "./OrdersOperations.ts"
import { quotesOperations } from "./QuotesOperations.ts"
import { sandboxOperations } from "./SandboxOperations.ts"
import { visibilityOperations } from "./VisibilityOperations.ts"
import { webhooksOperations } from "./WebhooksOperations.ts"

export class Operations extends Context.Service<Operations>()("backlinks/adapters/http/Operations", {
  make: Effect.all({
    balance: balanceOperations,
    catalog: catalogOperations,
    deliveries: deliveriesOperations,
    invoices: invoicesOperations,
    orders: ordersOperations,
    quotes: quotesOperations,
    sandbox: sandboxOperations,
    aiVisibility: visibilityOperations,
    webhooks: webhooksOperations
  })
}) {
  static readonly layer = Layer.effect(Operations, Operations.make)
}
