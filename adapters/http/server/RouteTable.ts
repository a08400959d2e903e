// The paths that are served, matched exactly, and the methods of each: to tell an unknown path (404) from a wrong method (405).
import { FindMyWay, type HttpRouter } from "effect/http"
import { MethodNotAllowed, RouteNotFound } from "#adapters/contract/errors/AdapterFailure.ts"
import { endpoints } from "../operations/OperationRequest.ts"

/** Paths that only people's browsers open, whatever they say that they accept. */
export const FOR_PEOPLE = /^\/(?:account|help|oauth|pay|sites)(?:[/?]|$)/

export interface ServedRoute {
  readonly method: string
  readonly path: HttpRouter.PathInput
}

export interface RouteTable {
  /**
   * Whether the path of this URL is a served one, spelled as the documentation spells it. The router alone also takes percent-encoded
   * spellings and drops a trailing `;x`, so that a rule of a proxy in front for one exact path would not cover the path's other spellings.
   * A parameter that is the encoded spelling of another route's fixed segment does not match, either.
   */
  readonly isExact: (url: string) => boolean
  /** Why no route matched this URL. */
  readonly failureFor: (url: string) => RouteNotFound | MethodNotAllowed
}

export const routerPath = ({ path }: { readonly path: string }): HttpRouter.PathInput =>
  // The path of an endpoint always starts with a slash, which its type does not say.
  path as HttpRouter.PathInput

/** Every endpoint of the API definition. */
export const apiRoutes: ReadonlyArray<ServedRoute> = Object.values(endpoints).map((endpoint) => ({
  method: endpoint.method,
  path: routerPath(endpoint)
}))

/** A GET route serves HEAD as well. */
const methodsOf = (methods: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))].sort()

const ANY = "ANY"

/** Paths are case-sensitive. The limit is that of every text, so that a long id is an unknown id and not an unknown path. */
export const ROUTER_CONFIG = { caseSensitive: true, maxParamLength: 2_048 } as const

/** Options of `HttpRouter.serve`: the router's own, and no log lines of the library. */
export const SERVE_OPTIONS = { routerConfig: ROUTER_CONFIG, disableLogger: true, disableListenLog: true } as const

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** The expression of a path. A parameter is one segment, which may be percent-encoded. */
const patternOf = (path: string): string =>
  path
    .split("/")
    .map((segment) => (segment.startsWith(":") ? "[^/?;#]+" : escapeRegExp(segment)))
    .join("/")

const anyOf = (patterns: ReadonlyArray<string>): RegExp => new RegExp(`^(?:${patterns.join("|")})(?:\\?|$)`)

/** Unchanged where it is no valid encoding, or encodes a character that ends a segment. */
const decodeSegment = (segment: string): string => {
  try {
    const decoded = decodeURIComponent(segment)
    return /[/?;#]/.test(decoded) ? segment : decoded
  } catch {
    return segment
  }
}

const decodePath = (url: string): string =>
  url
    .replace(/[?#].*$/s, "")
    .split("/")
    .map(decodeSegment)
    .join("/")

export const makeRouteTable = (routes: ReadonlyArray<ServedRoute>): RouteTable => {
  const finder = FindMyWay.make<ReadonlyArray<string>>(ROUTER_CONFIG)
  const byPath = Map.groupBy(routes, ({ path }) => path)
  const patterns = [...byPath.keys()].map(patternOf)
  const exact = anyOf(patterns)
  const each = patterns.map((pattern) => anyOf([pattern]))
  const spellsAnother = (url: string): boolean => {
    const decoded = decodePath(url)
    return each.some((pattern) => pattern.test(decoded) && !pattern.test(url))
  }
  for (const [path, at] of byPath) finder.on(ANY, path, methodsOf(at.map(({ method }) => method)))
  return {
    isExact: (url) => exact.test(url) && !(url.includes("%") && spellsAnother(url)),
    failureFor: (url) => {
      const allowed = finder.find(ANY, url)?.handler
      return allowed === undefined ? new RouteNotFound() : new MethodNotAllowed({ allowed })
    }
  }
}
