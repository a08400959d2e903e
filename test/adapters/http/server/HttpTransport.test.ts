// The server without a router: clients that send or read too slowly, more connections than allowed, and requests on an open connection
// while the server stops.
import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeServer, type SocketLimits } from "#adapters/http/server/HttpTransport.ts"
import { head } from "./RawHttp.ts"

/** A listening server with its pending responses, and a client that collects what it receives. */
const conversationWithin = Effect.fnUntraced(function* (limits: Partial<SocketLimits>) {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => makeServer(limits)),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const asked: Array<ServerResponse> = []
  server.on("request", (_, response) => asked.push(response))
  yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
  const address = server.address()
  const port = typeof address === "object" ? (address?.port ?? 0) : 0
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => connect(port, "127.0.0.1").on("error", () => {})),
    (client) => Effect.sync(() => client.destroy())
  )
  const received: Array<Buffer> = []
  client.on("data", (bytes) => received.push(bytes))
  const closed = Effect.promise(() => once(client, "close"))

  /** Writes a request and waits until the server has received it. */
  const ask = (bytes: string) =>
    Effect.promise(async () => {
      const arrival = once(server, "request")
      client.write(bytes)
      await arrival
    })

  return {
    server,
    port,
    client,
    asked,
    ask,
    untilClosed: Effect.as(closed, received).pipe(Effect.map((all) => Buffer.concat(all).toString()))
  }
})

const conversation = conversationWithin({})

const SLOW = `${head("POST", "/", { "Content-Length": "10" })}half`

/** Node's error for a request that took too long; a test cannot set its clock. */
const outOfTime = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

it.live("a request that takes too long to arrive is 408", () =>
  Effect.gen(function* () {
    const { server, asked, ask, untilClosed } = yield* conversation
    yield* ask(SLOW)
    server.emit("clientError", outOfTime, asked[0]?.req.socket)
    assert.match(yield* untilClosed, /^HTTP\/1\.1 408 Request Timeout\r\n.*Request-Id: req_.*"malformed_request"/s)
  })
)

it.live("a late request whose response has begun is cut off without a second response", () =>
  Effect.gen(function* () {
    const { server, asked, ask, untilClosed } = yield* conversation
    yield* ask(SLOW)
    asked[0]?.writeHead(200, { "Content-Length": "6" }).write("abc")
    server.emit("clientError", outOfTime, asked[0]?.req.socket)
    assert.notInclude(yield* untilClosed, "408")
  })
)

it.live("an idle connection stays open for longer than load balancers keep it", () =>
  Effect.gen(function* () {
    const { server } = yield* conversation
    assert.isAbove(server.keepAliveTimeout, 60_000)
  })
)

it.live("a stopping server does not wait for further requests on a connection", () =>
  Effect.gen(function* () {
    const { server, asked, ask, untilClosed } = yield* conversation
    // Does not end the server.
    server.keepAliveTimeout = 0
    const stopped = once(server, "close")
    yield* ask(head("GET", "/only"))
    server.close()
    for (const response of asked) response.end("told")
    assert.match(yield* untilClosed, /Connection: keep-alive.*told$/s)
    yield* Effect.promise(() => stopped)
  })
)

it.live("a stopping server responds once more on a connection in use, and closes it", () =>
  Effect.gen(function* () {
    const { server, asked, ask, untilClosed } = yield* conversation
    yield* ask(head("GET", "/first"))
    server.close()
    yield* ask(head("GET", "/second"))
    for (const response of asked) response.end(response.req.url)
    const responses = (yield* untilClosed).split(/(?=HTTP\/1\.1)/)
    assert.deepStrictEqual(
      responses.map((response) => [/Connection: (\S+)/.exec(response)?.[1], /\/\w+$/.exec(response)?.[0]]),
      [
        ["keep-alive", "/first"],
        ["close", "/second"]
      ]
    )
  })
)

describe("a client that is too slow", () => {
  const LIMITS = { headTimeoutMs: 200, requestTimeoutMs: 400, checkIntervalMs: 20 }
  const STALL = { ...LIMITS, stallTimeoutMs: 200 }

  it.live("with its request head gets 408 and is closed", () =>
    Effect.gen(function* () {
      const { client, untilClosed } = yield* conversationWithin(LIMITS)
      client.write("GET /slow HTTP/1.1\r\nHost: t")
      assert.match(yield* untilClosed, /^HTTP\/1\.1 408 .*"malformed_request"/s)
    })
  )

  it.live("and sends nothing at all is closed", () =>
    Effect.gen(function* () {
      const { untilClosed } = yield* conversationWithin(LIMITS)
      yield* untilClosed
    })
  )

  it.live("with its request body gets 408 and is closed, also if bytes keep coming", () =>
    Effect.gen(function* () {
      const { client, ask, untilClosed } = yield* conversationWithin(LIMITS)
      yield* ask(head("POST", "/", { "Content-Length": "100000" }))
      const drip = setInterval(() => client.write("x"), 20)
      const told = yield* Effect.ensuring(
        untilClosed,
        Effect.sync(() => clearInterval(drip))
      )
      assert.match(told, /^HTTP\/1\.1 408 /)
    })
  )

  it.live("and never reads its response is cut off", () =>
    Effect.gen(function* () {
      const { client, asked, ask } = yield* conversationWithin(STALL)
      client.pause()
      yield* ask(head("GET", "/large"))
      const [response] = asked
      const cut = Effect.promise(() => once(response?.req.socket ?? client, "close"))
      // More than the buffers of both sockets hold.
      response?.end(Buffer.alloc(64 * 1_024 * 1_024))
      yield* cut
      assert.isFalse(response?.writableFinished)
    })
  )

  it.live("is not one that is idle after its response", () =>
    Effect.gen(function* () {
      const { server, client, asked, ask } = yield* conversationWithin(STALL)
      let timeouts = 0
      server.on("timeout", () => timeouts++)
      yield* ask(head("GET", "/first"))
      const told = Effect.promise(() => once(client, "data"))
      asked[0]?.end("told")
      yield* told
      // Several times the limit, so that the limit would have been applied.
      yield* Effect.sleep("1 second")
      assert.strictEqual(timeouts, 0)
      assert.isFalse(client.destroyed)
    })
  )

  it.live("is not one that waits for a slow response", () =>
    Effect.gen(function* () {
      const { server, asked, ask, untilClosed } = yield* conversationWithin(STALL)
      const timedOut = Effect.promise(() => once(server, "timeout"))
      yield* ask(head("GET", "/", { Connection: "close" }))
      yield* timedOut
      asked[0]?.end("told")
      assert.match(yield* untilClosed, /^HTTP\/1\.1 200 .*told/s)
    })
  )
})

it.live("a connection above the limit is closed, and one of the others makes room for another", () =>
  Effect.gen(function* () {
    const { server, port, client, asked, ask } = yield* conversationWithin({ connectionsMax: 1 })
    yield* ask(head("GET", "/first"))
    const refused = connect(port, "127.0.0.1").on("error", () => {})
    yield* Effect.promise(() => once(refused, "close"))
    assert.lengthOf(asked, 1)
    const served = asked[0]?.req.socket
    client.destroy()
    yield* Effect.promise(() => once(served ?? server, "close"))
    const next = connect(port, "127.0.0.1").on("error", () => {})
    yield* Effect.promise(async () => {
      const arrival = once(server, "request")
      next.write(head("GET", "/second"))
      await arrival
    })
    next.destroy()
  })
)
