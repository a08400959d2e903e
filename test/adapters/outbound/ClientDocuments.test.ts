// The documents of clients over real connections, in insecure mode so that loopback may be reached: JSON of a bounded size, in time, from
// the address that was named, and from no other.
import type { RequestListener } from "node:http"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { expect } from "vitest"
import { layer as clientDocuments } from "#adapters/outbound/ClientDocuments.ts"
import { ClientDocuments, type DocumentAsker } from "#core/ports/access/ClientDocuments.ts"
import { hostileUrls } from "#test/core/domain/webhooks/HostileUrls.ts"
import { connectionTrap, httpServer, ipv4, scriptedResolver, someLoopback } from "./Loopback.ts"

const local = scriptedResolver([ipv4("127.0.0.1")])

/** The text of the document, or the reason of the refusal. */
const outcomeFor = (url: string, asker: DocumentAsker) =>
  ClientDocuments.use(({ fetch }) => fetch(url, asker)).pipe(
    Effect.match({ onSuccess: ({ text }) => text, onFailure: ({ reason }) => reason })
  )

const stranger = (network: string): DocumentAsker => ({ kind: "stranger", share: network })
const CONNECTED: DocumentAsker = { kind: "connected", share: null }

/** The same, of a service that fetches nothing else. */
const outcome = (url: string, { insecure = true, resolver = local.layer } = {}) =>
  outcomeFor(url, stranger("192.0.2.1")).pipe(Effect.provide(Layer.provide(clientDocuments({ insecure }), resolver)))

const answering =
  (status: number, headers: Record<string, string>, body = "{}"): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body)
  }

const JSON_TYPE = { "content-type": "application/json" }

const at = (port: number): string => `http://client.example:${port}/metadata.json`

describe("a client's document", () => {
  it.live("is read as it is, with its type and in full", () =>
    Effect.gen(function* () {
      for (const type of ["application/json", "application/json; charset=utf-8", "application/cimd+json"]) {
        const { port } = yield* httpServer(answering(200, { "content-type": type }, '{"a":"ü"}'))
        expect(yield* outcome(at(port))).toBe('{"a":"ü"}')
      }
    })
  )

  it.live("is refused with another status or type, and a redirect is not followed", () =>
    Effect.gen(function* () {
      const trap = yield* connectionTrap(someLoopback(), 0)
      for (const [status, headers, reason] of [
        [404, JSON_TYPE, "status"],
        [429, JSON_TYPE, "unavailable"],
        [500, JSON_TYPE, "unavailable"],
        [206, JSON_TYPE, "status"],
        [302, { location: `http://127.0.0.1:${trap.port}/` }, "redirects"],
        [307, { location: "http://169.254.169.254/latest/meta-data" }, "redirects"],
        [200, { "content-type": "text/html" }, "media_type"],
        [200, { "content-type": "application/jsonp" }, "media_type"],
        [200, {}, "media_type"]
      ] as const) {
        const { port } = yield* httpServer(answering(status, headers))
        expect([status, yield* outcome(at(port))]).toEqual([status, reason])
      }
      expect(trap.connections()).toBe(0)
    })
  )

  it.live("is refused at 5 MB, announced or not, and where it never ends or never begins", () =>
    Effect.gen(function* () {
      const big = "x".repeat(5_000_000)
      const announced = yield* httpServer(answering(200, { ...JSON_TYPE, "content-length": String(big.length) }, big))
      expect(yield* outcome(at(announced.port))).toBe("too_large")
      const endless = yield* httpServer((_request, response) => {
        response.writeHead(200, JSON_TYPE)
        const more = () => {
          while (response.write("x".repeat(1_024))) if (response.destroyed) return
        }
        response.on("drain", more)
        more()
      })
      expect(yield* outcome(at(endless.port))).toBe("too_large")
      const slow = yield* httpServer((_request, response) => {
        response.writeHead(200, JSON_TYPE).write("{")
      })
      const silent = yield* httpServer(() => undefined)
      const waited = yield* Effect.all([outcome(at(slow.port)), outcome(at(silent.port))], { concurrency: 2 })
      expect(waited).toEqual(["too_slow", "too_slow"])
    })
  )

  it.live("is not asked for at an address that the policy of webhooks refuses", () =>
    Effect.gen(function* () {
      for (const [url] of hostileUrls) expect([url, yield* outcome(url, { insecure: false })]).toEqual([url, "address"])
      for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fd00::1"]) {
        const family = address.includes(":") ? (6 as const) : (4 as const)
        const resolver = scriptedResolver([{ address, family }]).layer
        expect(yield* outcome("https://client.example/metadata.json", { insecure: false, resolver })).toBe("address")
      }
    })
  )
})

describe("20 silent documents that one network names at once", () => {
  it.live("keep no document of another network waiting, and none of a connected client", () =>
    Effect.gen(function* () {
      const silent = yield* httpServer(() => undefined)
      const good = yield* httpServer(answering(200, JSON_TYPE, "{}"))
      let asked = 0
      const counted = yield* httpServer(() => void asked++)
      const elsewhere = (nth: number) => `http://host-${nth}.example:${nth % 2 === 0 ? silent.port : counted.port}/`
      const flood = yield* Effect.forkScoped(
        Effect.forEach(
          Array.from({ length: 20 }, (_, nth) => elsewhere(nth)),
          (url) => outcomeFor(url, stranger("198.51.100.1")),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.sleep("100 millis")
      const others = yield* Effect.all(
        [
          outcomeFor(at(good.port), stranger("192.0.2.1")),
          outcomeFor(at(good.port), stranger("192.0.2.2")),
          outcomeFor(at(good.port), { kind: "member", share: "member mem_1" }),
          outcomeFor(at(good.port), CONNECTED)
        ],
        { concurrency: "unbounded" }
      )
      expect(others).toEqual(["{}", "{}", "{}", "{}"])
      // Four are fetched at once; each gives up after two seconds.
      expect(flood.pollUnsafe()).toBeUndefined()
      expect(asked).toBeLessThanOrEqual(4)
      const reasons = yield* Fiber.join(flood)
      expect(new Set(reasons)).toEqual(new Set(["too_slow", "busy"]))
      // All turns and places are given back.
      for (let nth = 0; nth < 20; nth++) expect(yield* outcomeFor(at(good.port), stranger("198.51.100.1"))).toBe("{}")
    }).pipe(Effect.scoped, Effect.provide(Layer.provide(clientDocuments({ insecure: true }), local.layer)))
  )

  it.live("of one host take two turns alone, of those that connected clients have, too", () =>
    Effect.gen(function* () {
      let asked = 0
      const silent = yield* httpServer(() => void asked++)
      const good = yield* httpServer(answering(200, JSON_TYPE, "{}"))
      for (const asker of [stranger("198.51.100.1"), { kind: "member", share: "member mem_1" } as const, CONNECTED]) {
        asked = 0
        const flood = yield* Effect.forkScoped(
          Effect.forEach(
            Array.from({ length: 8 }, (_, nth) => `http://silent.example:${silent.port}/${nth}`),
            (url) => outcomeFor(url, asker),
            { concurrency: "unbounded" }
          )
        )
        yield* Effect.sleep("100 millis")
        expect([asker, asked]).toEqual([asker, 2])
        expect(yield* outcomeFor(at(good.port), asker)).toBe("{}")
        yield* Fiber.interrupt(flood)
        expect(yield* outcomeFor(`http://silent.example:${good.port}/`, asker)).toBe("{}")
      }
    }).pipe(Effect.scoped, Effect.provide(Layer.provide(clientDocuments({ insecure: true }), local.layer)))
  )
})
