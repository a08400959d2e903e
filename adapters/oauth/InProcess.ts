// Hands a request to the library in this process and collects its response, so that the service's own limits, headers and spans apply.
// What the library builds URLs from is the configured origin: no header of the client has a say in it.
import { AsyncLocalStorage } from "node:async_hooks"
import { type IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"

/** Who sends a request. */
export interface Requester {
  /** Whose requests and registrations are counted together: a member, or a network of strangers. */
  readonly name: string
  /** `null` for a device from which a member signed in before. */
  readonly network: string | null
}

export interface InProcessRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
  readonly from: Requester
}

export interface InProcessResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`. */
  readonly cookies: ReadonlyArray<string>
  readonly body: string
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Those that the library needs; what proxies say about the client's address, host and protocol is not among them. */
const PASSED = ["accept", "authorization", "content-type", "cookie", "origin", "user-agent"]

const headersFor = (origin: URL, { headers, body }: InProcessRequest) => ({
  ...Object.fromEntries(PASSED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))),
  host: origin.host,
  ...(body.length === 0 ? {} : { "content-length": String(body.length) })
})

const makeRequest = (origin: URL, request: InProcessRequest): IncomingMessage => {
  const stream = Readable.from(request.body.length === 0 ? [] : [Buffer.from(request.body)], { objectMode: false })
  const { method, url } = request
  const socket = { encrypted: origin.protocol === "https:", remoteAddress: "127.0.0.1" }
  const versions = { httpVersion: "1.1", httpVersionMajor: 1, httpVersionMinor: 1 }
  // All that the library reads of a request; it never uses the socket itself.
  return Object.assign(stream, { method, url, headers: headersFor(origin, request), socket, ...versions }) as never
}

class CollectedResponse extends ServerResponse {
  body = ""
  override end(chunk?: unknown): this {
    if (typeof chunk === "string") this.body = chunk
    else if (chunk instanceof Uint8Array) this.body = Buffer.from(chunk).toString("utf8")
    this.finished = true
    this.emit("finish")
    return this
  }
}

const listed = (value: number | string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : typeof value === "object" ? value : [String(value)]

const requesters = new AsyncLocalStorage<Requester>()

/** Who sent the request that is handled; absent while a signed-in person looks at a page. Read it before an Effect waits for anything. */
export const currentRequester = (): Requester | undefined => requesters.getStore()

/** `origin` is where browsers, or clients, reach the listener. */
export const handleInProcess = async (
  listener: Listener,
  origin: URL,
  request: InProcessRequest
): Promise<InProcessResponse> => {
  const incoming = makeRequest(origin, request)
  const response = new CollectedResponse(incoming)
  await requesters.run(request.from, () => listener(incoming, response))
  const { "set-cookie": cookies, ...headers } = response.getHeaders()
  return {
    status: response.statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, listed(value).join(", ")])),
    cookies: listed(cookies),
    body: response.body
  }
}
