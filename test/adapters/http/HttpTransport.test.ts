// The bare server, with a listener of the test's own: requests that do not arrive in time, and one that arrives on an open
// connection while the server stops.
import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeServer } from "#adapters/http/HttpTransport.ts"
import { head } from "./RawHttp.ts"

/** A server that listens, with the responses that it was asked for, and a client that keeps all it is sent. */
const conversation = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(Effect.sync(makeServer), (server) =>
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

  /** Writes a request, and waits until the server has it. */
  const ask = (bytes: string) =>
    Effect.promise(async () => {
      const arrival = once(server, "request")
      client.write(bytes)
      await arrival
    })

  return {
    server,
    asked,
    ask,
    untilClosed: Effect.as(closed, received).pipe(Effect.map((all) => Buffer.concat(all).toString()))
  }
})

const SLOW = `${head("POST", "/", { "Content-Length": "10" })}half`

/** What Node says of a request that took too long; its clock is not a test's to set. */
const outOfTime = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

it.live("a request that takes too long to arrive is 408", () =>
  Effect.gen(function* () {
    const { server, asked, ask, untilClosed } = yield* conversation
    yield* ask(SLOW)
    server.emit("clientError", outOfTime, asked[0]?.req.socket)
    assert.match(yield* untilClosed, /^HTTP\/1\.1 408 Request Timeout\r\n.*Request-Id: req_.*"malformed_request"/s)
  })
)

it.live("one whose answer has begun is cut off, without another answer in the midst of it", () =>
  Effect.gen(function* () {
    const { server, asked, ask, untilClosed } = yield* conversation
    yield* ask(SLOW)
    asked[0]?.writeHead(200, { "Content-Length": "6" }).write("abc")
    server.emit("clientError", outOfTime, asked[0]?.req.socket)
    assert.notInclude(yield* untilClosed, "408")
  })
)

it.live("a connection stays open for longer than a balancer has no use for it", () =>
  Effect.gen(function* () {
    const { server } = yield* conversation
    assert.isAbove(server.keepAliveTimeout, 60_000)
  })
)

it.live("while the server stops, it does not wait for what else a client might ask on a connection", () =>
  Effect.gen(function* () {
    const { server, asked, ask, untilClosed } = yield* conversation
    // Not what ends it.
    server.keepAliveTimeout = 0
    const stopped = once(server, "close")
    yield* ask(head("GET", "/only"))
    server.close()
    for (const response of asked) response.end("told")
    assert.match(yield* untilClosed, /Connection: keep-alive.*told$/s)
    yield* Effect.promise(() => stopped)
  })
)

it.live(
  "while the server stops, a connection that is still used is answered once more, and told that this was the last",
  () =>
    Effect.gen(function* () {
      const { server, asked, ask, untilClosed } = yield* conversation
      yield* ask(head("GET", "/first"))
      server.close()
      yield* ask(head("GET", "/second"))
      for (const response of asked) response.end(response.req.url)
      const answers = (yield* untilClosed).split(/(?=HTTP\/1\.1)/)
      assert.deepStrictEqual(
        answers.map((answer) => [/Connection: (\S+)/.exec(answer)?.[1], /\/\w+$/.exec(answer)?.[0]]),
        [
          ["keep-alive", "/first"],
          ["close", "/second"]
        ]
      )
    })
)
