// A request that goes on without its place among the others, such as a page that waits for a payment.
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { HttpServerRequest } from "effect/http"
import { RequestTurns } from "#adapters/http/server/RequestTurns.ts"
import { exchange, head } from "./RawHttp.ts"
import { bodies, keys, Stub, stubServer } from "./StubServer.ts"

const API = "/api/v1/agent"
const bearer = { Authorization: `Bearer ${keys.full}` }
const body = JSON.stringify(bodies["createOrder"])
const json = { "Content-Type": "application/json", "Content-Length": String(body.length) }
const order = head("POST", `${API}/orders`, { ...bearer, ...json }) + body
const search = head("GET", `${API}/catalog`, bearer)

it.live("its place goes to the next one, and is freed once", () => {
  const [lastOrder, lastSearch] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const begun = Latch.makeUnsafe()
  const searches: Array<string> = []
  let leaveTurn = (_request: HttpServerRequest.HttpServerRequest): void => undefined
  const leaving = Effect.flatMap(Effect.serviceOption(HttpServerRequest.HttpServerRequest), (request) => {
    if (request._tag === "Some") leaveTurn(request.value)
    return begun.open
  })
  const behave = ({ operation }: { readonly operation: string }) => {
    if (operation === "createOrder") return Effect.andThen(lastOrder.await, Effect.die("let go"))
    if (operation !== "searchSites" || searches.push(operation) > 1) return undefined
    return leaving.pipe(Effect.andThen(lastSearch.await), Effect.andThen(Effect.die("let go")))
  }
  return Effect.gen(function* () {
    const { port } = yield* Stub
    leaveTurn = (yield* RequestTurns).leave
    const statusOf = (bytes: string) => Effect.map(exchange(port, bytes), ({ status }) => status)
    // While an order runs, there is a place for one search.
    const ordering = yield* Effect.forkChild(statusOf(order), { startImmediately: true })
    const waiting = yield* Effect.forkChild(statusOf(search), { startImmediately: true })
    yield* begun.await
    assert.strictEqual(yield* statusOf(search), 200)
    yield* lastSearch.open
    assert.strictEqual(yield* Fiber.join(waiting), 500)
    assert.strictEqual(yield* statusOf(search), 200)
    yield* lastOrder.open
    assert.strictEqual(yield* Fiber.join(ordering), 500)
  }).pipe(Effect.provide(stubServer({ behave })))
})
