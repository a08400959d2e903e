// A PostgreSQL for one run that can be restarted.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { PASSWORD, USER } from "#test/postgres/Credentials.ts"

/** Shutdown modes of PostgreSQL: `fast` as an operator does it, `immediate` as a power cut would. */
export type ShutdownMode = "fast" | "immediate"

export interface Restarted {
  readonly downAtMs: number
  readonly upAtMs: number
}

export interface RestartableDatabase {
  readonly url: string
  readonly restart: (mode: ShutdownMode) => Promise<Restarted>
  readonly stop: () => Promise<void>
}

/** `durable`: commits wait for the disk, as in production. */
export const startDatabase = async (durable: boolean): Promise<RestartableDatabase> => {
  const program = fileURLToPath(new URL("./DatabaseProcess.ts", import.meta.url))
  const child = spawn(process.execPath, [program, durable ? "durable" : "not-durable"], {
    stdio: ["pipe", "pipe", "inherit"],
    // Survives a signal to the process group of the run, so that it can clean up.
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
    restart: async (mode) => {
      const downAtMs = performance.now()
      child.stdin.write(`${mode}\n`)
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
