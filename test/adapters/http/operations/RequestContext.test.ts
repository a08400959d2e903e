// The context of a request excludes what the service was built from, which would be copied for every request.
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"
import * as HttpTransport from "#adapters/http/server/HttpTransport.ts"

class Ballast extends Context.Service<Ballast, "heavy">()("test/Ballast") {}

const names = Effect.map(Effect.context<never>(), ({ mapUnsafe }) => [...mapUnsafe.keys()])

it.live("a request starts with the context of the server, not of what is served", () => {
  const app = Effect.map(names, (all) => HttpServerResponse.jsonUnsafe(all))
  const served = Layer.unwrap(Effect.as(Ballast, HttpServer.serve(app))).pipe(
    Layer.provide(Layer.succeed(Ballast, "heavy")),
    Layer.provideMerge(HttpTransport.layer({ host: "127.0.0.1", port: 0, connectionsMax: 100 }))
  )
  return Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const all = yield* Effect.promise(async () => (await fetch(HttpServer.formatAddress(address))).text())
    assert.include(all, "effect/http/HttpServerRequest")
    assert.notInclude(all, Ballast.key)
  }).pipe(Effect.provide(served))
})
