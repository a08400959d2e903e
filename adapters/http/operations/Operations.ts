// All operations of the API by name, built once for every way of calling them.
import { Context, Effect, Layer } from "effect"
import type { Api } from "../api/Api.ts"
import { balanceOperations } from "./BalanceOperations.ts"
import { catalogOperations } from "./CatalogOperations.ts"
import { deliveriesOperations } from "./DeliveriesOperations.ts"
import { eventsOperations } from "./EventsOperations.ts"
import { invoicesOperations } from "./InvoicesOperations.ts"
import { linksOperations } from "./LinksOperations.ts"
import { meOperations } from "./MeOperations.ts"
import type { AnyOperation, OperationsOf } from "./Operation.ts"
import type { OperationName } from "./OperationRequest.ts"
import { ordersOperations } from "./OrdersOperations.ts"
import { quotesOperations } from "./QuotesOperations.ts"
import { sandboxOperations } from "./SandboxOperations.ts"
import { visibilityOperations } from "./VisibilityOperations.ts"
import { webhooksOperations } from "./WebhooksOperations.ts"

type Groups = typeof Api.groups

/** A group without its operations, or an operation missing in one, does not compile. */
type OperationsByGroup = { readonly [Id in keyof Groups]: OperationsOf<Groups[Id]> }

const byGroup = Effect.all({
  balance: balanceOperations,
  catalog: catalogOperations,
  deliveries: deliveriesOperations,
  events: eventsOperations,
  invoices: invoicesOperations,
  links: linksOperations,
  me: meOperations,
  orders: ordersOperations,
  quotes: quotesOperations,
  sandbox: sandboxOperations,
  aiVisibility: visibilityOperations,
  webhooks: webhooksOperations
})

const byName = (groups: OperationsByGroup): Readonly<Record<OperationName, AnyOperation>> =>
  Object.assign({}, ...Object.values(groups))

export class Operations extends Context.Service<Operations>()("backlinks/http/operations/Operations", {
  make: Effect.map(byGroup, byName)
}) {
  static readonly layer = Layer.effect(Operations, Operations.make)
}
