// Accounts and keys as the operator makes them, and carts as agents send them. Each test makes its own buyers, so that tests can share
// a service.
import { randomUUID } from "node:crypto"
import { Context, Effect, Redacted } from "effect"
import { HttpClient } from "effect/http"
import type { OrderItem, OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { type ApiClient, makeSharedClient } from "#adapters/http/api/Client.ts"
import { ALL_SCOPES, type ApiKey, noLimits, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { Credentials, type NewKey } from "#core/usecases/access/Credentials.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { RunningService } from "./RunningService.ts"

export const by = "scenario"

export const topUp = Effect.fnUntraced(function* (accountId: AccountId, cents: number) {
  const accounts = yield* ManageAccounts
  return yield* accounts.topUp({ accountId, cents, reference: "scenario" }, by)
})

export interface KeyWish extends Partial<Pick<NewKey, "mode" | "scopes">> {
  readonly limits?: Partial<SpendLimits>
}

/** Whose key a call of the shared client sends. */
const CallingKey = Context.Reference<Redacted.Redacted>("backlinks/test/CallingKey", {
  defaultValue: () => Redacted.make("")
})

/** One client for all buyers of a service: making one for each took a tenth of the scenarios in memory. */
const clients = new WeakMap<object, Map<string, ApiClient>>()

const sharedClient = (context: Context.Context<HttpClient.HttpClient>, url: string): ApiClient => {
  const http = Context.get(context, HttpClient.HttpClient)
  const byUrl = clients.get(http) ?? new Map<string, ApiClient>()
  clients.set(http, byUrl)
  const client = byUrl.get(url) ?? Effect.runSyncWith(context)(makeSharedClient(url, CallingKey))
  byUrl.set(url, client)
  return client
}

/** The same client, or a part of it, whose calls send this key. */
const withKey = <Part extends object>(part: Part, key: Redacted.Redacted): Part =>
  new Proxy(part, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member === "function")
        return (...args: ReadonlyArray<unknown>) =>
          // Each method of the client returns an effect.
          Effect.provideService(member(...args) as Effect.Effect<unknown>, CallingKey, key)
      return typeof member === "object" && member !== null ? withKey(member, key) : member
    }
  })

/** A credential with its text, and a client made from the API definition. */
export const clientOf = Effect.fnUntraced(function* (
  { accountId, keyId }: Pick<ApiKey, "accountId" | "keyId">,
  text: Redacted.Redacted
) {
  const { url } = yield* RunningService
  const context = yield* Effect.context<HttpClient.HttpClient>()
  return {
    accountId,
    keyId,
    key: Redacted.value(text),
    get api(): ApiClient {
      return withKey(sharedClient(context, url), text)
    }
  }
})

export const issueKey = Effect.fnUntraced(function* (accountId: AccountId, wish: KeyWish = {}) {
  const keys = yield* Credentials
  const { mode = "live", scopes = ALL_SCOPES, limits } = wish
  const order = { accountId, mode, scopes, label: "scenario", limits: { ...noLimits, ...limits } }
  const { key, text } = yield* keys.issue(order, by)
  return yield* clientOf(key, text)
})

export type Buyer = Effect.Success<ReturnType<typeof clientOf>>

export interface BuyerWish extends KeyWish {
  readonly creditCents?: number
}

/** A new account with this much credit, and its first key. */
export const buyer = Effect.fnUntraced(function* ({ creditCents = 0, ...wish }: BuyerWish = {}) {
  const accounts = yield* ManageAccounts
  const { accountId } = yield* accounts.open({ name: "Ada", email: `${randomUUID()}@brand.example` }, by)
  if (creditCents > 0) yield* topUp(accountId, creditCents)
  return yield* issueKey(accountId, wish)
})

export const freshKey = (): string => randomUUID()

/** One link by a new article. */
export const item = (siteId: number, over: Partial<OrderItem> = {}): OrderItem => ({
  site_id: siteId,
  target_url: "https://brand.example/page",
  anchor_text: "a fine page",
  anchor_type: "partial",
  format: "new_article",
  tier2_links: 0,
  ...over
})

export const insertion = (article: { readonly siteId: number; readonly articleId: number }): OrderItem =>
  item(article.siteId, { format: "insertion", article_id: article.articleId })

export const cart = (items: ReadonlyArray<OrderItem>, over: Partial<OrderRequest> = {}): OrderRequest => ({
  items,
  dry_run: false,
  ...over
})

/** The quote that an idempotency key made, by the typed client. */
export const quoteOf = ({ api }: Pick<Buyer, "api">, idempotencyKey: string) =>
  Effect.flatMap(api.quotes.findQuote({ query: { idempotency_key: idempotencyKey } }), (found) =>
    "quotes" in found ? Effect.die("a list in place of the quote") : Effect.succeed(found)
  )

/** An order by the typed client. Its refusal is the error body. */
export const order = (
  { api }: Pick<Buyer, "api">,
  items: ReadonlyArray<OrderItem>,
  over: Partial<OrderRequest> & { readonly idempotencyKey?: string } = {}
) => {
  const { idempotencyKey, ...rest } = over
  return api.orders.createOrder({
    payload: cart(items, rest),
    headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
  })
}
