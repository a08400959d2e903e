// Calls of a service over HTTP: any request, order requests, the two buttons of the payment page. Responses are decoded strictly by
// the contract's schemas and checked against the OpenAPI document.
import { Context, Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { expect } from "vitest"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { requestBodyError, responseError } from "#test/adapters/http/docs/DocumentedResponses.ts"
import { withoutBreaks } from "#test/adapters/web/Visitors.ts"
import { RunningService } from "./RunningService.ts"

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface CallOptions {
  readonly key?: string
  /** Text is sent as it is, other values as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body))

/** Checks that the OpenAPI document declares the response, and allows the body of a successful request. */
export const expectDocumented = (
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: string },
  answer: { readonly status: number; readonly text: string }
): void => {
  const { status, text } = answer
  expect(responseError(method, path, answer), `${method} ${path}: ${status} ${text}`).toBeUndefined()
  if (status >= 300 || body === undefined) return
  expect(requestBodyError(method, path, JSON.parse(body)), `${method} ${path}: ${body}`).toBeUndefined()
}

/** `target` is a path or a URL, such as a payment URL. Redirects are not followed. */
export const call = Effect.fnUntraced(function* (method: string, target: string, options: CallOptions = {}) {
  const { url } = yield* RunningService
  const fetch = yield* FetchHttpClient.Fetch
  const { key, body, headers = {} } = options
  const address = new URL(target, url)
  const sent = body === undefined ? {} : { body: textOf(body) }
  const answer = yield* Effect.promise(async (signal): Promise<HttpResponse> => {
    const response = await fetch(address, {
      method,
      redirect: "manual",
      signal,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...sent
    })
    const text = await response.text()
    const isPage = response.headers.get("content-type")?.startsWith("text/html") === true
    return { status: response.status, headers: response.headers, text: isPage ? withoutBreaks(text) : text }
  })
  expectDocumented({ method, path: address.pathname, ...sent }, answer)
  return answer
})

const API = "/api/v1/agent"
export const BALANCE = `${API}/balance`
export const INVOICES = `${API}/invoices`
export const LINKS = `${API}/links`
export const ME = `${API}/me`
export const ORDERS = `${API}/orders`
export const QUOTES = `${API}/quotes`
export const WEBHOOKS = `${API}/webhooks`
export const SANDBOX = `${API}/sandbox`

/** An order as text or as a value, with or without an idempotency key. */
export const postOrder = (key: string, body: unknown, idempotencyKey?: string) =>
  call("POST", ORDERS, {
    key,
    body,
    headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
  })

const strict = { onExcessProperty: "error" } as const

/** A successful read, decoded by its schema. */
export const read = <A>(schema: Schema.Codec<A, unknown>, key: string, path: string) =>
  Effect.map(call("GET", path, { key }), ({ text, status }) => {
    expect(status, text).toBe(200)
    return Schema.decodeUnknownSync(Schema.fromJsonString(schema), strict)(text)
  })

const readQuoteAnswer = Schema.decodeUnknownSync(Schema.fromJsonString(QuoteResponse), strict)
const readErrorBody = Schema.decodeUnknownSync(Schema.fromJsonString(ErrorBody), strict)

/** The body of a successful order. */
export const placedBy = (answer: HttpResponse): QuoteResponse => {
  expect(answer.status, answer.text).toBe(201)
  return readQuoteAnswer(answer.text)
}

/** The body of a successful dry run. */
export const pricedBy = (answer: HttpResponse): QuoteResponse => {
  expect(answer.status, answer.text).toBe(200)
  return readQuoteAnswer(answer.text)
}

/** The error of a refusal. Checks its envelope. */
export const refusalIn = (answer: HttpResponse): ErrorBody["error"] => {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  const { error, request_id } = readErrorBody(answer.text)
  expect(error.status).toBe(answer.status)
  expect(request_id).toBe(answer.headers.get("request-id"))
  return error
}

export const isReplay = ({ headers }: HttpResponse): boolean => headers.get("idempotent-replayed") === "true"

/** From a payment link to the service's own page of the quote. With the simulated processor they are the same. */
export const OwnPage = Context.Reference<(paymentUrl: string) => string>("backlinks/test/OwnPage", {
  defaultValue: () => (paymentUrl) => paymentUrl
})

/** A human opens the service's own page. */
export const viewPage = (paymentUrl: string) => Effect.flatMap(OwnPage, (pageOf) => call("GET", pageOf(paymentUrl)))

/** A human presses one of the two buttons: pays at the payment link, or abandons at the service's own page. */
export const press = (button: "pay" | "abandon", paymentUrl: string) =>
  Effect.flatMap(OwnPage, (pageOf) => call("POST", `${button === "pay" ? paymentUrl : pageOf(paymentUrl)}/${button}`))
