// Speaks to a shop as the outside world does: any request, order requests, the two buttons of the payment page. Reads answers
// strictly by the contract's schemas, and holds them against the OpenAPI document; what they should say is for each test to expect.
import { Context, Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { expect } from "vitest"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { QuoteResponse } from "#adapters/contract/QuoteResponse.ts"
import { answerFault, bodyFault } from "#test/adapters/http/DocumentedResponses.ts"
import { RunningService } from "./RunningService.ts"

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface CallOptions {
  readonly key?: string
  /** Text goes out as it is, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body))

/** Nothing is answered that the OpenAPI document does not announce, and nothing taken that it forbids. */
export const expectDocumented = (
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: string },
  answer: { readonly status: number; readonly text: string }
): void => {
  const { status, text } = answer
  expect(answerFault(method, path, answer), `${method} ${path}: ${status} ${text}`).toBeUndefined()
  if (status >= 300 || body === undefined) return
  expect(bodyFault(method, path, JSON.parse(body)), `${method} ${path}: ${body}`).toBeUndefined()
}

/** `target` is a path or, such as a payment URL, a whole address. Redirects are answers like any other. */
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
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
  expectDocumented({ method, path: address.pathname, ...sent }, answer)
  return answer
})

const API = "/api/v1/agent"
export const BALANCE = `${API}/balance`
export const ORDERS = `${API}/orders`
export const QUOTES = `${API}/quotes`
export const WEBHOOKS = `${API}/webhooks`
export const SANDBOX = `${API}/sandbox`

/** An order by raw bytes or by value, with an idempotency key or without. */
export const postOrder = (key: string, body: unknown, idempotencyKey?: string) =>
  call("POST", ORDERS, {
    key,
    body,
    headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
  })

const strict = { onExcessProperty: "error" } as const

/** A read that succeeds, by its schema. */
export const read = <A>(schema: Schema.Codec<A, unknown>, key: string, path: string) =>
  Effect.map(call("GET", path, { key }), ({ text, status }) => {
    expect(status, text).toBe(200)
    return Schema.decodeUnknownSync(Schema.fromJsonString(schema), strict)(text)
  })

const readQuoteAnswer = Schema.decodeUnknownSync(Schema.fromJsonString(QuoteResponse), strict)
const readErrorBody = Schema.decodeUnknownSync(Schema.fromJsonString(ErrorBody), strict)

/** What a successful order was answered. */
export const placedBy = (answer: HttpResponse): QuoteResponse => {
  expect(answer.status, answer.text).toBe(201)
  return readQuoteAnswer(answer.text)
}

/** The error of a refusal, whose envelope is right in every respect. */
export const refusalIn = (answer: HttpResponse): ErrorBody["error"] => {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  const { error, request_id } = readErrorBody(answer.text)
  expect(error.status).toBe(answer.status)
  expect(request_id).toBe(answer.headers.get("request-id"))
  return error
}

export const isReplay = ({ headers }: HttpResponse): boolean => headers.get("idempotent-replayed") === "true"

/** From a payment link to the service's own page of the quote. They are one and the same with the simulated processor. */
export const OwnPage = Context.Reference<(paymentUrl: string) => string>("backlinks/test/OwnPage", {
  defaultValue: () => (paymentUrl) => paymentUrl
})

/** A human looks at the service's own page. */
export const viewPage = (paymentUrl: string) => Effect.flatMap(OwnPage, (pageOf) => call("GET", pageOf(paymentUrl)))

/** A human presses one of the two buttons: pays where the link leads, or gives up at the own page, which sends them back to itself. */
export const press = (button: "pay" | "abandon", paymentUrl: string) =>
  Effect.flatMap(OwnPage, (pageOf) => call("POST", `${button === "pay" ? paymentUrl : pageOf(paymentUrl)}/${button}`))
