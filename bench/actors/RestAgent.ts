// An agent that buys for its human over REST, with nothing but its key and the typed client. What it buys, and when, is decided
// by whoever plays it.
import { Effect, type Redacted } from "effect"
import type { Balance } from "#adapters/contract/Balance.ts"
import type { CatalogPage } from "#adapters/contract/Catalog.ts"
import type { OrderRequest } from "#adapters/contract/OrderRequest.ts"
import type { OrderDetail } from "#adapters/contract/Orders.ts"
import type { QuoteResponse } from "#adapters/contract/QuoteResponse.ts"
import type { QuoteStatus } from "#adapters/contract/Quotes.ts"
import { makeClient } from "#adapters/http/api/Client.ts"
import { counted } from "#core/domain/Counted.ts"
import { formatEur } from "#core/domain/Money.ts"
import type { Shelf } from "#core/domain/Shelf.ts"
import { TestService } from "../service/TestService.ts"
import { Receiver } from "../service/WebhookReceiver.ts"
import { Actors, type StepResult, toResult } from "./Actors.ts"

/** What any agent can do, over REST or MCP. */
export interface Agent {
  readonly search: (query: { readonly shelf: Shelf; readonly limit: number }) => Effect.Effect<StepResult<CatalogPage>>
  /** `words` say what is ordered, such as "orders 2 links". */
  readonly order: (request: OrderRequest, key: string, words: string) => Effect.Effect<StepResult<QuoteResponse>>
  readonly quote: (quoteId: string) => Effect.Effect<StepResult<QuoteStatus>>
  readonly follow: (orderId: string) => Effect.Effect<StepResult<OrderDetail>>
  readonly balance: Effect.Effect<StepResult<Balance>>
}

export interface Identity {
  readonly actorId: string
  readonly apiKey: Redacted.Redacted<string>
}

export const words = {
  found: ({ total, sites }: CatalogPage) => `${counted(total, "site")}; the first is ${sites[0]?.domain ?? "none"}`,
  ordered: ({ summary }: QuoteResponse) => summary,
  quoted: ({ status, order_id }: QuoteStatus) =>
    `the quote is ${status}${order_id === null ? "" : `, order ${order_id}`}`,
  followed: ({ order_status, items }: OrderDetail) =>
    `the order is ${order_status}; its links are ${items.map(({ status }) => status).join(", ")}`,
  balance: ({ available_cents, held_cents }: Balance) =>
    `${formatEur(available_cents)} available, ${formatEur(held_cents)} held`
}

/** What only REST has: giving up, webhooks, and the sandbox's own verbs. */
export const makeRestOnly = Effect.fnUntraced(function* ({ actorId, apiKey }: Identity) {
  const { run } = yield* Actors
  const { url: baseUrl } = yield* TestService
  const receiver = yield* Receiver
  const client = yield* makeClient({ baseUrl, apiKey })
  return {
    client,
    giveUp: (quoteId: string) =>
      run({
        actorId,
        action: "gives the quote up",
        call: toResult(client.quotes.abandonQuote({ params: { id: quoteId } })),
        say: words.quoted
      }),
    /** To a URL of its own at the receiver, which is told the secret. */
    subscribe: run({
      actorId,
      action: "subscribes to all events",
      call: toResult(
        Effect.tap(
          client.webhooks.createWebhook({
            payload: {
              url: receiver.urlOf(actorId),
              events: ["order.accepted", "order.published", "order.cancelled"]
            }
          }),
          ({ id: webhookId, secret }) => Effect.sync(() => receiver.expect(actorId, { webhookId, secret }))
        )
      ),
      say: ({ events }) => `${counted(events.length, "kind")} of event will be sent, signed with a secret told only now`
    }),
    payInSandbox: (quoteId: string) =>
      run({
        actorId,
        action: "pretends that its human paid",
        call: toResult(client.sandbox.paySandboxQuote({ params: { id: quoteId } })),
        say: words.quoted
      }),
    advance: (orderId: string, to: "drafted" | "published" | "verified") =>
      run({
        actorId,
        action: `moves the sandbox order to ${to}`,
        call: toResult(client.sandbox.advanceSandboxOrder({ params: { id: orderId }, payload: { to } })),
        say: words.followed
      })
  }
})

export type RestOnly = Effect.Success<ReturnType<typeof makeRestOnly>>

export const makeRestAgent = Effect.fnUntraced(function* ({ actorId }: Identity, { client }: RestOnly) {
  const { run } = yield* Actors
  const agent: Agent = {
    search: (query) =>
      run({
        actorId,
        action: `searches the ${query.shelf} shelf`,
        call: toResult(client.catalog.searchSites({ query })),
        say: words.found
      }),
    order: (payload, key, action) =>
      run({
        actorId,
        action,
        call: toResult(client.orders.createOrder({ payload, headers: { "idempotency-key": key } })),
        say: words.ordered
      }),
    quote: (id) =>
      run({
        actorId,
        action: "reads the quote",
        call: toResult(client.quotes.getQuote({ params: { id } })),
        say: words.quoted
      }),
    follow: (id) =>
      run({
        actorId,
        action: "reads the order",
        call: toResult(client.orders.getOrder({ params: { id } })),
        say: words.followed
      }),
    balance: run({
      actorId,
      action: "reads the balance",
      call: toResult(client.balance.getBalance()),
      say: words.balance
    })
  }
  return agent
})
