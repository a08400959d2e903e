// The Node server below the router: how long a request may take to arrive, how long its head may be, and an envelope for
// what is not HTTP at all, which no router ever sees.
import { createServer, type Server } from "node:http"
import type { Duplex } from "node:stream"
import { NodeHttpServer } from "@effect/platform-node"
import { Duration, Effect, Layer } from "effect"
import { MalformedRequest } from "#adapters/contract/AdapterFailure.ts"
import { toErrorBody } from "#adapters/contract/ErrorTable.ts"
import { makeRequestId } from "./RequestId.ts"

/** Room for any URL of this service many times over. */
const MAX_HEAD_BYTES = 16 * 1_024
const HEAD_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

const REASONS = { 400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large" } as const

const statusOf = (code: string | undefined): keyof typeof REASONS => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return 431
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return 408
    default:
      return 400
  }
}

const answer = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusOf(error.code)
  const requestId = Effect.runSync(makeRequestId)
  const body = JSON.stringify(toErrorBody(new MalformedRequest({ status }), requestId).body)
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${requestId}`,
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
    "Connection: close"
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
}

export const makeServer = (): Server =>
  createServer({
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: HEAD_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS
  }).on("clientError", answer)

/** How long requests in flight may take once the service was told to stop. */
const DRAIN_WITHIN = Duration.seconds(10)

/** Closing waits for open connections; one that will not end is cut off when the time is up. */
const cutOff = (server: Server) =>
  Layer.effectDiscard(
    Effect.addFinalizer(() =>
      Effect.sync(() => {
        setTimeout(() => server.closeAllConnections(), Duration.toMillis(DRAIN_WITHIN)).unref()
      })
    )
  )

/** Listens. On the way out it takes no new requests and lets those in flight finish. */
export const layer = (address: { readonly host: string; readonly port: number }) =>
  Layer.unwrap(
    Effect.sync(() => {
      const server = makeServer()
      const listening = NodeHttpServer.layer(() => server, { ...address, gracefulShutdownTimeout: DRAIN_WITHIN })
      return cutOff(server).pipe(Layer.provideMerge(listening))
    })
  )
