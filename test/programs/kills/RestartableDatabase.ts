// A PostgreSQL for one run that can be restarted.
import { PASSWORD, USER } from "#test/adapters/postgres/Credentials.ts"
import { startDatabaseProgram } from "#test/adapters/postgres/DatabaseProgram.ts"

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
  const program = new URL("./DatabaseProcess.ts", import.meta.url)
  const { send, next, stop } = startDatabaseProgram(program, durable ? "durable" : "not-durable")
  const [, port] = (await next()).split(" ")
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    restart: async (mode) => {
      const downAtMs = performance.now()
      send(mode)
      await next()
      await next()
      return { downAtMs, upAtMs: performance.now() }
    },
    stop
  }
}
