// A receiver of webhooks as its owner would run it: an HTTP server in a separate process that checks signatures with node:crypto
// alone and counts what it received. It is configured over HTTP.
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

interface Received {
  readonly hash: string
  times: number
}

/** A delivery without a response, and the next attempt of it. */
interface Held {
  readonly id: string
  readonly hash: string
  readonly signedAt: number
  hungUp: boolean
  again: { readonly hash: string; readonly signedAt: number } | null
}

const secrets = new Map<string, string>()
const received = new Map<string, Received>()
let unsigned = 0
let otherBytes = 0
let holding = false
let held: Held | null = null

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** When it was signed, in seconds since the epoch; `null` where the signature is not that of the secret. */
const signedAt = (path: string, header: string, body: Buffer): number | null => {
  const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  const key = createHash("sha256")
    .update(secrets.get(path) ?? "")
    .digest("hex")
  const expected = createHmac("sha256", key).update(`${t}.`).update(body).digest()
  const given = Buffer.from(v1, "hex")
  return given.length === expected.length && timingSafeEqual(given, expected) ? Number(t) : null
}

const record = (id: string, hash: string, at: number): void => {
  const known = received.get(id)
  if (known === undefined) received.set(id, { hash, times: 1 })
  else {
    known.times++
    if (known.hash !== hash) otherBytes++
  }
  if (held?.id === id && held.hungUp) held.again ??= { hash, signedAt: at }
}

const deliver = (path: string, request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
  const at = signedAt(path, String(request.headers["service-signature"]), body)
  const id = String(request.headers["service-delivery"])
  if (at === null || !body.includes(`"${id}"`)) {
    unsigned++
    return void response.writeHead(400).end()
  }
  const hash = createHash("sha256").update(body).digest("hex")
  if (holding) {
    holding = false
    const one: Held = { id, hash, signedAt: at, hungUp: false, again: null }
    held = one
    return void request.socket.once("close", () => {
      one.hungUp = true
    })
  }
  record(id, hash, at)
  response.writeHead(204).end()
}

const summary = () => ({
  ids: [...received.keys()],
  times: [...received.values()].reduce((sum, { times }) => sum + times, 0),
  unsigned,
  otherBytes
})

const answer = (response: ServerResponse, value: unknown): void => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value))
}

const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await bytesOf(request)
  const path = request.url ?? ""
  if (request.method === "PUT") {
    secrets.set(path, body.toString())
    answer(response, {})
  } else if (path === "/summary") answer(response, summary())
  else if (path === "/held") answer(response, held)
  else if (path === "/hold") {
    holding = true
    held = null
    answer(response, {})
    // The service probes a new webhook with an empty request.
  } else if (body.length === 0) response.writeHead(200).end()
  else deliver(path, request, response, body)
}

const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
  void handle(request, response).catch(() => response.destroy())
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object" && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
process.stdin.once("end", () => process.exit())
process.stdin.resume()
