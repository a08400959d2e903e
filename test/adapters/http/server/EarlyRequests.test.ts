// Requests before the service is ready fail at once: connections are refused while the store is opened, and get an error response from
// then on until the service is ready.

import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Schema } from "effect"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import { settingsFrom } from "#test/scenarios/RunningService.ts"
import { exchange, head } from "./RawHttp.ts"

const ORDER = '{"items":[]}'

const REQUESTS = {
  "a probe of health": head("GET", "/healthz"),
  "a probe of readiness": head("GET", "/readyz"),
  "an order": `${head("POST", "/api/v1/agent/orders", { "Content-Length": String(ORDER.length) })}${ORDER}`,
  "an order that waits for leave": head("POST", "/api/v1/agent/orders", {
    "Content-Length": "9",
    Expect: "100-continue"
  }),
  "a call of a tool": head("POST", "/mcp", { "Content-Length": "0" }),
  "an offer to speak WebSocket": head("GET", "/healthz", { Connection: "Upgrade", Upgrade: "websocket" })
}

/** A database that accepts a connection and sends nothing until it closes it. */
const silentDatabase = Effect.gen(function* () {
  const called = yield* Deferred.make<void>()
  const calls = new Set<Socket>()
  const close = (server: Server) =>
    Effect.sync(() => {
      server.close()
      for (const call of calls) call.destroy()
    })
  const listening = Effect.callback<Server>((resume) => {
    const server = createServer((socket) => {
      calls.add(socket.on("error", () => {}))
      Deferred.doneUnsafe(called, Exit.void)
    }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  })
  const server = yield* Effect.acquireRelease(listening, close)
  const address = server.address()
  const port = typeof address === "object" ? (address?.port ?? 0) : 0
  return { called: Deferred.await(called), port, close: close(server) }
})

describe("while the service starts", () => {
  it.live("every request gets 503 until the service is ready", () =>
    Effect.gen(function* () {
      const bound = yield* Deferred.make<string>()
      const opened = yield* Deferred.make<void>()
      const config = yield* settingsFrom({})
      const service = Service.layerWithPorts(config, (url) =>
        Layer.unwrap(
          Deferred.succeed(bound, url).pipe(
            Effect.andThen(Deferred.await(opened)),
            Effect.as(portsWithStore(config, url, MemoryStore.layer))
          )
        )
      )
      const starting = yield* Effect.forkScoped(Layer.build(service))
      const port = Number(new URL(yield* Deferred.await(bound)).port)

      for (const [name, bytes] of Object.entries(REQUESTS)) {
        const { status, headers, body } = yield* exchange(port, bytes)
        assert.strictEqual(status, 503, name)
        assert.strictEqual(headers.get("retry-after"), "1", name)
        const envelope = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(body))
        assert.strictEqual(envelope.error.code, "store_unavailable", name)
        assert.strictEqual(headers.get("request-id"), envelope.request_id, name)
      }

      yield* Deferred.succeed(opened, undefined)
      yield* Fiber.join(starting)
      for (const [name, bytes] of Object.entries(REQUESTS)) {
        const { status } = yield* exchange(port, bytes)
        assert.isBelow(status, 500, name)
      }
    })
  )

  it.live("connections are refused until the store is open", () =>
    Effect.gen(function* () {
      const { called, port, close } = yield* silentDatabase
      // The same port at another loopback address, where no other process listens.
      const place = { HOST: "127.0.0.7", PORT: String(port), ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") }
      const config = yield* settingsFrom({ ...place, DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/d` })
      const starting = yield* Effect.forkScoped(Layer.build(Service.layer(config)))
      yield* called
      const refused = yield* Effect.flip(
        Effect.tryPromise({ try: () => once(connect(port, "127.0.0.7"), "connect"), catch: String })
      )
      assert.include(refused, "ECONNREFUSED")
      yield* close
      assert.isTrue(Exit.isFailure(yield* Fiber.await(starting)))
    })
  )
})
