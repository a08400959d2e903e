// Requests in turns, over HTTP: a client that leaves frees its place, one whose turn does not come is told so, and responses of one
// connection keep their order.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Redacted, Schema } from "effect"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import type { OperationName } from "#adapters/http/operations/OperationRequest.ts"
import { RequestTurns } from "#adapters/http/server/RequestTurns.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { exchange, head, responsesTo } from "./RawHttp.ts"
import { type Arrival, keys, Stub, stubServer } from "./StubServer.ts"

const API = "/api/v1/agent"
const bearer = { Authorization: `Bearer ${keys.full}` }

const search = (nth: number) => head("GET", `${API}/catalog?min_tf=${nth}`, bearer)

const item = {
  site_id: 1,
  target_url: "https://brand.example/",
  anchor_text: "a page",
  anchor_type: "partial"
}
const body = JSON.stringify({ items: [item] })
const json = { "Content-Type": "application/json", "Content-Length": String(body.length) }
const order = head("POST", `${API}/orders`, { ...bearer, ...json }) + body

/** A server whose first order and first search last until they are let go. Each call has its own connection. */
const busyServer = Effect.fnUntraced(function* <A, E>(
  test: (calls: {
    readonly finishOrder: Effect.Effect<boolean>
    readonly finishSearch: Effect.Effect<boolean>
    /** Sends, and returns once the server has it: at its operation if it starts, or else after one that is not held. */
    readonly send: (bytes: string) => Effect.Effect<Fiber.Fiber<ReadonlyArray<number>, Error>>
    /** Leaves, and returns once the server has noticed. */
    readonly leave: (sent: Fiber.Fiber<unknown, Error>) => Effect.Effect<void>
    readonly operations: () => ReadonlyArray<string>
  }) => Effect.Effect<A, E, Stub>
) {
  const [lastOrder, lastSearch] = [yield* Latch.make(), yield* Latch.make()]
  const seen = new Set<string>()
  const behave = ({ operation }: Arrival) => {
    if (seen.has(operation)) return undefined
    seen.add(operation)
    if (operation === "createOrder") return Effect.andThen(lastOrder.await, Effect.die("let go"))
    if (operation === "searchSites") return Effect.andThen(lastSearch.await, Effect.die("let go"))
    return undefined
  }
  return yield* Effect.flatMap(Stub, ({ port, arrivals }) => {
    // Requests that are not held: what was sent before them has arrived when they are answered.
    const noticed = Effect.orDie(Effect.repeat(exchange(port, head("GET", "/healthz")), { times: 2 }))
    const send = (bytes: string) =>
      Effect.gen(function* () {
        const count = bytes.split(" HTTP/1.1").length - 1
        const statuses = Effect.map(responsesTo(port, count, bytes), (all) => all.map(({ status }) => status))
        const fiber = yield* Effect.forkChild(statuses, { startImmediately: true })
        yield* noticed
        return fiber
      })
    const leave = (sent: Fiber.Fiber<unknown, Error>) => Effect.andThen(Fiber.interrupt(sent), noticed)
    return test({
      finishOrder: lastOrder.open,
      finishSearch: lastSearch.open,
      send,
      leave: (sent) => Effect.asVoid(leave(sent)),
      operations: () => arrivals.map(({ operation }) => operation)
    })
  }).pipe(Effect.provide(stubServer({ behave })))
})

describe("while an order and a search run", () => {
  it.live("the place of a client that leaves goes to the next one", () =>
    busyServer(
      Effect.fnUntraced(function* ({ send, leave, finishSearch, finishOrder, operations }) {
        const first = yield* send(order)
        const [running, left, next] = [yield* send(search(1)), yield* send(search(2)), yield* send(search(3))]
        assert.deepStrictEqual(operations(), ["createOrder", "searchSites"])
        yield* leave(left)
        yield* finishSearch
        assert.deepStrictEqual([yield* Fiber.join(running), yield* Fiber.join(next)], [[500], [200]])
        yield* finishOrder
        assert.deepStrictEqual(yield* Fiber.join(first), [500])
        assert.deepStrictEqual(operations(), ["createOrder", "searchSites", "searchSites"])
      })
    )
  )

  it.live("requests of one connection run when they may, and are answered in their order", () =>
    busyServer(
      Effect.fnUntraced(function* ({ send, finishSearch, finishOrder, operations }) {
        yield* send(order)
        yield* send(search(1))
        const pipelined = yield* send(`${search(2)}${order}not HTTP\r\n\r\n`)
        assert.deepStrictEqual(operations(), ["createOrder", "searchSites", "createOrder"])
        yield* finishSearch
        assert.deepStrictEqual(yield* Fiber.join(pipelined), [200, 201, 400])
        yield* finishOrder
      })
    )
  )

  it.live("a search that waited for five seconds is 503, and may be sent again", () =>
    busyServer(
      Effect.fnUntraced(function* ({ send, finishSearch, finishOrder }) {
        yield* send(order)
        yield* send(search(1))
        const { port } = yield* Stub
        const { status, headers, body } = yield* exchange(port, search(2))
        assert.strictEqual(status, 503, body)
        const { error, request_id } = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(body))
        assert.deepStrictEqual(
          [error.code, error.retryable, headers.get("retry-after"), headers.get("request-id")],
          ["store_unavailable", true, "1", request_id]
        )
        yield* Effect.andThen(finishSearch, finishOrder)
      })
    )
  )
})

const ANSWER = JsonResponse.fromBody(200, {})

describe("the turn of an account", () => {
  it.live(
    "is shared by all credentials that were authenticated for it, such as the next access token of a connection",
    () =>
      Effect.gen(function* () {
        const { recordKey, call } = yield* RequestTurns
        const caller: Caller = {
          accountId: AccountId.make("acc_1"),
          keyId: KeyId.make("con_1"),
          mode: "live",
          scopes: ["read"]
        }
        const [earlier, current, unknown] = [
          Redacted.make("earlier"),
          Redacted.make("current"),
          Redacted.make("unknown")
        ]
        for (const token of [earlier, current]) recordKey(token, caller)
        const [lastOrder, lastSearch] = [yield* Latch.make(), yield* Latch.make()]
        const answered: Array<string> = []
        const start = (credential: Redacted.Redacted, operation: OperationName, work: Effect.Effect<void>) =>
          Effect.forkChild(call(credential, operation, Effect.as(work, ANSWER)), { startImmediately: true })
        const order = yield* start(unknown, "createOrder", lastOrder.await)
        const first = yield* start(unknown, "searchSites", lastSearch.await)
        const waiting = yield* Effect.forEach([unknown, unknown, current], (credential) =>
          start(
            credential,
            "searchSites",
            Effect.sync(() => answered.push(Redacted.value(credential)))
          )
        )
        yield* lastSearch.open
        yield* Fiber.joinAll([first, ...waiting])
        assert.deepStrictEqual(answered, ["unknown", "current", "unknown"])
        yield* lastOrder.open
        yield* Fiber.join(order)
      }).pipe(Effect.provide(RequestTurns.layer))
  )
})

describe("the turn of a request without a key", () => {
  it.live(
    "is its network's; that of a member's browser is the member's, and assistants that refresh have one apart",
    () =>
      Effect.gen(function* () {
        const { admit, recordCookie } = yield* RequestTurns
        recordCookie("a-session", AccountId.make("acc_1"))
        const served: Array<string> = []
        const done = yield* Latch.make()
        const arrive = (name: string, network: string, { url = "/account/sign-in", cookie = "" } = {}) => {
          const headers = { "x-forwarded-for": network, cookie }
          const request = { method: "POST", url, headers, socket: { remoteAddress: "127.0.0.1" } } as never // all that is read of it
          const response = { on: () => undefined } as never // as above
          admit(request, response, () => {
            served.push(name)
            if (served.length === 44) done.openUnsafe()
          })
        }
        for (let nth = 0; nth < 40; nth++) arrive("flood", "198.51.100.1")
        arrive("member", "198.51.100.1", { cookie: "next=/; session=a-session" })
        arrive("unknown session", "198.51.100.1", { cookie: "session=another" })
        arrive("assistant", "198.51.100.1", { url: "/oauth/token" })
        arrive("other network", "192.0.2.1")
        yield* done.await
        // Members and assistants wait for no stranger, and strangers' networks take turns.
        for (const name of ["member", "assistant", "other network"]) assert.isBelow(served.indexOf(name), 10, name)
        assert.isAbove(served.indexOf("unknown session"), 40)
      }).pipe(Effect.provide(RequestTurns.layerBehind([{ address: "127.0.0.1", prefix: 32, family: "ipv4" }])))
  )
})

describe("a device that proves itself", () => {
  it.live("waits for no stranger at a process that has not seen it, whatever others make up", () =>
    Effect.gen(function* () {
      const { admit, recogniseBy } = yield* RequestTurns
      const judged: Array<string> = []
      recogniseBy((marks) => {
        judged.push(marks)
        return Promise.resolve(marks.startsWith("sealed") ? "device 1" : null)
      })
      const served: Array<string> = []
      const done = yield* Latch.make()
      const arrive = (name: string, cookie: string, destroyed = false) => {
        const socket = { remoteAddress: "198.51.100.1", destroyed }
        const request = { method: "POST", url: "/account/sign-in", headers: { cookie }, socket } as never // all that is read of it
        const response = { on: () => undefined } as never // as above
        admit(request, response, () => {
          served.push(name)
          if (served.length === 102) done.openUnsafe()
        })
      }
      for (let nth = 0; nth < 100; nth++) arrive("flood", `devices=made-up-${nth % 3}`)
      arrive("left", "devices=sealed-but-gone", true)
      arrive("member", "next=/; devices=sealed")
      arrive("member over https", "__Host-devices=sealed-too")
      yield* done.await
      for (const name of ["member", "member over https"]) assert.isBelow(served.indexOf(name), 20, name)
      assert.notInclude(served, "left")
      // What was judged is known.
      const before = judged.length
      arrive("again", "devices=sealed~another")
      arrive("again", "devices=made-up-1")
      assert.strictEqual(judged.length, before)
    }).pipe(Effect.provide(RequestTurns.layer))
  )
})

describe("the credential of a header", () => {
  it.effect("is the one that was authenticated, or else a new one", () =>
    Effect.gen(function* () {
      const { recordKey, credentialOf } = yield* RequestTurns
      const known = Redacted.make("known")
      recordKey(known, {
        accountId: AccountId.make("acc_1"),
        keyId: KeyId.make("key_1"),
        mode: "live",
        scopes: ["read"]
      })
      assert.strictEqual(credentialOf("Bearer known"), known)
      assert.strictEqual(Redacted.value(credentialOf("Bearer other")), "other")
      assert.strictEqual(Redacted.value(credentialOf()), "")
    }).pipe(Effect.provide(RequestTurns.layer))
  )
})
