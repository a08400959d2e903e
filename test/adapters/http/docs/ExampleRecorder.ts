// Records the examples of the document: sends each request to a running service over HTTP as the document shows it, and keeps what the
// service answers.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { endpoints, type OperationName } from "#adapters/http/operations/OperationRequest.ts"
import { call, type HttpResponse } from "#test/scenarios/HttpCalls.ts"
import { maskExamples } from "./ExampleMask.ts"

/** Stands for a public address of the reader, in whose place the service gets a receiver on loopback. */
export const EXAMPLE_RECEIVER = "https://hooks.willow-and-spade.example/backlinks"

const keyOf = (label: string): string => demoKeys.find((key) => key.label === label)?.text ?? ""

export const keys = {
  live: keyOf("demo live key"),
  noCredit: keyOf("demo no-credit key"),
  test: keyOf("demo test key"),
  readOnly: keyOf("demo read-only key")
}

interface Request {
  /** The text of the key; the demo's live key unless told. */
  readonly key?: string
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string | number | boolean | ReadonlyArray<string>>>
  readonly idempotencyKey?: string
  /** A text is sent as it is. */
  readonly body?: unknown
}

interface Example extends Request {
  readonly summary: string
  readonly description?: string
}

interface RefusalText {
  readonly summary: string
  /** Its code unless told. */
  readonly name?: string
}

interface Refused extends Request, RefusalText {
  readonly headers?: Readonly<Record<string, string>>
}

/** A member of an answer by its path, such as `"items", 0, "link_id"`. */
export type At = (...path: ReadonlyArray<string | number>) => string

const atOf =
  (body: unknown): At =>
  (...path) => {
    const found = path.reduce<unknown>((value, step) => Object(value)[step], body)
    if (found === undefined) throw new Error(`The answer has no ${path.join(".")}.`)
    return String(found)
  }

/** A receiver of webhooks on loopback, with what arrived; below `/moved` it redirects. */
const receiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const bodies: Array<string> = []
    const server = createServer(async (request, response) => {
      bodies.push((await buffer(request)).toString())
      if (request.url === "/moved") response.writeHead(302, { location: "/" }).end()
      else response.writeHead(204).end()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo // It listens on a port.
    return { server, bodies, url: `http://127.0.0.1:${port}` }
  }),
  ({ server }) => Effect.sync(() => server.close())
)

const isEmpty = (part: object | undefined): boolean => part === undefined || Object.keys(part).length === 0

const withoutEmpty = (parts: Readonly<Record<string, object | undefined>>) =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => !isEmpty(part)))

const searchOf = (query: Request["query"] = {}): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)])
  )
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`
}

export const exampleRecorder = Effect.gen(function* () {
  const { url, bodies } = yield* receiver
  const requests: Array<object> = []
  const refusals: Array<object> = []
  const events: Record<string, unknown> = {}

  const send = (operation: OperationName, request: Request, headers: Readonly<Record<string, string>> = {}) => {
    const { method, path } = endpoints[operation]
    const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(request.path?.[name] ?? ""))
    const { key = keys.live, idempotencyKey, body } = request
    const text = typeof body === "string" ? body : JSON.stringify(body)
    return call(method, filled + searchOf(request.query), {
      ...(key === "" ? {} : { key }),
      ...(body === undefined ? {} : { body: text.replaceAll(EXAMPLE_RECEIVER, url) }),
      headers: { ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }), ...headers }
    })
  }

  const answerOf = ({ headers, text }: HttpResponse): unknown => {
    const type = headers.get("content-type") ?? ""
    return type.startsWith("application/json") ? JSON.parse(text) : type.startsWith("text/") ? text : undefined
  }

  /** Sends a request that succeeds, and keeps it with its answer. */
  const play = Effect.fnUntraced(function* (operation: OperationName, name: string, example: Example) {
    const { summary, description, path, query, idempotencyKey, body } = example
    const response = yield* send(operation, example)
    expect(response.status, `${operation} ${name}: ${response.text}`).toBeLessThan(300)
    const answer = answerOf(response)
    const header = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }
    requests.push({
      ...{ operation, name, summary },
      ...(description === undefined ? {} : { description }),
      ...withoutEmpty({ path, query, header }),
      ...(body === undefined ? {} : { body }),
      ...{ status: response.status, answer }
    })
    return atOf(answer)
  })

  /** Keeps one event of each type that the key sees, as the body of a webhook. */
  const keepEvents = Effect.fnUntraced(function* (key: string) {
    const { text } = yield* send("listEvents", { key, query: { limit: 50 } })
    for (const event of JSON.parse(text).events) events[event.type] ??= event
  })

  const keep = (operation: OperationName, { summary, name }: RefusalText, shared: boolean, answer: unknown) => {
    const at = atOf(answer)
    const [code, status] = [at("error", "code"), Number(at("error", "status"))]
    refusals.push({ operation, name: name ?? code, summary, status, shared, answer })
  }

  const refuseAs = (shared: boolean) =>
    Effect.fnUntraced(function* (operation: OperationName, code: string, refused: Refused) {
      const response = yield* send(operation, refused, refused.headers)
      expect(response.status, `${operation} ${code}: ${response.text}`).toBeGreaterThanOrEqual(400)
      const answer = answerOf(response)
      expect(atOf(answer)("error", "code"), `${operation}: ${response.text}`).toBe(code)
      keep(operation, refused, shared, answer)
    })

  /** Sends a request that is refused with this code, and keeps the refusal. */
  const refuse = refuseAs(false)

  /** The same for a refusal that every operation with this code words alike. */
  const refuseAlike = refuseAs(true)

  const wordAs = (shared: boolean) => (operation: OperationName, failure: Failure, text: RefusalText) =>
    keep(operation, text, shared, toErrorResponse(failure, `req_${"0".repeat(32)}`).body)

  /** Keeps a refusal that no request to a sound demo meets, as the service words it. */
  const word = wordAs(false)

  /** The same for one that every operation words alike. */
  const wordAlike = wordAs(true)

  const recording = (): string => {
    const test = bodies.find((body) => body.includes("webhook.test"))
    const all = { requests, refusals, events: { ...events, "webhook.test": JSON.parse(test ?? "null") } }
    return `${maskExamples(JSON.stringify(all, null, 1).replaceAll(url, EXAMPLE_RECEIVER))}\n`
  }

  return { send, play, refuse, refuseAlike, word, wordAlike, keepEvents, recording }
})

export type ExampleRecorder = Effect.Success<typeof exampleRecorder>
