// Starts the service of a checkout as a separate process, calls it over HTTP and by its command line, and records every response
// and every webhook delivery. Imports nothing of the service, so that checkouts of different versions can be recorded alike.
import { execFile, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, request as sendRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeMask } from "./Mask.ts"

export interface Response {
  readonly status: number
  readonly text: string
  readonly replayed: boolean
  /** A member of the JSON body by its path, such as `"items", 0, "link_id"`; an empty string where it is missing. */
  readonly at: (...path: ReadonlyArray<string | number>) => string
}

export interface Call {
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown
  /** Records the length of the body instead of the body. */
  readonly lengthOnly?: boolean
}

interface Delivery {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const OPERATOR_TOKEN = "operator-token-of-the-transcript-0123456789"
/** Headers of the connection, not of the contract. */
const UNRECORDED = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"])
const DELIVERY_HEADERS = ["content-type", "user-agent", "service-event", "service-signature"]
const DELIVERY_TIMEOUT_MS = 15_000

const memberAt = (text: string, path: ReadonlyArray<string | number>): string => {
  try {
    let value: unknown = JSON.parse(text)
    for (const step of path) value = Object(value)[step]
    return value === undefined || value === null ? "" : String(value)
  } catch {
    return ""
  }
}

const start = (checkout: string, env: NodeJS.ProcessEnv) => {
  const node = join(checkout, "node_modules/.bin/node")
  const child = spawn(node, ["adapters/main.ts"], { cwd: checkout, env, stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()))
  const printed = new Promise<string>((resolve, reject) => {
    let text = ""
    child.stdout.on("data", (chunk) => {
      text += String(chunk)
      if (text.includes("demo read-only key")) resolve(text)
    })
    child.on("exit", () => reject(new Error("The service did not start.")))
  })
  return { child, ended, printed }
}

export class Recorder {
  readonly keys: { readonly live: string; readonly poor: string; readonly test: string; readonly readOnly: string }
  readonly receiverUrl: string
  readonly #checkout: string
  readonly #env: NodeJS.ProcessEnv
  readonly #base: URL
  readonly #ports: ReadonlyMap<string, string>
  readonly #mask = makeMask()
  readonly #lines: Array<string> = []
  readonly #deliveries: Array<Delivery>

  private constructor(
    checkout: string,
    env: NodeJS.ProcessEnv,
    printed: string,
    receiver: { readonly port: number; readonly deliveries: Array<Delivery> }
  ) {
    const value = (label: string) => new RegExp(`${label}:? (\\S+)`).exec(printed)?.[1] ?? ""
    this.#checkout = checkout
    this.#env = env
    this.#base = new URL(value("listening on"))
    this.keys = {
      live: value("demo live key"),
      poor: value("demo no-credit key"),
      test: value("demo test key"),
      readOnly: value("demo read-only key")
    }
    this.receiverUrl = `http://127.0.0.1:${receiver.port}/hook`
    this.#deliveries = receiver.deliveries
    this.#ports = new Map([
      [this.#base.port, "port"],
      [String(receiver.port), "receiver"]
    ])
    this.write("standard output", printed)
  }

  /** Runs `steps` against a fresh service; returns the transcript. */
  static async record(checkout: string, store: string, steps: (recorder: Recorder) => Promise<void>): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "transcript-"))
    chmodSync(folder, 0o755)
    const deliveries: Array<Delivery> = []
    const receiver = createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk)
      deliveries.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(204).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
    const env = {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      STORE: store,
      DATA_DIR: folder,
      PORT: "0",
      OPERATOR_TOKEN,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      WEBHOOK_INSECURE_TARGETS: "true",
      RATE_LIMIT_READS: "0",
      RATE_LIMIT_ORDERS: "0",
      LOG_LEVEL: "error"
    }
    const service = start(checkout, env)
    try {
      // The receiver listens on TCP, so its address is no path.
      const { port } = receiver.address() as AddressInfo
      const recorder = new Recorder(checkout, env, await service.printed, { port, deliveries })
      await steps(recorder)
      return recorder.#lines.join("\n")
    } finally {
      service.child.kill()
      await service.ended
      receiver.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }

  write(title: string, text: string): void {
    this.#lines.push(this.#mask(`## ${title}\n${text}\n`, this.#ports))
  }

  /** Calls the API, by default with the demo's live key; `key: null` sends none. */
  async call(
    method: string,
    path: string,
    { key = this.keys.live, headers = {}, body, lengthOnly }: Call = {}
  ): Promise<Response> {
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body)
    const sent = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...headers
    }
    const [status, received, answer] = await new Promise<[number, IncomingHttpHeaders, string]>((resolve, reject) => {
      const request = sendRequest(new URL(path, this.#base), { method, headers: sent }, async (response) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of response) chunks.push(chunk)
        resolve([response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString()])
      })
      request.on("error", reject)
      request.end(text)
    })
    const recorded = Object.entries(received)
      .filter(([name]) => !UNRECORDED.has(name))
      .map(([name, value]) => `${name}: ${value}`)
      .sort()
    const credential = key === this.keys.live ? "" : ` (${key === null ? "no key" : key})`
    this.write(
      `${method} ${path}${credential} ${(text ?? "").slice(0, 300)}`.trimEnd(),
      [status, ...recorded, "", lengthOnly === true ? `${answer.length} characters` : answer].join("\n")
    )
    return {
      status,
      text: answer,
      replayed: received["idempotent-replayed"] !== undefined,
      at: (...steps) => memberAt(answer, steps)
    }
  }

  /** Runs one operator command; records its exit status and both outputs. */
  async operator(...args: ReadonlyArray<string>): Promise<void> {
    const node = join(this.#checkout, "node_modules/.bin/node")
    const env = { ...this.#env, OPERATOR_URL: this.#base.origin }
    const output = await new Promise<string>((resolve) => {
      execFile(node, ["adapters/operatorMain.ts", ...args], { cwd: this.#checkout, env }, (error, out, err) =>
        resolve(`exit ${error?.code ?? 0}\n${out}${err}`)
      )
    })
    this.write(`operator ${args.join(" ")}`, output)
  }

  /** Waits until `count` deliveries have arrived since the last call, and records them sorted by their text. */
  async deliveries(count: number): Promise<void> {
    const until = Date.now() + DELIVERY_TIMEOUT_MS
    while (this.#deliveries.length < count && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 50))
    const texts = this.#deliveries.splice(0).map(({ path, headers, body }) => {
      const lines = [`POST ${path}`, ...DELIVERY_HEADERS.map((name) => `${name}: ${headers[name]}`), "", body]
      return this.#mask(lines.join("\n"), this.#ports)
    })
    this.write(`deliveries: ${texts.length}`, texts.sort().join("\n\n"))
  }
}
