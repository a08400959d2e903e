// A line to a database that a test may cut while the database is at work: it ends what it was told, and nobody hears of it.
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Effect, Redacted } from "effect"

export interface LossyConnection {
  /** The database's address at this end of the line. */
  readonly url: Redacted.Redacted
  /** Who talks is told at once that the line is dead; who calls again gets through. */
  readonly cut: Effect.Effect<void>
}

const ignore = (): void => undefined

export const lossyConnection = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const there = new URL(Redacted.value(url))
      const callers = new Set<Socket>()
      const ends = new Set<Socket>()
      const server = createServer({ noDelay: true }, (caller) => {
        const end = connect({ host: there.hostname, port: Number(there.port), noDelay: true })
        callers.add(caller)
        ends.add(end)
        caller.on("error", ignore).on("data", (bytes) => end.write(bytes))
        // A caller that was cut off leaves its end open: the database finds out when it answers, if then.
        end.on("error", ignore).on("data", (bytes) => void (caller.destroyed || caller.write(bytes)))
        caller.once("end", () => end.end())
        end.once("close", () => caller.destroy())
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      // A server that listens on a port has such an address.
      const { port } = server.address() as AddressInfo
      const here = new URL(there)
      here.host = `127.0.0.1:${port}`
      const cut = Effect.sync(() => {
        for (const caller of callers) caller.destroy()
        callers.clear()
      })
      const close = (): void => {
        for (const socket of [...callers, ...ends]) socket.destroy()
        server.close()
      }
      return { line: { url: Redacted.make(here.href), cut } satisfies LossyConnection, close }
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ line }) => line))
