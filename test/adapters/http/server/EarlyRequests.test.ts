// The service takes its port before it touches the store, and answers every request with 503 until it is ready.
import { existsSync, mkdtempSync } from "node:fs"
import { createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Schema } from "effect"
import { portsWithStore } from "#adapters/app/Ports.ts"
import { serveErrorMessage } from "#adapters/app/RunServer.ts"
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
  return { called: Deferred.await(called), isCalled: Deferred.isDone(called), port, close: close(server) }
})

const configAt = (host: string, port: number, database: number) =>
  settingsFrom({
    HOST: host,
    PORT: String(port),
    ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    DATABASE_URL: `postgres://u:p@127.0.0.1:${database}/d`
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

  it.live("requests get 503 while the database does not answer", () =>
    Effect.gen(function* () {
      const { called, port, close } = yield* silentDatabase
      // The same port at another loopback address, where no other process listens.
      const starting = yield* Effect.forkScoped(Layer.build(Service.layer(yield* configAt("127.0.0.7", port, port))))
      yield* called
      const { status, headers } = yield* Effect.promise(() => fetch(`http://127.0.0.7:${port}/readyz`))
      assert.deepStrictEqual([status, headers.get("retry-after")], [503, "1"])
      yield* close
      assert.isTrue(Exit.isFailure(yield* Fiber.await(starting)))
    })
  )

  it.live("a taken port ends the start before the database is asked or a data folder is made, and is named", () =>
    Effect.gen(function* () {
      const { port: taken } = yield* silentDatabase
      const database = yield* silentDatabase
      const folder = join(mkdtempSync(join(tmpdir(), "taken-")), "data")
      const onDatabase = yield* configAt("127.0.0.1", taken, database.port)
      const embedded = yield* settingsFrom({
        HOST: "127.0.0.1",
        PORT: String(taken),
        STORE: "embedded",
        DATA_DIR: folder
      })
      for (const config of [onDatabase, embedded]) {
        const fault = yield* Effect.flip(Effect.scoped(Layer.build(Service.layer(config))))
        assert.include(fault._tag === "ServeError" ? serveErrorMessage(fault) : fault._tag, `Port ${taken} is taken`)
      }
      assert.isFalse(yield* database.isCalled)
      assert.isFalse(existsSync(folder))
    })
  )
})
