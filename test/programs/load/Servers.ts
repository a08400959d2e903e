// The servers under load, each a separate process: the service and its peers.
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, Redacted } from "effect"

export interface Server {
  readonly baseUrl: string
  /** The process id. */
  readonly pid: number
}

export interface Served extends Server {
  /** The rest of the first line that begins so, once it is printed. */
  readonly printed: (beginning: string) => Promise<string>
  readonly stop: () => Promise<void>
}

const serve = (file: string, env: Readonly<Record<string, string>>): Promise<Served> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
      env: { ...process.env, ...env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"]
    })
    const ended = new Promise<void>((done) => child.once("exit", () => done()))
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code} before it listened`)))
    const lines: Array<string> = []
    const output = createInterface({ input: child.stdout })
    const printed = async (beginning: string): Promise<string> => {
      for (;;) {
        const line = lines.find((one) => one.startsWith(beginning))
        if (line !== undefined) return line.slice(beginning.length)
        await once(output, "line")
      }
    }
    output.on("line", (line) => {
      lines.push(line)
      const [, baseUrl] = /^listening on (http\S+)/.exec(line) ?? []
      // A process that prints has a process id.
      if (baseUrl === undefined || child.pid === undefined) return
      const stop = () => {
        child.kill("SIGTERM")
        return ended
      }
      resolve({ baseUrl, pid: child.pid, printed, stop })
    })
  })

/** Starts the service without request limits. */
export const startService = (env: Readonly<Record<string, string>>): Promise<Served> =>
  serve("../../../adapters/main.ts", {
    DAILY_ORDER_CAP: "0",
    RATE_LIMIT_READS: "0",
    RATE_LIMIT_ORDERS: "0",
    LOG_LEVEL: "error",
    ...env
  })

export const startEmptyTool = (): Promise<Served> => serve("./EmptyToolServer.ts", {})

const untilClosed = (start: () => Promise<Served>) =>
  Effect.map(
    Effect.acquireRelease(Effect.promise(start), ({ stop }) => Effect.promise(stop)),
    ({ baseUrl, pid }): Server => ({ baseUrl, pid })
  )

/** Instances of the service on one database, until the scope closes. `settings` are added to theirs. */
export const instances = (count: number, url: Redacted.Redacted, settings: Readonly<Record<string, string>> = {}) => {
  const env = {
    STORE: "postgres",
    DATABASE_URL: Redacted.value(url),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PAYMENTS: "simulated",
    // Every order, also an account's first, is discounted by its promo code.
    WELCOME_OFFER_PERCENT: "0",
    ...settings
  }
  return Effect.all(
    Array.from({ length: count }, () => untilClosed(() => startService(env))),
    { concurrency: "unbounded" }
  )
}

/** A peer, until the scope closes. */
export const peer = (name: "Handwritten" | "CataloguePage", url: Redacted.Redacted) =>
  untilClosed(() => serve(`./peers/${name}.ts`, { DATABASE_URL: Redacted.value(url) }))
