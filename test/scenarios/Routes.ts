// The routes of the API definition, each with a request that its owner may send. Tests that go over every route go over these,
// so that a new route is met by all of them; what must come back is for each test.
import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { RequiredScope } from "#adapters/http/api/Access.ts"
import { Api } from "#adapters/http/api/Api.ts"
import type { Scope } from "#core/domain/ApiKey.ts"
import { cart, item } from "./Buyers.ts"

export interface Route {
  /** `createOrder`. */
  readonly name: string
  readonly method: string
  /** With its parameters as they are declared: `/api/v1/agent/orders/:id`. */
  readonly path: string
  readonly scope: Scope
  readonly takesBody: boolean
}

const routeOf = (endpoint: HttpApiEndpoint.Top): Route => ({
  name: endpoint.identifier,
  method: endpoint.method,
  path: endpoint.path,
  // An endpoint without a scope fails here, and with it every test of routes.
  scope: Context.get(endpoint.annotations as Context.Context<RequiredScope>, RequiredScope),
  takesBody: endpoint.payload.size > 0
})

export const routes: ReadonlyArray<Route> = (() => {
  const found: Array<Route> = []
  HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => found.push(routeOf(endpoint)) })
  return found
})()

/** What a route's `:id` is the id of. */
export type ResourceKind = "site" | "quote" | "order" | "webhook" | "project"

const THINGS: ReadonlyArray<readonly [within: string, thing: ResourceKind]> = [
  ["/catalog/:id", "site"],
  ["/quotes/:id", "quote"],
  ["/orders/:id", "order"],
  ["/webhooks/:id", "webhook"],
  ["/projects/:id", "project"]
]

/** `undefined` where the path has no parameter. Throws for a parameter of a kind that nobody thought of yet. */
export const resourceKindOf = ({ path, name }: Route): ResourceKind | undefined => {
  if (!path.includes(":")) return undefined
  const known = THINGS.find(([within]) => path.includes(within))
  if (known === undefined) throw new Error(`${name} has a parameter that is not known to these tests: ${path}`)
  return known[1]
}

const BODIES: Readonly<Record<string, unknown>> = {
  createOrder: cart([item(1)]),
  createWebhook: { url: "http://127.0.0.1:1/in", events: ["order.accepted"] },
  advanceSandboxOrder: { to: "published" }
}

/** A body that the route's schema takes; `undefined` where it takes none. */
export const bodyFor = ({ name, takesBody }: Route): unknown => {
  if (takesBody && BODIES[name] === undefined) throw new Error(`${name} takes a body that is not known to these tests`)
  return BODIES[name]
}

const QUERIES: Readonly<Record<string, string>> = { findQuote: "?idempotency_key=none" }

/** The path with this id in the place of its first parameter, an unknown one in the others, and the query it cannot do without. */
export const pathWith = ({ name, path }: Route, id: string): string =>
  path.replace(/:\w+/, id).replaceAll(/:\w+/g, "unknown") + (QUERIES[name] ?? "")

export const title = ({ method, path }: Route): string => `${method} ${path}`
