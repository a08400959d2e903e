// A client of an API with few operations, whose answers are scripted.
import { type ClientOptions, makeClient } from "#adapters/client/Client.ts"

interface Page {
  readonly things: ReadonlyArray<number>
  readonly next_cursor?: string
}

interface Answer<Body> {
  readonly 200: { readonly content: { readonly "application/json": Body } }
}

/** Operations as openapi-typescript writes them. */
interface Operations {
  readonly getThing: {
    readonly parameters: { readonly path: { readonly id: string }; readonly query?: never }
    readonly requestBody?: never
    readonly responses: Answer<{ readonly thing: string }>
  }
  readonly listThings: {
    readonly parameters: {
      readonly query?: { readonly tag?: ReadonlyArray<string>; readonly offset?: number; readonly cursor?: string }
    }
    readonly responses: Answer<Page>
  }
  readonly makeThing: {
    readonly parameters: { readonly query?: never }
    readonly requestBody: { readonly content: { readonly "application/json": { readonly name: string } } }
    readonly responses: Answer<{ readonly made: string }>
  }
  readonly downloadThings: {
    readonly parameters: { readonly query?: never }
    readonly responses: { readonly 200: { readonly content: { readonly "text/csv": string } } }
  }
  readonly drawThings: {
    readonly parameters: { readonly query?: never }
    readonly responses: { readonly 200: { readonly content: { readonly "application/pdf": string } } }
  }
}

const routes = {
  getThing: { method: "GET", path: "/api/things/{id}", keyed: false },
  listThings: { method: "GET", path: "/api/things", keyed: false, list: "things" },
  makeThing: { method: "POST", path: "/api/things", keyed: true },
  downloadThings: { method: "GET", path: "/api/things.csv", keyed: false, file: "text/csv" },
  drawThings: { method: "GET", path: "/api/things.pdf", keyed: false, file: "application/pdf" }
} as const

interface Arrived {
  readonly url: string
  readonly method: string | undefined
  readonly headers: Headers
  readonly body: unknown
}

type Scripted = Response | Error | ((init: RequestInit) => Promise<Response>)

/** A client whose requests get these answers, one after the other. */
export const scripted = (answers: ReadonlyArray<Scripted>, options: Partial<ClientOptions> = {}) => {
  const arrived: Array<Arrived> = []
  const fetch: NonNullable<ClientOptions["fetch"]> = async (url, init) => {
    arrived.push({ url, method: init.method, headers: new Headers(init.headers), body: init.body })
    const answer = answers[arrived.length - 1]
    if (answer === undefined) throw new Error("one request too many")
    if (answer instanceof Error) throw answer
    return typeof answer === "function" ? answer(init) : answer
  }
  const given = { baseUrl: "https://links.example/", apiKey: "sn_test_1", fetch, ...options }
  return { client: makeClient<Operations, typeof routes>(routes, given), arrived }
}

export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

export const refusal = (
  over: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {}
): Response => {
  const error = { code: "rate_limited", message: "Too many.", status: 429, retryable: true, recovery: "wait", ...over }
  return json({ ok: false, error, request_id: "req_1" }, Number(error.status), headers)
}

export const lost = () => new TypeError("fetch failed")

export const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "no failure",
    (error: unknown) => error
  )
