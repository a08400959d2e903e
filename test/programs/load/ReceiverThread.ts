// The receivers of a load, in a separate thread so that they do not slow the measured code: HTTPS servers that respond at once and report
// when each order arrived, and one that never responds.
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { parentPort, workerData } from "node:worker_threads"
import { monotonicMs } from "./Load.ts"

/** Sent by `Receivers`. */
export interface ThreadData {
  readonly identity: { readonly cert: string; readonly key: string }
  readonly healthy: number
}

/** One delivery: its order, its event and attempt, and when it arrived. */
export interface Received {
  readonly orderId: string
  readonly eventId: string
  /** The signature's time, which is new at each attempt. */
  readonly signedAt: string
  readonly atMs: number
}

/** The ports once, then deliveries in batches. */
export type FromThread =
  | { readonly kind: "listening"; readonly ports: ReadonlyArray<number>; readonly holePort: number }
  | { readonly kind: "received"; readonly received: ReadonlyArray<Received> }

const REPORT_EVERY_MS = 20

const { identity, healthy } = workerData as ThreadData // by the contract of `Receivers`
let received: Array<Received> = []

const post = (message: FromThread): void => parentPort?.postMessage(message)

setInterval(() => {
  if (received.length > 0) post({ kind: "received", received })
  received = []
}, REPORT_EVERY_MS)

const read = (request: IncomingMessage, done: (body: string, atMs: number) => void): void => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => done(Buffer.concat(chunks).toString(), monotonicMs()))
}

const answer = (request: IncomingMessage, response: ServerResponse): void =>
  read(request, (body, atMs) => {
    const [, orderId] = /"order_id":"(\w+)"/.exec(body) ?? []
    const { "service-delivery": eventId, "service-signature": signature } = request.headers
    const [signedAt = ""] = String(signature).split(",")
    if (orderId !== undefined) received.push({ orderId, eventId: String(eventId), signedAt, atMs })
    response.writeHead(204).end()
  })

/** Connections to the receiver that never responds. */
const waiting = new Set<IncomingMessage["socket"]>()

/** Responds only to the empty request that probes a new webhook. */
const holdConnection = (request: IncomingMessage, response: ServerResponse): void =>
  read(request, (body) => {
    if (body === "") return void response.writeHead(200).end()
    waiting.add(request.socket)
  })

/** Any message closes the connections that wait for a response. */
parentPort?.on("message", () => {
  for (const socket of waiting) socket.destroy()
  waiting.clear()
})

const listen = (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer({ ...identity, keepAliveTimeout: 30_000 }, handle)
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)) // it listens on TCP
  })

const ports = await Promise.all(Array.from({ length: healthy }, () => listen(answer)))
post({ kind: "listening", ports, holePort: await listen(holdConnection) })
