// A TCP proxy to the database that a test can cut: the database finishes its statement, but the response is lost. It can also choose the
// statement, whose response then never comes.
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Effect, Redacted } from "effect"

export interface LossyConnection {
  /** The proxy's address. */
  readonly url: Redacted.Redacted
  /** Resets open connections on the client's side; new ones get through. */
  readonly cut: Effect.Effect<void>
  /** From the next statement with this text on, its connection gets no response; the inner effect ends when that one is sent. */
  readonly withhold: (text: string) => Effect.Effect<Effect.Effect<void>>
}

const ignore = (): void => undefined

export const lossyConnection = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const there = new URL(Redacted.value(url))
      const clients = new Set<Socket>()
      const upstreams = new Set<Socket>()
      let awaited: { readonly text: string; readonly sent: () => void } | undefined
      const withhold = (text: string) =>
        Effect.sync(() => {
          const { promise, resolve: sent } = Promise.withResolvers<void>()
          awaited = { text, sent }
          return Effect.promise(() => promise)
        })
      const server = createServer({ noDelay: true }, (client) => {
        let isSilent = false
        const upstream = connect({ host: there.hostname, port: Number(there.port), noDelay: true })
        clients.add(client)
        upstreams.add(upstream)
        client.on("error", ignore).on("data", (bytes) => {
          if (awaited !== undefined && bytes.includes(awaited.text)) {
            isSilent = true
            awaited.sent()
            awaited = undefined
          }
          upstream.write(bytes)
        })
        // After a cut, the server's side stays open: the database finishes its statement.
        upstream.on("error", ignore).on("data", (bytes) => void (client.destroyed || isSilent || client.write(bytes)))
        client.once("end", () => upstream.end())
        upstream.once("close", () => client.destroy())
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      // A server that listens on a port has an address of this type.
      const { port } = server.address() as AddressInfo
      const here = new URL(there)
      here.host = `127.0.0.1:${port}`
      const cut = Effect.sync(() => {
        for (const client of clients) client.destroy()
        clients.clear()
      })
      const close = (): void => {
        for (const socket of [...clients, ...upstreams]) socket.destroy()
        server.close()
      }
      return { connection: { url: Redacted.make(here.href), cut, withhold } satisfies LossyConnection, close }
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ connection }) => connection))
