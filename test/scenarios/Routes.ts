// The routes of the API definition, each with a valid request of its owner. Tests that cover every route use this list, and so cover a
// new route.
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { RequiredScope } from "#adapters/http/api/Access.ts"
import { Api } from "#adapters/http/api/Api.ts"
import type { Scope } from "#core/domain/access/ApiKey.ts"
import { cart, item } from "./Buyers.ts"

export interface Route {
  /** `createOrder`. */
  readonly name: string
  readonly method: string
  /** The path with its parameters: `/api/v1/agent/orders/:id`. */
  readonly path: string
  readonly scope: Scope
  readonly takesBody: boolean
}

const routeOf = (endpoint: HttpApiEndpoint.Top): Route => ({
  name: endpoint.identifier,
  method: endpoint.method,
  path: endpoint.path,
  // Throws for an endpoint without a scope.
  scope: Context.get(endpoint.annotations as Context.Context<RequiredScope>, RequiredScope),
  takesBody: endpoint.payload.size > 0
})

export const routes: ReadonlyArray<Route> = (() => {
  const found: Array<Route> = []
  HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => found.push(routeOf(endpoint)) })
  return found
})()

/** The kind of resource that a route's `:id` identifies. */
export type ResourceKind = "site" | "quote" | "order" | "webhook" | "project" | "invoice"

const THINGS: ReadonlyArray<readonly [within: string, thing: ResourceKind]> = [
  ["/catalog/:id", "site"],
  ["/quotes/:id", "quote"],
  ["/orders/:id", "order"],
  ["/webhooks/:id", "webhook"],
  ["/projects/:id", "project"],
  ["/invoices/:id", "invoice"]
]

/** `undefined` for a path without parameter. Throws for an unlisted kind. */
export const resourceKindOf = ({ path, name }: Route): ResourceKind | undefined => {
  if (!path.includes(":")) return undefined
  const known = THINGS.find(([within]) => path.includes(within))
  if (known === undefined) throw new Error(`${name} has a parameter that is not known to these tests: ${path}`)
  return known[1]
}

const BODIES: Readonly<Record<string, unknown>> = {
  createOrder: cart([item(1)]),
  createWebhook: { url: "http://127.0.0.1:1/in", events: ["order.accepted"] },
  changeWebhook: { active: true },
  replayWebhook: { from: "2026-11-21" },
  cancelOrder: {},
  changeLink: { anchor_text: "another page" },
  advanceSandboxOrder: { to: "published" },
  declineSandboxQuote: { reason: "Not now." }
}

/** A body that the route's schema accepts; `undefined` if it takes none. */
export const bodyFor = ({ name, takesBody }: Route): unknown => {
  if (takesBody && BODIES[name] === undefined) throw new Error(`${name} takes a body that is not known to these tests`)
  return BODIES[name]
}

const QUERIES: Readonly<Record<string, string>> = {
  findQuote: "?idempotency_key=none",
  requestTopUp: "?amount_eur=50"
}

/** The path with this id as its first parameter, unknown ids as the others, and the query that it requires. */
export const pathWith = ({ name, path }: Route, id: string): string =>
  path.replace(/:\w+/, id).replaceAll(/:\w+/g, "unknown") + (QUERIES[name] ?? "")

export const title = ({ method, path }: Route): string => `${method} ${path}`
