// The outcome of one attempt, against receivers that respond, stay silent or misbehave. Real connections on a test clock.
import { gzipSync } from "node:zlib"
import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { httpServer, refusingPort, tcpServer } from "#test/adapters/outbound/Loopback.ts"
import { selfSigned } from "#test/adapters/outbound/SelfSigned.ts"
import { receiver, respondWith } from "./Receiver.ts"
import { attempt, sender } from "./SenderSetup.ts"

const answered = (httpStatus: number, retryAfterMs: number | null = null) => ({
  kind: "answered",
  httpStatus,
  retryAfterMs,
  durationMs: 0
})
const failed = (fault: string) => ({ kind: "failed", fault, durationMs: 0 })

describe("an attempt", () => {
  it.effect("is a POST of the given body and headers to the named host", () =>
    Effect.gen(function* () {
      const { port, received } = yield* receiver(respondWith(204))
      expect(yield* attempt(`http://hooks.example:${port}/in?a=b`)).toEqual(answered(204))
      expect(received).toMatchObject([
        {
          method: "POST",
          path: "/in?a=b",
          headers: { host: `hooks.example:${port}`, "content-length": "14", "service-event": "x" }
        }
      ])
      expect(received[0]?.body.toString()).toBe('{"id":"evt_1"}')
    }).pipe(Effect.provide(sender()))
  )

  it.effect.each([200, 202, 204, 299, 400, 404, 410, 429, 500, 503])("returns the status %i", (status) =>
    Effect.gen(function* () {
      const { port } = yield* receiver(respondWith(status))
      expect(yield* attempt(`http://hooks.example:${port}/`)).toEqual(answered(status))
    }).pipe(Effect.provide(sender()))
  )

  it.effect.each([300, 301, 302, 303, 307, 308])("returns the redirect %i without following it", (status) =>
    Effect.gen(function* () {
      const elsewhere = yield* receiver()
      const { port } = yield* receiver(respondWith(status, { location: elsewhere.url }))
      expect(yield* attempt(`http://hooks.example:${port}/`)).toEqual(answered(status))
      expect(elsewhere.connections()).toBe(0)
    }).pipe(Effect.provide(sender()))
  )

  it.effect.each([
    ["120", 120_000],
    ["0", 0],
    ["Thu, 01 Jan 1970 00:01:30 GMT", 90_000],
    ["Wed, 31 Dec 1969 00:00:00 GMT", 0],
    ["99999999999999", 99_999_999_999_999_000],
    ["-5", null],
    ["soon", null],
    ["1.5", null],
    ["1e9", null]
  ] as const)("reads Retry-After: %s", ([text, ms]) =>
    Effect.gen(function* () {
      const { port } = yield* receiver(respondWith(503, { "retry-after": text }))
      expect(yield* attempt(`http://hooks.example:${port}/`)).toEqual(answered(503, ms))
    }).pipe(Effect.provide(sender()))
  )

  it.effect("returns the status of the response, and not one below 200 before it", () =>
    Effect.gen(function* () {
      const hinting = yield* tcpServer(
        (socket) =>
          void socket.on("data", () =>
            socket.write("HTTP/1.1 103 Early Hints\r\nretry-after: 5\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")
          )
      )
      expect(yield* attempt(`http://hooks.example:${hinting.port}/`)).toEqual(answered(204))
    }).pipe(Effect.provide(sender()))
  )
})

describe("a receiver without a response", () => {
  it.effect("refuses, hangs up, resets or speaks another protocol: each has its fault", () =>
    Effect.gen(function* () {
      const closed = yield* refusingPort
      const rude = yield* tcpServer((socket) => socket.destroy())
      const abrupt = yield* tcpServer((socket) => void socket.on("data", () => socket.resetAndDestroy()))
      const half = yield* tcpServer((socket) => void socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\n")))
      const cut = yield* tcpServer(
        (socket) => void socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n123"))
      )
      const garbled = yield* tcpServer((socket) => void socket.write("SMTP ready\r\n"))
      const upgrading = yield* tcpServer((socket) => void socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n"))
      const wordy = yield* tcpServer(
        (socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(70_000)}\r\n\r\n`)
      )
      const to = ({ port }: { readonly port: number }) => attempt(`http://hooks.example:${port}/`)
      expect(yield* to(closed)).toEqual(failed("connection_refused"))
      for (const one of [rude, abrupt, half, cut]) expect(yield* to(one)).toEqual(failed("connection_reset"))
      for (const one of [garbled, upgrading, wordy]) expect(yield* to(one)).toEqual(failed("invalid_response"))
    }).pipe(Effect.provide(sender()))
  )

  it.effect("has a certificate for another name or of an unknown authority, or speaks no TLS: fault tls", () => {
    const identity = selfSigned("hooks.example")
    return Effect.gen(function* () {
      const { port } = yield* receiver(respondWith(200), { identity })
      const plain = yield* receiver()
      expect(yield* attempt(`https://hooks.example:${port}/`)).toEqual(answered(200))
      expect(yield* attempt(`https://other.example:${port}/`)).toEqual(failed("tls"))
      expect(yield* attempt(`https://hooks.example:${plain.port}/`)).toEqual(failed("tls"))
      expect(yield* Effect.provide(attempt(`https://hooks.example:${port}/`), sender())).toEqual(failed("tls"))
    }).pipe(Effect.provide(sender({ ca: identity.cert })))
  })

  it.effect.each([
    ["says nothing", () => undefined],
    ["stops after the head", (write) => write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1")],
    ["drips its head", (write) => write("HTTP/1.1 200 OK\r\nx: ")]
  ] as const satisfies ReadonlyArray<readonly [string, (write: (text: string) => void) => void]>)(
    "that %s for ten seconds is a timeout",
    ([, act]) =>
      Effect.gen(function* () {
        const acted = yield* Deferred.make<void>()
        const { port } = yield* tcpServer((socket) => {
          socket.on("data", () => {
            act((text: string) => void socket.write(text))
            Deferred.doneUnsafe(acted, Exit.void)
          })
        })
        const fiber = yield* Effect.forkChild(attempt(`http://hooks.example:${port}/`))
        yield* Deferred.await(acted)
        yield* TestClock.adjust("9999 millis")
        expect(fiber.pollUnsafe()).toBeUndefined()
        yield* TestClock.adjust("1 millis")
        expect(yield* Fiber.join(fiber)).toEqual({ kind: "failed", fault: "timeout", durationMs: 10_000 })
      }).pipe(Effect.provide(sender()))
  )
})

describe("a large response body", () => {
  it.effect("is read up to 4 KiB, and then the connection is closed", () =>
    Effect.gen(function* () {
      const hungUp = yield* Deferred.make<number>()
      const { port } = yield* httpServer((_request, response) => {
        let poured = 0
        const pour = () => {
          do poured += 65_536
          while (response.write("x".repeat(65_536)))
        }
        response.on("drain", pour).on("close", () => Deferred.doneUnsafe(hungUp, Exit.succeed(poured)))
        response.writeHead(500)
        pour()
      })
      expect(yield* attempt(`http://hooks.example:${port}/`)).toEqual(answered(500))
      // The buffers of the two kernels, rather than the gigabytes that the receiver would send.
      expect(yield* Deferred.await(hungUp)).toBeLessThan(64 * 1_024 * 1_024)
    }).pipe(Effect.provide(sender()))
  )

  it.effect("is not decompressed: a gzip bomb stays small", () =>
    Effect.gen(function* () {
      const bomb = gzipSync(Buffer.alloc(1 << 28))
      const { port } = yield* httpServer((_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip", "content-length": bomb.length }).end(bomb)
      })
      const before = process.memoryUsage().arrayBuffers
      expect(yield* attempt(`http://hooks.example:${port}/`)).toEqual(answered(200))
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 24)
    }).pipe(Effect.provide(sender()))
  )
})
