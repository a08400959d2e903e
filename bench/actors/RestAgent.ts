// An agent that buys over REST, with its API key and the typed client.
import { Effect, type Redacted } from "effect"
import type { CatalogPage } from "#adapters/contract/catalogue/Catalog.ts"
import type { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import type { OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import type { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import type { QuoteStatus } from "#adapters/contract/ordering/Quotes.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { Balance } from "#adapters/contract/wallet/Balance.ts"
import { makeClient } from "#adapters/http/api/Client.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Shelf } from "#core/domain/pricing/Shelf.ts"
import type { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { TestService } from "../service/TestService.ts"
import { WebhookReceiver } from "../service/WebhookReceiver.ts"
import { Actors, type StepResult } from "./Actors.ts"

/** What an agent can do over REST and over MCP. */
export interface Agent {
  readonly search: (query: { readonly shelf: Shelf; readonly limit: number }) => Effect.Effect<StepResult<CatalogPage>>
  /** `action` says what is ordered, such as "orders 2 links". */
  readonly order: (request: OrderRequest, key: string, action: string) => Effect.Effect<StepResult<QuoteResponse>>
  readonly quote: (quoteId: QuoteId) => Effect.Effect<StepResult<QuoteStatus>>
  readonly readOrder: (orderId: OrderId) => Effect.Effect<StepResult<OrderDetail>>
  readonly balance: Effect.Effect<StepResult<Balance>>
}

export interface Identity {
  readonly actorId: string
  readonly apiKey: Redacted.Redacted<string>
}

/** Responses in words. */
export const describe = {
  catalog: ({ total, sites }: CatalogPage) => `${counted(total, "site")}; the first is ${sites[0]?.domain ?? "none"}`,
  placed: ({ summary }: QuoteResponse) => summary,
  quote: ({ status, order_id }: QuoteStatus) =>
    `the quote is ${status}${order_id === null ? "" : `, order ${order_id}`}`,
  order: ({ order_status, items }: OrderDetail) =>
    `the order is ${order_status}; its links are ${items.map(({ status }) => status).join(", ")}`,
  balance: ({ available_cents, held_cents }: Balance) =>
    `${formatEur(available_cents)} available, ${formatEur(held_cents)} held`
}

/** The calls that only REST has. */
export const makeRestCalls = Effect.fnUntraced(function* ({ actorId, apiKey }: Identity) {
  const run = (yield* Actors).runAs(actorId)
  const { url: baseUrl } = yield* TestService
  const receiver = yield* WebhookReceiver
  const client = yield* makeClient({ baseUrl, apiKey })
  const webhook = {
    url: receiver.urlOf(actorId),
    events: ["order.accepted", "order.published", "order.cancelled"]
  } as const
  return {
    client,
    abandon: (id: QuoteId) => run("abandons the quote", client.quotes.abandonQuote({ params: { id } }), describe.quote),
    subscribe: run(
      "subscribes to all events",
      Effect.tap(client.webhooks.createWebhook({ payload: webhook }), ({ id: webhookId, secret }) =>
        Effect.sync(() => receiver.register(actorId, { webhookId, secret }))
      ),
      ({ events }) => `${counted(events.length, "kind")} of event will be sent, signed with a secret shown only now`
    ),
    advance: (orderId: OrderId, to: "drafted" | "published" | "verified") =>
      run(
        `moves the sandbox order to ${to}`,
        client.sandbox.advanceSandboxOrder({ params: { id: orderId }, payload: { to } }),
        describe.order
      )
  }
})

export type RestCalls = Effect.Success<ReturnType<typeof makeRestCalls>>

export const makeRestAgent = Effect.fnUntraced(function* ({ actorId }: Identity, { client }: RestCalls) {
  const run = (yield* Actors).runAs(actorId)
  const agent: Agent = {
    search: (query) =>
      run(
        `searches the ${query.shelf} shelf`,
        client.catalog.searchSites({ query: { ...query, shelf: [query.shelf] } }),
        describe.catalog
      ),
    order: (payload, key, action) =>
      run(action, client.orders.createOrder({ payload, headers: { "idempotency-key": key } }), describe.placed),
    quote: (id) => run("reads the quote", client.quotes.getQuote({ params: { id } }), describe.quote),
    readOrder: (id) => run("reads the order", client.orders.getOrder({ params: { id } }), describe.order),
    balance: run("reads the balance", client.balance.getBalance(), describe.balance)
  }
  return agent
})
