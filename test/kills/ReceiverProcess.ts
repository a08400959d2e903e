// A receiver of webhooks as its owner would run it: a plain HTTP server in a process of its own, which checks every signature with
// node:crypto alone and remembers what it heard. Told by HTTP which secrets it has, and to keep a sender waiting.
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

interface Heard {
  readonly hash: string
  times: number
}

/** A delivery that was not answered, and what became of it. */
interface Held {
  readonly id: string
  readonly hash: string
  readonly signedAt: number
  hungUp: boolean
  again: { readonly hash: string; readonly signedAt: number } | null
}

const secrets = new Map<string, string>()
const heard = new Map<string, Heard>()
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

const note = (id: string, hash: string, at: number): void => {
  const known = heard.get(id)
  if (known === undefined) heard.set(id, { hash, times: 1 })
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
  note(id, hash, at)
  response.writeHead(204).end()
}

const summary = () => ({
  ids: [...heard.keys()],
  times: [...heard.values()].reduce((sum, { times }) => sum + times, 0),
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
    // A new webhook is tried with an empty request.
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
