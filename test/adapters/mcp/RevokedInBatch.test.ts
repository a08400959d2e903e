// A key that is revoked while a batch runs: the calls that were done are told, the later ones are refused one by one.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { expect } from "vitest"
import { SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import { errorResponse, JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import { makeServer } from "#adapters/http/server/HttpTransport.ts"
import { SERVE_OPTIONS } from "#adapters/http/server/RouteTable.ts"
import * as McpRoute from "#adapters/mcp/McpRoute.ts"
import { OrderingApi } from "#adapters/mcp/OrderingApi.ts"
import { RevokedApiKey } from "#core/domain/access/AccessRefusal.ts"
import { keys } from "../http/server/StubServer.ts"
import { bearer } from "./Clients.ts"
import { type Message, post, toolCall } from "./Post.ts"

/** An API that accepts the first `accepted` calls of the key. */
const served = (accepted: number) => {
  let calls = 0
  const api = Layer.succeed(OrderingApi, {
    call: () =>
      calls++ < accepted
        ? Effect.succeed(JsonResponse.fromBody(200, { ok: true, balance_eur: 1 }))
        : errorResponse(new RevokedApiKey())
  })
  const routes = McpRoute.layer({ queryKey: false, allowsOrigin: () => false }).pipe(
    Layer.provide(api),
    Layer.provide(Layer.succeed(SupportContact, null))
  )
  return HttpRouter.serve(routes, SERVE_OPTIONS).pipe(
    Layer.provideMerge(NodeHttpServer.layer(makeServer, { port: 0, host: "127.0.0.1" }))
  )
}

const batch: Message = {
  ...toolCall("2025", "check_balance"),
  body: `[${[1, 2].map((id) => toolCall("2025", "check_balance").body.replace('"id":1', `"id":${id}`)).join(",")}]`
}

const sendBatch = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
  post(`${HttpServer.formatAddress(address)}/mcp`, batch, {
    ...bearer(keys.full),
    "mcp-protocol-version": "2025-03-26"
  })
)

it.live("a batch whose key is revoked in between answers each call", () =>
  Effect.gen(function* () {
    const { status, text } = yield* sendBatch
    expect(status, text).toBe(200)
    const answers: ReadonlyArray<{ id: number; result: unknown }> = JSON.parse(text)
    expect(answers.toSorted((one, other) => one.id - other.id)).toMatchObject([
      { id: 1, result: { structuredContent: { ok: true } } },
      { id: 2, result: { isError: true, content: [{ text: expect.stringContaining("revoked_api_key") }] } }
    ])
  }).pipe(Effect.provide(served(1)))
)

it.live("a batch whose key was revoked before is 401 as a whole", () =>
  Effect.gen(function* () {
    const { status, text } = yield* sendBatch
    expect([status, JSON.parse(text).error.code]).toEqual([401, "revoked_api_key"])
  }).pipe(Effect.provide(served(0)))
)
