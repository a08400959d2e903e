// A webhook receiver: a real server on loopback that keeps requests byte for byte and responds as the test decides. It verifies
// signatures with node:crypto alone, following the documentation rather than the service's code.
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { Effect, Queue } from "effect"
import { httpServer, type Listening, tlsServer } from "#test/adapters/outbound/Loopback.ts"

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly atMs: number
}

/** `index` counts deliveries from 0; the empty probe that every new webhook gets is always answered with 200. */
export type Responder = (response: ServerResponse, index: number, request: IncomingMessage) => void

export const respondWith =
  (status: number, headers: Readonly<Record<string, string>> = {}): Responder =>
  (response) => {
    response.writeHead(status, headers).end()
  }

export interface Receiver extends Listening {
  readonly url: string
  /** All deliveries so far, without probes. */
  readonly received: ReadonlyArray<Received>
  /** The next delivery, each once. */
  readonly next: Effect.Effect<Received>
  /** The empty requests that check a new webhook. */
  readonly probes: ReadonlyArray<Received>
}

export interface ReceiverOptions {
  readonly identity?: { readonly cert: string; readonly key: string }
  /** The host in its URL, for which its certificate must be valid. */
  readonly host?: string
}

export const receiver = Effect.fnUntraced(function* (
  answer: Responder = respondWith(200),
  { identity, host = "127.0.0.1" }: ReceiverOptions = {}
) {
  const queue = yield* Queue.unbounded<Received>()
  const received: Array<Received> = []
  const probes: Array<Received> = []
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request
      const one = { method, path, headers, body: Buffer.concat(chunks), atMs: Date.now() }
      if (one.body.length === 0) {
        probes.push(one)
        return void response.writeHead(200).end()
      }
      const index = received.push(one) - 1
      answer(response, index, request)
      Queue.offerUnsafe(queue, one)
    })
  }
  const listening = yield* identity === undefined ? httpServer(handle) : tlsServer(handle, identity)
  const url = `${identity === undefined ? "http" : "https"}://${host}:${listening.port}/in`
  return { ...listening, url, received, probes, next: Queue.take(queue) } satisfies Receiver
})

const hex = (text: string | undefined): Buffer => Buffer.from(text ?? "", "hex")

/** The positions in the header, from 0, of the signatures made with this secret. */
export const signaturesMadeWith = (
  secret: string,
  { headers, body }: Pick<Received, "headers" | "body">
): Array<number> => {
  const [time = "", ...signatures] = String(headers["service-signature"]).split(",")
  const key = createHash("sha256").update(secret, "utf8").digest("hex")
  const expected = createHmac("sha256", key)
    .update(`${time.replace(/^t=/, "")}.`)
    .update(body)
    .digest()
  return signatures.flatMap((signature, position) => {
    const given = hex(/^v1=([0-9a-f]{64})$/.exec(signature)?.[1])
    return given.length === expected.length && timingSafeEqual(given, expected) ? [position] : []
  })
}

/** The positions in `webhook-signature`, from 0, of the signatures made with this secret. */
export const standardSignaturesMadeWith = (
  secret: string,
  { headers, body }: Pick<Received, "headers" | "body">
): Array<number> => {
  const expected = createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`)
    .update(body)
    .digest("base64")
  const signatures = String(headers["webhook-signature"]).split(" ")
  return signatures.flatMap((signature, position) => (signature === `v1,${expected}` ? [position] : []))
}

/** The signed time, in seconds since the epoch. */
export const signedAt = ({ headers }: Pick<Received, "headers">): number =>
  Number(/^t=(\d+),/.exec(String(headers["service-signature"]))?.[1])
