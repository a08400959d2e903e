// A database address that moves from one database to another, as at a switch-over: open connections stay with the old one.
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Effect, Redacted } from "effect"

const ignore = (): void => undefined

/** Names of equal length, so that the name can be replaced within the first message of a connection. */
const nameIn = (url: Redacted.Redacted): string => new URL(Redacted.value(url)).pathname.slice(1)

/** On one server or on two, with the same user and password. */
export const movableDatabase = (from: Redacted.Redacted, to: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      let target = from
      const proxy = createServer({ noDelay: true }, (client) => {
        const [name, server] = [nameIn(target), new URL(Redacted.value(target))]
        const upstream = connect({ host: server.hostname, port: Number(server.port), noDelay: true })
        for (const socket of [client, upstream]) {
          sockets.add(socket)
          socket.on("error", ignore).once("close", () => sockets.delete(socket))
        }
        client.once("data", (startup) => {
          upstream.write(Buffer.from(startup.toString("latin1").replace(nameIn(from), name), "latin1"))
          client.on("data", (bytes) => upstream.write(bytes))
        })
        upstream.on("data", (bytes) => client.write(bytes))
        client.once("close", () => upstream.destroy())
        upstream.once("close", () => client.destroy())
      })
      proxy.listen(0, "127.0.0.1")
      await once(proxy, "listening")
      // A server that listens on a port has an address of this type.
      const { port } = proxy.address() as AddressInfo
      const url = new URL(Redacted.value(from))
      url.host = `127.0.0.1:${port}`
      return {
        url: Redacted.make(url.href),
        move: Effect.sync(() => {
          target = to
        }),
        close: () => {
          for (const socket of sockets) socket.destroy()
          proxy.close()
        }
      }
    }),
    ({ close }) => Effect.sync(close)
  )
