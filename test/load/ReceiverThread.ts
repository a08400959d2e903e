// The receivers of a load, in a thread of their own so that they do not share a core with what is measured: HTTPS servers that
// answer at once and report which order they heard of when, and one that never answers.
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { parentPort, workerData } from "node:worker_threads"
import { monotonicMs } from "./Load.ts"

/** Handed over by `Receivers`. */
export interface ThreadData {
  readonly identity: { readonly cert: string; readonly key: string }
  readonly healthy: number
}

/** One delivery: what it is about, which attempt at which event it is, and when it came. */
export interface Heard {
  readonly orderId: string
  readonly eventId: string
  /** The time under the signature, which is new at each attempt. */
  readonly signedAt: string
  readonly atMs: number
}

/** The ports come first, once; what was heard follows in batches. */
export type FromThread =
  | { readonly kind: "listening"; readonly ports: ReadonlyArray<number>; readonly holePort: number }
  | { readonly kind: "heard"; readonly heard: ReadonlyArray<Heard> }

const REPORT_EVERY_MS = 20

const { identity, healthy } = workerData as ThreadData // by the contract of `Receivers`
let heard: Array<Heard> = []

const post = (message: FromThread): void => parentPort?.postMessage(message)

setInterval(() => {
  if (heard.length > 0) post({ kind: "heard", heard })
  heard = []
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
    if (orderId !== undefined) heard.push({ orderId, eventId: String(eventId), signedAt, atMs })
    response.writeHead(204).end()
  })

/** Whoever waits at the black hole. */
const waiting = new Set<IncomingMessage["socket"]>()

/** Only the empty request, by which a new webhook is tried, gets an answer. */
const swallow = (request: IncomingMessage, response: ServerResponse): void =>
  read(request, (body) => {
    if (body === "") return void response.writeHead(200).end()
    waiting.add(request.socket)
  })

/** The one thing that this thread may be told: that the black hole is to let go of everybody. */
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
post({ kind: "listening", ports, holePort: await listen(swallow) })
