// A real PostgreSQL for one run, and its restarts. Who uses it meanwhile is to get over them.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { PASSWORD, USER } from "#test/postgres/Credentials.ts"

/** As an operator does it, and as a power cut would. */
export type Restart = "fast" | "immediate"

export interface Restarted {
  readonly downAtMs: number
  readonly upAtMs: number
}

export interface RestartableDatabase {
  readonly url: string
  readonly restart: (way: Restart) => Promise<Restarted>
  readonly stop: () => Promise<void>
}

/** `durable`: what is committed reaches the disk before it is answered, as in production. */
export const startDatabase = async (durable: boolean): Promise<RestartableDatabase> => {
  const keeper = fileURLToPath(new URL("./DatabaseKeeper.ts", import.meta.url))
  const child = spawn(process.execPath, [keeper, durable ? "durable" : "fleeting"], {
    stdio: ["pipe", "pipe", "inherit"],
    // Out of reach of what stops a run: it is to tidy up after it.
    detached: true
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const line = await lines.next()
    if (line.done === true) throw new Error("PostgreSQL is gone")
    return line.value
  }
  const [, port] = (await next()).split(" ")
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    restart: async (way) => {
      const downAtMs = performance.now()
      child.stdin.write(`${way}\n`)
      await next()
      await next()
      return { downAtMs, upAtMs: performance.now() }
    },
    stop: () => {
      child.stdin.end()
      return ended
    }
  }
}
