// Which methods each path of the server takes, to tell "no such path" from "not that method".
import { FindMyWay, type HttpRouter } from "effect/http"
import { HttpApi } from "effect/http-api"
import { MethodNotAllowed, RouteNotFound } from "#adapters/contract/errors/AdapterFailure.ts"
import { Api } from "./api/Api.ts"

export interface ServedRoute {
  readonly method: string
  readonly path: HttpRouter.PathInput
}

export interface RouteTable {
  /** Why nothing answered at this URL. */
  readonly failureFor: (url: string) => RouteNotFound | MethodNotAllowed
}

/** Every endpoint of the API definition, with the paths as the router reads them. */
export const apiRoutes: ReadonlyArray<ServedRoute> = (() => {
  const routes: Array<ServedRoute> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    // The path of an endpoint always starts with a slash; the definition only types it as text.
    onEndpoint: ({ endpoint }) => routes.push({ method: endpoint.method, path: endpoint.path as HttpRouter.PathInput })
  })
  return routes
})()

/** A GET answers HEAD as well. */
const methodsOf = (methods: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))].sort()

const ANY = "ANY"

/** Paths are case-sensitive, and an id longer than any of ours is an unknown id, not an unknown path. */
export const ROUTER_CONFIG = { caseSensitive: true, maxParamLength: 2_048 } as const

export const makeRouteTable = (routes: ReadonlyArray<ServedRoute>): RouteTable => {
  const finder = FindMyWay.make<ReadonlyArray<string>>(ROUTER_CONFIG)
  const byPath = Map.groupBy(routes, ({ path }) => path)
  for (const [path, at] of byPath) finder.on(ANY, path, methodsOf(at.map(({ method }) => method)))
  return {
    failureFor: (url) => {
      const allowed = finder.find(ANY, url)?.handler
      return allowed === undefined ? new RouteNotFound() : new MethodNotAllowed({ allowed })
    }
  }
}
