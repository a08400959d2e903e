// The sender's connections: only to addresses vetted for the same attempt, reused only for these; and whose fault a failed
// connection is.
import type { Socket } from "node:net"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { dialFault } from "#adapters/outbound/DialFault.ts"
import {
  connectionTrap,
  httpServer,
  ipv4,
  manyLoopbacks,
  refusingPort,
  scriptedResolver,
  someLoopback
} from "#test/adapters/outbound/Loopback.ts"
import { hostileUrls } from "#test/core/domain/webhooks/HostileUrls.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { receiver } from "./Receiver.ts"
import { attempt, sender, unreliableResolver } from "./SenderSetup.ts"

const answered = (httpStatus: number) => ({ kind: "answered", httpStatus, retryAfterMs: null, durationMs: 0 })
const failed = (fault: string) => ({ kind: "failed", fault, durationMs: 0 })
const localFault = { kind: "local_fault", durationMs: 0 }

const PORT = 8_443
const publicAddress = ipv4("93.184.216.34")

describe("the URL policy of an attempt", () => {
  const resolver = scriptedResolver([publicAddress])

  it.effect(`refuses every one of ${hostileUrls.length} hostile URLs without a look-up or a connection`, () =>
    Effect.gen(function* () {
      expect(hostileUrls.length).toBeGreaterThanOrEqual(120)
      const trap = yield* connectionTrap("127.0.0.1", 0)
      for (const [url, fault] of hostileUrls) {
        const expected = fault === "unresolvable" ? "unresolvable" : "address_refused"
        expect(yield* attempt(url), url).toEqual(failed(expected))
      }
      expect(resolver.asked).toEqual([])
      expect(trap.connections()).toBe(0)
    }).pipe(Effect.provide(sender({ insecure: false }, resolver.layer)))
  )

  it.effect("refuses a name with one private address among public ones, without a connection", () =>
    Effect.gen(function* () {
      const trapped = someLoopback()
      const trap = yield* connectionTrap(trapped, PORT)
      for (const addresses of [[publicAddress, ipv4(trapped)], [ipv4(trapped), publicAddress], [ipv4("10.0.0.7")]]) {
        const mixed = sender({ insecure: false }, scriptedResolver(addresses).layer)
        expect(yield* Effect.provide(attempt(`https://mixed.example:${PORT}/`), mixed)).toEqual(
          failed("address_refused")
        )
      }
      expect(trap.connections()).toBe(0)
    })
  )

  it.effect("applies at every attempt: a name that comes to resolve to a private address is refused", () => {
    const trapped = someLoopback()
    const turning = scriptedResolver([ipv4(trapped)])
    return Effect.gen(function* () {
      const trap = yield* connectionTrap(trapped, PORT)
      const url = `https://turned.example:${PORT}/`
      expect(yield* concurrently(times(20, () => attempt(url)))).toEqual(times(20, () => failed("address_refused")))
      expect(trap.connections()).toBe(0)
    }).pipe(Effect.provide(sender({ insecure: false }, turning.layer)))
  })
})

describe.skipIf(!manyLoopbacks)("the connected address", () => {
  it.effect("is the vetted one, although the name resolves to another before the connection", () => {
    const [judged, rebound] = [someLoopback(), someLoopback()]
    const rebinding = scriptedResolver([ipv4(judged)], [ipv4(rebound)])
    return Effect.gen(function* () {
      const { port, connections } = yield* httpServer((_request, response) => void response.end(), judged)
      const trap = yield* connectionTrap(rebound, port)
      expect(yield* attempt(`http://rebind.example:${port}/`)).toEqual(answered(200))
      expect(rebinding.asked).toEqual(["rebind.example"])
      expect(connections()).toBe(1)
      expect(trap.connections()).toBe(0)
    }).pipe(Effect.provide(sender({}, rebinding.layer)))
  })

  it.effect("is never another name's: connections are reused only for the same origin and addresses", () => {
    const [first, second] = [someLoopback(), someLoopback()]
    const moving = scriptedResolver([ipv4(first)], [ipv4(second)], [ipv4(first)])
    return Effect.gen(function* () {
      const here = yield* httpServer((_request, response) => void response.end(), first)
      const there = yield* httpServer((_request, response) => void response.end(), second, here.port)
      const url = `http://moving.example:${here.port}/`
      for (const counts of [
        [1, 0],
        [1, 1],
        [1, 1]
      ]) {
        expect(yield* attempt(url)).toEqual(answered(200))
        expect([here.connections(), there.connections()]).toEqual(counts)
      }
      expect(yield* attempt(`http://other.example:${here.port}/`)).toEqual(answered(200))
      expect(here.connections()).toBe(2)
    }).pipe(Effect.provide(sender({}, moving.layer)))
  })
})

describe("connections", () => {
  it.effect("are reused", () =>
    Effect.gen(function* () {
      const { port, connections } = yield* receiver()
      const url = `http://hooks.example:${port}/`
      for (const _ of times(20, () => url)) expect(yield* attempt(url)).toEqual(answered(200))
      // A connection that has just responded may not be ready yet, so that two take turns.
      expect(connections()).toBeLessThanOrEqual(2)
      for (const _ of times(5, () => url)) yield* concurrently(times(20, () => attempt(url)))
      expect(connections()).toBeLessThanOrEqual(42)
    }).pipe(Effect.provide(sender()))
  )

  it.effect("that a receiver closes while idle do not fail the attempt", () =>
    Effect.gen(function* () {
      const known = new WeakSet<Socket>()
      let hangUps = 0
      const { port } = yield* httpServer(({ socket }, response) => {
        if (!known.has(socket)) {
          known.add(socket)
          return void response.end()
        }
        hangUps++
        socket.destroy()
      })
      const url = `http://hooks.example:${port}/`
      for (const _ of times(20, () => url)) expect(yield* attempt(url)).toEqual(answered(200))
      expect(hangUps).toBeGreaterThan(0)
    }).pipe(Effect.provide(sender()))
  )
})

describe("a failed connection", () => {
  const to = (name: string, port = 1) => attempt(`http://${name}.example:${port}/`)

  it.effect("to a name that does not exist is the receiver's fault", () =>
    Effect.gen(function* () {
      expect(yield* to("missing")).toEqual(failed("unresolvable"))
    }).pipe(Effect.provide(sender({}, unreliableResolver)))
  )

  it.effect("for lack of a resolver is a local fault, unless another receiver is reached", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver()
      expect(yield* to("silent")).toEqual(localFault)
      expect(yield* to("hooks", port)).toEqual(answered(200))
      expect(yield* to("silent")).toEqual(failed("unresolvable"))
    }).pipe(Effect.provide(sender({}, unreliableResolver)))
  )

  it.effect("that the receiver refused proves that receivers are reached", () =>
    Effect.gen(function* () {
      const { port } = yield* refusingPort
      expect(yield* to("silent")).toEqual(localFault)
      expect(yield* to("hooks", port)).toEqual(failed("connection_refused"))
      expect(yield* to("silent")).toEqual(failed("unresolvable"))
    }).pipe(Effect.provide(sender({}, unreliableResolver)))
  )
})

// Linux refuses a connection to a multicast address with the error of a missing route.
describe.skipIf(process.platform !== "linux")("a connection without a route", () => {
  const nowhere = "http://224.0.0.1:9/"

  it.effect("is a local fault, unless another receiver is reached", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver()
      expect(yield* attempt(nowhere)).toEqual(localFault)
      expect(yield* attempt(`http://hooks.example:${port}/`)).toEqual(answered(200))
      expect(yield* attempt(nowhere)).toEqual(failed("unreachable"))
      yield* TestClock.adjust("10 seconds")
      expect(yield* attempt(nowhere)).toEqual(localFault)
    }).pipe(Effect.provide(sender()))
  )
})

describe("dialFault", () => {
  const error = (code: string) => Object.assign(new Error(code), { code })

  it.each([
    ["ENETUNREACH", "unreachable"],
    ["EHOSTUNREACH", "unreachable"],
    ["EMFILE", "exhausted"],
    ["EADDRNOTAVAIL", "exhausted"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
    ["EPROTO", "tls"],
    ["ETIMEDOUT", "timeout"],
    ["UND_ERR_SOCKET", "connection_reset"],
    ["UND_ERR_HEADERS_OVERFLOW", "invalid_response"],
    ["UNKNOWN_CODE", "invalid_response"]
  ])("%s is %s", (code, fault) => expect(dialFault(error(code))).toBe(fault))

  it("of several addresses is the receiver's fault, where there is one", () => {
    expect(dialFault(new AggregateError([error("ENETUNREACH"), error("ECONNREFUSED")]))).toBe("connection_refused")
    expect(dialFault(new AggregateError([error("ENETUNREACH"), error("ENETUNREACH")]))).toBe("unreachable")
  })
})
