// An agent that buys for its human over REST, with nothing but its key and the typed client. What it buys, and when, is decided
// by whoever plays it.
import { Effect, type Redacted } from "effect"
import type { Balance } from "#adapters/contract/Balance.ts"
import type { CatalogPage } from "#adapters/contract/Catalog.ts"
import type { OrderRequest } from "#adapters/contract/OrderRequest.ts"
import type { OrderDetail } from "#adapters/contract/Orders.ts"
import type { QuoteAnswer } from "#adapters/contract/QuoteAnswer.ts"
import type { QuoteStatus } from "#adapters/contract/QuoteStatus.ts"
import { makeClient } from "#adapters/http/api/Client.ts"
import { counted } from "#core/domain/Counted.ts"
import { formatEur } from "#core/domain/Money.ts"
import type { Shelf } from "#core/domain/Shelf.ts"
import { House } from "../service/House.ts"
import { Receiver } from "../service/Receiver.ts"
import { Acting, type Answer, answerOf } from "./Acting.ts"

/** What any agent can do, over REST or MCP. */
export interface Agent {
  readonly search: (query: { readonly shelf: Shelf; readonly limit: number }) => Effect.Effect<Answer<CatalogPage>>
  /** `words` say what is ordered, such as "orders 2 links". */
  readonly order: (request: OrderRequest, key: string, words: string) => Effect.Effect<Answer<QuoteAnswer>>
  readonly quote: (quoteId: string) => Effect.Effect<Answer<QuoteStatus>>
  readonly follow: (orderId: string) => Effect.Effect<Answer<OrderDetail>>
  readonly balance: Effect.Effect<Answer<Balance>>
}

export interface Identity {
  readonly actorId: string
  readonly apiKey: Redacted.Redacted<string>
}

export const words = {
  found: ({ total, sites }: CatalogPage) => `${counted(total, "site")}; the first is ${sites[0]?.domain ?? "none"}`,
  ordered: ({ summary }: QuoteAnswer) => summary,
  quoted: ({ status, order_id }: QuoteStatus) =>
    `the quote is ${status}${order_id === null ? "" : `, order ${order_id}`}`,
  followed: ({ order_status, items }: OrderDetail) =>
    `the order is ${order_status}; its links are ${items.map(({ status }) => status).join(", ")}`,
  balance: ({ available_cents, held_cents }: Balance) =>
    `${formatEur(available_cents)} available, ${formatEur(held_cents)} held`
}

/** What only REST has: giving up, webhooks, and the sandbox's own verbs. */
export const makeRestOnly = Effect.fnUntraced(function* ({ actorId, apiKey }: Identity) {
  const { act } = yield* Acting
  const { url: baseUrl } = yield* House
  const receiver = yield* Receiver
  const client = yield* makeClient({ baseUrl, apiKey })
  return {
    client,
    giveUp: (quoteId: string) =>
      act({
        actorId,
        action: "gives the quote up",
        call: answerOf(client.quotes.abandonQuote({ params: { id: quoteId } })),
        say: words.quoted
      }),
    /** To a URL of its own at the receiver, which is told the secret. */
    subscribe: act({
      actorId,
      action: "subscribes to all events",
      call: answerOf(
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
      act({
        actorId,
        action: "pretends that its human paid",
        call: answerOf(client.sandbox.paySandboxQuote({ params: { id: quoteId } })),
        say: words.quoted
      }),
    advance: (orderId: string, to: "drafted" | "published" | "verified") =>
      act({
        actorId,
        action: `moves the sandbox order to ${to}`,
        call: answerOf(client.sandbox.advanceSandboxOrder({ params: { id: orderId }, payload: { to } })),
        say: words.followed
      })
  }
})

export type RestOnly = Effect.Success<ReturnType<typeof makeRestOnly>>

export const makeRestAgent = Effect.fnUntraced(function* ({ actorId }: Identity, { client }: RestOnly) {
  const { act } = yield* Acting
  const agent: Agent = {
    search: (query) =>
      act({
        actorId,
        action: `searches the ${query.shelf} shelf`,
        call: answerOf(client.catalog.searchSites({ query })),
        say: words.found
      }),
    order: (payload, key, action) =>
      act({
        actorId,
        action,
        call: answerOf(client.orders.createOrder({ payload, headers: { "idempotency-key": key } })),
        say: words.ordered
      }),
    quote: (id) =>
      act({
        actorId,
        action: "reads the quote",
        call: answerOf(client.quotes.getQuote({ params: { id } })),
        say: words.quoted
      }),
    follow: (id) =>
      act({
        actorId,
        action: "reads the order",
        call: answerOf(client.orders.getOrder({ params: { id } })),
        say: words.followed
      }),
    balance: act({
      actorId,
      action: "reads the balance",
      call: answerOf(client.balance.getBalance()),
      say: words.balance
    })
  }
  return agent
})
