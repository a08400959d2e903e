// Error responses for what never reaches the router: invalid HTTP, requests that Node would reject without a body, and requests while
// no router is served. Such a response never overtakes pending responses on the same connection. Also closes sockets that stand still.
import { type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { Effect } from "effect"
import { MalformedRequest } from "#adapters/contract/errors/AdapterFailure.ts"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { makeRequestId } from "./RequestId.ts"

const rawResponse = (failure: Failure) => {
  const requestId = Effect.runSync(makeRequestId)
  const { status, body, headers } = toErrorResponse(failure, requestId)
  const text = JSON.stringify(body)
  const common = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(text)),
    "Request-Id": requestId,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store"
  }
  return { status, headers: { ...common, ...headers }, text }
}

const CLOSE = { Connection: "close" }

/** After an `Expect` header the connection is closed, because it is unknown whether the body follows. */
const respond = (failure: Failure, response: ServerResponse): void => {
  const { status, headers, text } = rawResponse(failure)
  response.writeHead(status, response.req.headers.expect === undefined ? headers : { ...headers, ...CLOSE }).end(text)
}

/** How long a client may take to read the response and close. */
const CLOSE_TIMEOUT_MS = 2_000

const closeSocket = (socket: Duplex, finalBytes = ""): void => {
  socket.end(finalBytes)
  socket.resume()
  setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref()
}

/** Writes the response to the socket, for input that Node gives no response object for, and closes the connection. */
const respondAndClose = (failure: Failure, socket: Duplex): void => {
  const { status, headers, text } = rawResponse(failure)
  const head = Object.entries({ ...headers, ...CLOSE }).map(([name, value]) => `${name}: ${value}`)
  closeSocket(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, "", text].join("\r\n"))
}

const statusOf = (code: string | undefined): MalformedRequest["status"] => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return 431
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408
    default:
      return 400
  }
}

/** The responses of each connection in the order of their requests: the pending ones and the latest. */
const trackResponses = () => {
  const bySocket = new WeakMap<Duplex, ReadonlyArray<ServerResponse>>()
  const all = (socket: Duplex): ReadonlyArray<ServerResponse> => bySocket.get(socket) ?? []
  const pending = (socket: Duplex): ReadonlyArray<ServerResponse> =>
    all(socket).filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed)
  const add = (response: ServerResponse): void => {
    const { socket } = response.req
    bySocket.set(socket, [...pending(socket), response])
  }
  return { pending, last: (socket: Duplex) => all(socket).at(-1), add }
}

/** The event of a request that has arrived and may not be served yet. */
export const ARRIVAL = "arrival"

/** Before the router is attached, and after it is detached. */
const NOT_SERVING = { _tag: "StoreUnavailable", retryAfterSeconds: 1 } as const

/** For a server that tells of arrivals. Must be its first listener, so that it sees every request before the router. */
export const respondToMalformedRequests = (server: Server): Server => {
  const responses = trackResponses()
  const refused = new WeakSet<Duplex>()

  const respondInOrder = (status: MalformedRequest["status"], socket: Duplex): void => {
    if (!socket.writable) return
    const pending = responses.pending(socket)
    // A complete request is not the malformed one, and a request is not responded to twice.
    const earlier = pending.findLast(({ req, writableEnded }) => req.complete || writableEnded)
    if (earlier !== undefined) earlier.once("close", () => respondInOrder(status, socket))
    else if (pending.some(({ headersSent }) => headersSent)) socket.destroy()
    else if (pending.length === 0 && responses.last(socket)?.req.complete === false) closeSocket(socket)
    else respondAndClose(new MalformedRequest({ status }), socket)
  }

  /** A stopping server does not wait for connections that stay open without a request. One listener for all responses. */
  const closeIdleWhenStopping = (): void => {
    if (!server.listening) server.closeIdleConnections()
  }

  const track = (response: ServerResponse): void => {
    responses.add(response)
    response.on("close", closeIdleWhenStopping)
  }

  const refuseOnce = (status: MalformedRequest["status"], socket: Duplex): void => {
    if (refused.has(socket)) return
    refused.add(socket)
    respondInOrder(status, socket)
  }

  server.on(ARRIVAL, (_, response: ServerResponse) => track(response))
  for (const event of ["request", "checkContinue"] as const) {
    server.on(event, (request, response) => {
      // A stopping server accepts no further request on the connection. After an ignored upgrade offer, Node's parser loses the bytes
      // that follow.
      const isLast = !server.listening || request.headers.upgrade !== undefined
      if (isLast) response.setHeader("Connection", "close")
      if (server.listenerCount(event) === 1) respond(NOT_SERVING, response)
    })
  }
  return server
    .on("checkExpectation", (_, response) => {
      track(response)
      respond(new MalformedRequest({ status: 417 }), response)
    })
    .on("timeout", (socket) => {
      // Nothing moved on the socket for its time limit, which is its keep-alive time while no response is pending. One whose response
      // is still being computed, or streams nothing at the moment, is left open: only the service is slow.
      const waitsForService = responses.pending(socket).length > 0 && socket.writableLength === 0
      if (!waitsForService) socket.destroy()
    })
    .on("connect", (_, socket) => refuseOnce(400, socket))
    .on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const isOver = error.code === "ECONNRESET" || (!socket.writable && !refused.has(socket))
      if (isOver) socket.destroy()
      else refuseOnce(statusOf(error.code), socket)
    })
}
