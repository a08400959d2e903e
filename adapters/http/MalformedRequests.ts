// Answers, in the error envelope, what no router ever sees: bytes that are not HTTP, requests of which Node would dispose by
// itself, and requests while nobody serves. An answer never overtakes those that are still owed on the same connection.
import type { Server, ServerResponse } from "node:http"
import { STATUS_CODES } from "node:http"
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

/** A body that is held back until it is asked for will not be: what comes next on that connection cannot be told. */
const respond = (failure: Failure, response: ServerResponse): void => {
  const { status, headers, text } = rawResponse(failure)
  response.writeHead(status, response.req.headers.expect === undefined ? headers : { ...headers, ...CLOSE }).end(text)
}

/** How long a client may take to read why it was refused, and to hang up. */
const CLOSE_TIMEOUT_MS = 2_000

const closeSocket = (socket: Duplex, lastWords = ""): void => {
  socket.end(lastWords)
  socket.resume()
  setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref()
}

/** For what has no response to be answered with: the connection ends with this answer. */
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

/** Responses in the order of their requests, from the first one that is not out yet; at least the last one. */
const trackResponses = () => {
  const bySocket = new WeakMap<Duplex, ReadonlyArray<ServerResponse>>()
  const all = (socket: Duplex): ReadonlyArray<ServerResponse> => bySocket.get(socket) ?? []
  const owed = (socket: Duplex): ReadonlyArray<ServerResponse> =>
    all(socket).filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed)
  const note = (response: ServerResponse): void => {
    const { socket } = response.req
    bySocket.set(socket, [...owed(socket), response])
  }
  return { owed, last: (socket: Duplex) => all(socket).at(-1), note }
}

/** Between the start and the first listener, and after the last one has gone. */
const NOT_SERVING = { _tag: "StoreUnavailable", retryAfterSeconds: 1 } as const

/** Sees to it that every connection of the server is answered, whoever else listens to it. Wants to be its first listener. */
export const respondToMalformedRequests = (server: Server): Server => {
  const responses = trackResponses()
  const refused = new WeakSet<Duplex>()

  const settle = (status: MalformedRequest["status"], socket: Duplex): void => {
    if (!socket.writable) return
    const owed = responses.owed(socket)
    // A request that arrived in full is not the one that is wrong, and one that is answered is not answered twice.
    const before = owed.findLast(({ req, writableEnded }) => req.complete || writableEnded)
    if (before !== undefined) before.once("close", () => settle(status, socket))
    else if (owed.some(({ headersSent }) => headersSent)) socket.destroy()
    else if (owed.length === 0 && responses.last(socket)?.req.complete === false) closeSocket(socket)
    else respondAndClose(new MalformedRequest({ status }), socket)
  }

  const note = (response: ServerResponse): void => {
    responses.note(response)
    // Who was told that the connection stays open may have nothing more to say: a server that stops does not wait for it.
    response.once("close", () => {
      if (!server.listening) server.closeIdleConnections()
    })
  }

  const refuseOnce = (status: MalformedRequest["status"], socket: Duplex): void => {
    if (refused.has(socket)) return
    refused.add(socket)
    settle(status, socket)
  }

  for (const event of ["request", "checkContinue"] as const) {
    server.on(event, (request, response) => {
      note(response)
      // A server that is about to stop takes no more on this connection. What came together with an offer of another protocol, which
      // is not taken up, is lost to Node's parser.
      const isLast = !server.listening || request.headers.upgrade !== undefined
      if (isLast) response.setHeader("Connection", "close")
      if (server.listenerCount(event) === 1) respond(NOT_SERVING, response)
    })
  }
  return server
    .on("checkExpectation", (_, response) => {
      note(response)
      respond(new MalformedRequest({ status: 417 }), response)
    })
    .on("connect", (_, socket) => refuseOnce(400, socket))
    .on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const isOver = error.code === "ECONNRESET" || (!socket.writable && !refused.has(socket))
      if (isOver) socket.destroy()
      else refuseOnce(statusOf(error.code), socket)
    })
}
