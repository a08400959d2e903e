// The probe over real connections, in insecure mode so that it may connect to loopback: its request, the responses it accepts, and
// that it connects to the vetted address.
import type { IncomingMessage, RequestListener } from "node:http"
import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { layerSystem as systemResolver } from "#adapters/outbound/HostResolver.ts"
import { layer as targetProbe } from "#adapters/outbound/TargetProbe.ts"
import { TargetProbe } from "#core/ports/webhooks/TargetProbe.ts"
import {
  connectionTrap,
  httpServer,
  ipv4,
  manyLoopbacks,
  refusingPort,
  scriptedResolver,
  someLoopback,
  tcpServer,
  tlsServer
} from "./Loopback.ts"
import { selfSigned } from "./SelfSigned.ts"

const local = scriptedResolver([ipv4("127.0.0.1")])

/** The probe's result for a URL: `ok`, or the reason of the refusal and why there was no answer. */
const verdict = (url: string, resolver = local.layer, ca?: string) =>
  TargetProbe.use(({ check }) => check(url)).pipe(
    Effect.match({
      onSuccess: () => "ok",
      onFailure: ({ reason, noAnswer }) => (noAnswer === undefined ? reason : `${reason}: ${noAnswer}`)
    }),
    Effect.provide(
      Layer.provide(
        targetProbe({ insecure: true, publicUrl: "https://service.example", ...(ca === undefined ? {} : { ca }) }),
        resolver
      )
    )
  )

const answering =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end()
  }

describe("the probe", () => {
  it.effect("sends one POST with an empty body to the named host", () =>
    Effect.gen(function* () {
      const seen: Array<IncomingMessage> = []
      const bodies: Array<string> = []
      const { port } = yield* httpServer((request, response) => {
        seen.push(request)
        request.setEncoding("utf8").on("data", (text: string) => bodies.push(text))
        request.on("end", () => response.writeHead(204).end())
      })
      expect(yield* verdict(`http://hooks.example:${port}/in?a=b`)).toBe("ok")
      expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(["POST /in?a=b"])
      expect(seen[0]?.headers).toMatchObject({ host: `hooks.example:${port}`, "content-length": "0" })
      expect(bodies).toEqual([])
    })
  )

  it.effect.each([200, 202, 400, 401, 404, 405, 410, 500, 503])("accepts %i", (status) =>
    Effect.gen(function* () {
      const { port } = yield* httpServer(answering(status))
      expect(yield* verdict(`http://hooks.example:${port}/`)).toBe("ok")
    })
  )

  it.effect.each([300, 301, 302, 303, 307, 308])("refuses %i as a redirect, without following it", (status) =>
    Effect.gen(function* () {
      const elsewhere = yield* httpServer(answering(200))
      const location = `http://127.0.0.1:${elsewhere.port}/`
      const { port } = yield* httpServer(answering(status, { location }))
      expect(yield* verdict(`http://hooks.example:${port}/`)).toBe("redirects")
      expect(elsewhere.connections()).toBe(0)
    })
  )

  it.effect(
    "tells a receiver that refuses connections, resets, hangs up or speaks another protocol as what it does",
    () =>
      Effect.gen(function* () {
        const closed = yield* refusingPort
        const rude = yield* tcpServer((socket) => socket.destroy())
        const early = yield* tcpServer((socket) => socket.resetAndDestroy())
        const late = yield* tcpServer((socket) => void socket.on("data", () => socket.resetAndDestroy()))
        const half = yield* tcpServer((socket) => {
          socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\n", () => socket.resetAndDestroy()))
        })
        const garbled = yield* tcpServer((socket) => socket.end("SMTP ready\r\n"))
        const to = ({ port }: { readonly port: number }) => verdict(`http://hooks.example:${port}/`)
        expect(yield* to(closed)).toBe("unreachable: connection_refused")
        for (const one of [rude, early, late, half]) expect(yield* to(one)).toBe("unreachable: connection_reset")
        expect(yield* to(garbled)).toBe("unreachable: invalid_response")
        expect(yield* verdict(`https://hooks.example:${early.port}/`)).toBe("unreachable: connection_reset")
      })
  )

  it.effect("refuses as unreachable a receiver that does not respond within five seconds", () =>
    Effect.gen(function* () {
      const connected = yield* Deferred.make<void>()
      const silent = yield* tcpServer(() => Deferred.doneUnsafe(connected, Exit.void))
      const fiber = yield* Effect.forkChild(verdict(`http://hooks.example:${silent.port}/`))
      yield* Deferred.await(connected)
      yield* TestClock.adjust("4999 millis")
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(fiber)).toBe("unreachable: timeout")
    })
  )

  it.effect("closes the connection under an endless body", () =>
    Effect.gen(function* () {
      const hungUp = yield* Deferred.make<void>()
      const { port } = yield* httpServer((_request, response) => {
        response.writeHead(200)
        const pour = () => {
          while (response.write("x".repeat(65_536)));
        }
        response.on("drain", pour).on("close", () => Deferred.doneUnsafe(hungUp, Exit.void))
        pour()
      })
      expect(yield* verdict(`http://hooks.example:${port}/`)).toBe("ok")
      yield* Deferred.await(hungUp)
    })
  )

  it.effect("speaks TLS to the named host, and refuses one without a valid certificate", () =>
    Effect.gen(function* () {
      const identity = selfSigned("hooks.example")
      const { port } = yield* tlsServer(answering(200), identity)
      const url = `https://hooks.example:${port}/`
      expect(yield* verdict(url, local.layer, identity.cert)).toBe("ok")
      expect(yield* verdict(url)).toBe("unreachable: tls")
      expect(yield* verdict(`https://other.example:${port}/`, local.layer, identity.cert)).toBe("unreachable: tls")
      expect(yield* verdict(`http://hooks.example:${port}/`, local.layer, identity.cert)).toMatch(/^unreachable: /)
    })
  )

  it.effect("resolves localhost with the system's resolver, and an address without any", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer(answering(200))
      const empty = scriptedResolver([])
      expect(yield* verdict(`http://localhost:${port}/`, systemResolver)).toBe("ok")
      expect(yield* verdict(`http://127.0.0.1:${port}/`, empty.layer)).toBe("ok")
      expect(empty.asked).toEqual([])
      expect(yield* verdict(`http://hooks.example:${port}/`, empty.layer)).toBe("unresolvable")
    })
  )
})

describe.skipIf(!manyLoopbacks)("the connected address", () => {
  it.effect("is the vetted one, although the name resolves to another the next time", () =>
    Effect.gen(function* () {
      const [judged, rebound] = [someLoopback(), someLoopback()]
      const { port, connections } = yield* httpServer(answering(200), judged)
      const trap = yield* connectionTrap(rebound, port)
      const resolver = scriptedResolver([ipv4(judged)], [ipv4(rebound)])
      expect(yield* verdict(`http://rebind.example:${port}/`, resolver.layer)).toBe("ok")
      expect(resolver.asked).toEqual(["rebind.example"])
      expect(connections()).toBe(1)
      expect(trap.connections()).toBe(0)
    })
  )

  it.effect("may be any vetted one, when the first does not respond", () =>
    Effect.gen(function* () {
      const [dead, alive] = [someLoopback(), someLoopback()]
      const { port, connections } = yield* httpServer(answering(200), alive)
      const resolver = scriptedResolver([ipv4(dead), ipv4(alive)])
      expect(yield* verdict(`http://hooks.example:${port}/`, resolver.layer)).toBe("ok")
      expect(connections()).toBe(1)
    })
  )
})
