// Access tokens at the two MCP endpoints: one that was issued for the whole service opens /mcp alone, one for the catalogue opens
// /mcp/catalog alone; beside a service and in a server that calls it over HTTP.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { it } from "@effect/vitest"
import { Effect, Layer, Record, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { expect } from "vitest"
import { SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import { endpoints, successOf } from "#adapters/http/operations/OperationRequest.ts"
import { Operations } from "#adapters/http/operations/Operations.ts"
import { RunOperation } from "#adapters/http/operations/RunOperation.ts"
import { makeServer } from "#adapters/http/server/HttpTransport.ts"
import { RequestTurns } from "#adapters/http/server/RequestTurns.ts"
import { SERVE_OPTIONS } from "#adapters/http/server/RouteTable.ts"
import * as ApiInProcess from "#adapters/mcp/ApiInProcess.ts"
import * as ApiOverHttp from "#adapters/mcp/ApiOverHttp.ts"
import * as McpRoute from "#adapters/mcp/McpRoute.ts"
import type { OrderingApi } from "#adapters/mcp/OrderingApi.ts"
import { InvalidApiKey } from "#core/domain/access/AccessRefusal.ts"
import type { Resource } from "#core/domain/access/AccessToken.ts"
import { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { Authenticate } from "#core/usecases/access/Authenticate.ts"
import { BindCalls } from "#core/usecases/access/BindCalls.ts"
import { sampleOf } from "#test/adapters/http/docs/SchemaSample.ts"
import { bearer } from "./Clients.ts"
import { post, request, toolCall } from "./Post.ts"

const TOKENS: Readonly<Record<Resource, string>> = {
  service: "token-of-the-service-0123456789",
  catalog: "token-of-the-catalog-0123456789"
}

const authenticate = Layer.succeed(Authenticate, {
  authenticate: (credential, resource = "service") =>
    credential !== undefined && Redacted.value(credential) === TOKENS[resource]
      ? Effect.succeed({
          accountId: AccountId.make("acc_1"),
          keyId: KeyId.make("con_1"),
          mode: "live",
          scopes: ["read"]
        })
      : Effect.fail(new InvalidApiKey())
})

const operations = Layer.succeed(
  Operations,
  Record.map(endpoints, (endpoint) => () => Effect.succeed(sampleOf(successOf(endpoint))))
)

const inProcess = ApiInProcess.layer.pipe(
  Layer.provide(RunOperation.layer({ reads: 0, orders: 0 })),
  Layer.provide([operations, authenticate, Layer.mock(BindCalls, {})]),
  Layer.provide(RequestTurns.layer)
)

/** No API listens there. */
const relayed = ApiOverHttp.layer("http://127.0.0.1:1")

const served = (api: Layer.Layer<OrderingApi>) =>
  HttpRouter.serve(
    McpRoute.layer({ queryKey: false, allowsOrigin: () => false }).pipe(
      Layer.provide(api),
      Layer.provide(Layer.succeed(SupportContact, null))
    ),
    SERVE_OPTIONS
  ).pipe(Layer.provideMerge(NodeHttpServer.layer(makeServer, { port: 0, host: "127.0.0.1" })))

/** The status of a call and of a list with this token. */
const statuses = Effect.fnUntraced(function* (path: string, token: string) {
  const { address } = yield* HttpServer.HttpServer
  const url = `${HttpServer.formatAddress(address)}${path}`
  const called = yield* post(url, toolCall("2025", "check_balance"), bearer(token))
  const listed = yield* post(url, request("2025", "tools/list"), bearer(token))
  return [called.status, listed.status]
})

it.live("beside the service, a token opens what it was issued for", () =>
  Effect.gen(function* () {
    expect(yield* statuses("/mcp", TOKENS.service)).toEqual([200, 200])
    expect(yield* statuses("/mcp/catalog", TOKENS.catalog)).toEqual([200, 200])
    expect(yield* statuses("/mcp/catalog", TOKENS.service)).toEqual([401, 401])
    expect(yield* statuses("/mcp", TOKENS.catalog)).toEqual([401, 401])
  }).pipe(Effect.provide(served(inProcess)))
)

it.live("over HTTP, the catalogue takes keys alone, because the API would take any token of the service", () =>
  Effect.gen(function* () {
    expect(yield* statuses("/mcp", TOKENS.service), "the API is asked").toEqual([200, 200])
    expect(yield* statuses("/mcp/catalog", TOKENS.service)).toEqual([401, 401])
  }).pipe(Effect.provide(served(relayed)))
)
