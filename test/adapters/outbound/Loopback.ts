// Real listeners on loopback addresses, closed with their scope, and a scripted resolver.
import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { connect, createServer as createTcpServer, type Server, type Socket } from "node:net"
import { Effect, Layer } from "effect"
import { type HostAddress, HostResolver } from "#adapters/outbound/HostResolver.ts"

export interface Listening {
  readonly port: number
  /** Connections accepted so far. */
  readonly connections: () => number
}

/** Linux accepts connections on all of 127.0.0.0/8; elsewhere only 127.0.0.1 is certain. */
export const manyLoopbacks = process.platform === "linux"

/** A loopback address that no other test is likely to use at the same time. */
export const someLoopback = (): string => {
  const byte = () => 2 + Math.floor(Math.random() * 250)
  return manyLoopbacks ? `127.${byte()}.${byte()}.${byte()}` : "127.0.0.1"
}

const listening = (server: Server, host = "127.0.0.1", port = 0) =>
  Effect.acquireRelease(
    Effect.callback<Listening & { readonly close: Effect.Effect<void> }>((resume) => {
      const open = new Set<Socket>()
      let accepted = 0
      server.on("connection", (socket) => {
        accepted++
        open.add(socket)
        socket.on("error", () => undefined).on("close", () => open.delete(socket))
      })
      server.on("error", (error) => resume(Effect.die(error)))
      const close = Effect.callback<void>((done) => {
        server.close(() => done(Effect.void))
        for (const socket of open) socket.destroy()
      })
      server.listen(port, host, () => {
        const address = server.address()
        const bound = address !== null && typeof address === "object" ? address.port : 0
        resume(Effect.succeed({ port: bound, connections: () => accepted, close }))
      })
    }),
    ({ close }) => close
  )

export const httpServer = (handle: RequestListener, host?: string, port?: number) =>
  listening(createServer(handle), host, port)

export const tlsServer = (handle: RequestListener, identity: { readonly cert: string; readonly key: string }) =>
  listening(createTlsServer(identity, handle))

export const tcpServer = (handle: (socket: Socket) => void, host?: string, port?: number) =>
  listening(createTcpServer(handle), host, port)

/**
 * A port that refuses connections. An outgoing connection occupies it until the scope ends, because another process could take a
 * port that is merely free.
 */
export const refusingPort = Effect.gen(function* () {
  const { port: peer } = yield* tcpServer(() => undefined)
  const socket = yield* Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const opened = connect(peer, "127.0.0.1", () => resume(Effect.succeed(opened)))
      opened.on("error", (error) => resume(Effect.die(error)))
    }),
    (opened) => Effect.sync(() => opened.destroy())
  )
  return { port: socket.localPort ?? 0 }
})

/** A listener that no connection may reach. */
export const connectionTrap = (host: string, port: number) => tcpServer((socket) => socket.destroy(), host, port)

export const ipv4 = (address: string): HostAddress => ({ address, family: 4 })

export interface ScriptedResolver {
  readonly layer: Layer.Layer<HostResolver>
  /** The hosts looked up, in order. */
  readonly asked: ReadonlyArray<string>
}

/** Returns these results one after the other, and repeats the last one. */
export const scriptedResolver = (...answers: ReadonlyArray<ReadonlyArray<HostAddress>>): ScriptedResolver => {
  const asked: Array<string> = []
  const resolve = (host: string) =>
    Effect.sync(() => {
      asked.push(host)
      return answers[Math.min(asked.length, answers.length) - 1] ?? []
    })
  return { layer: Layer.succeed(HostResolver, { resolve }), asked }
}
