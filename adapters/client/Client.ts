// A client of the service over fetch: a method per operation of the document, of which it knows method and path and nothing else.
import { type AttemptOptions, answerTo, JSON_TYPE } from "./Attempts.ts"
import type { Calls, Operation, Route } from "./Calls.ts"

export interface ClientOptions extends AttemptOptions {
  /** Where the service is, such as `https://links.example`. */
  readonly baseUrl: string
  readonly apiKey: string
}

interface Given {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const pathOf = ({ path }: Route, given: Given["path"] = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (!isGiven(given[name])) throw new TypeError(`path.${name} is missing`)
    return encodeURIComponent(String(given[name]))
  })

/** A list is sent once for each value. */
const queryOf = (given: Given["query"] = {}): string => {
  const values = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (isGiven(one) ? [[name, String(one)]] : []))
  )
  return values.length === 0 ? "" : `?${new URLSearchParams(values)}`
}

const makeCall = ({ baseUrl, apiKey, ...options }: ClientOptions) => {
  const base = baseUrl.replace(/\/+$/, "")
  return (route: Route, { path, query, body, signal, idempotencyKey }: Given): Promise<unknown> => {
    const key = route.keyed ? (idempotencyKey ?? crypto.randomUUID()) : undefined
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key })
    }
    // A redirect is followed nowhere, because a POST would arrive as a GET.
    const init: RequestInit = { method: route.method, headers, redirect: "manual" }
    if (body !== undefined) init.body = JSON.stringify(body)
    const url = base + pathOf(route, path) + queryOf(query)
    return answerTo({ url, init, idempotencyKey: key, signal, answers: route.file ?? JSON_TYPE }, options)
  }
}

type Page = Readonly<Record<string, unknown>>

/** The entries of this page and of those after it, which are asked for as they are needed. */
async function* entriesOf(
  first: Promise<unknown>,
  list: string,
  next: (cursor: unknown) => Promise<unknown>
): AsyncGenerator<unknown> {
  // The document says that the answer of a list is an object.
  let page = (await first) as Page
  for (;;) {
    const entries = page[list]
    if (!Array.isArray(entries)) throw new TypeError(`The answer has no list of ${list}.`)
    yield* entries
    const cursor = page["next_cursor"]
    if (!isGiven(cursor)) return
    // The next page is one of the same list.
    page = (await next(cursor)) as Page
  }
}

/** `routes` and the types of `Operations` are made from the same document. */
export const makeClient = <
  Operations extends { readonly [Id in keyof Routes]: Operation },
  Routes extends { readonly [Id in keyof Routes]: Route }
>(
  routes: Routes,
  options: ClientOptions
): Calls<Operations, Routes> => {
  const call = makeCall(options)
  const methodOf =
    (route: Route) =>
    (given: Given = {}) => {
      // An invalid input rejects, as every other failure does.
      const answer = new Promise((resolve) => resolve(call(route, given)))
      const { list } = route
      if (list === undefined) return answer
      // A cursor goes on where the page before it ended, so that an offset has no place beside it.
      const { offset: _, ...query } = given.query ?? {}
      const next = (cursor: unknown) => call(route, { ...given, query: { ...query, cursor } })
      return Object.assign(answer, { [Symbol.asyncIterator]: () => entriesOf(answer, list, next) })
    }
  const methods = Object.entries<Route>(routes).map(([id, route]) => [id, methodOf(route)])
  // Each method has the type that the document gives its operation.
  return Object.fromEntries(methods) as Calls<Operations, Routes>
}
