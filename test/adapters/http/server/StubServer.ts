// A server on a free port with the real API definition, middleware and system routes, and stub operations that respond with the smallest
// valid body and record their calls.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer, Logger, Record, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServer } from "effect/http"
import { BytesResponse } from "#adapters/http/operations/JsonResponse.ts"
import type { AnyOperation } from "#adapters/http/operations/Operation.ts"
import { endpoints, type OperationName, successOf } from "#adapters/http/operations/OperationRequest.ts"
import { Operations } from "#adapters/http/operations/Operations.ts"
import { RunOperation } from "#adapters/http/operations/RunOperation.ts"
import { makeServer } from "#adapters/http/server/HttpTransport.ts"
import { RequestTurns } from "#adapters/http/server/RequestTurns.ts"
import * as RestApi from "#adapters/http/server/RestApi.ts"
import { SERVE_OPTIONS } from "#adapters/http/server/RouteTable.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import { InvalidApiKey, MissingApiKey, RevokedApiKey } from "#core/domain/access/AccessRefusal.ts"
import { ALL_SCOPES, type Caller } from "#core/domain/access/ApiKey.ts"
import { formatKey, KEY_ENTROPY_BYTES, parseKey } from "#core/domain/access/ApiKeyFormat.ts"
import { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import { Authenticate } from "#core/usecases/access/Authenticate.ts"
import { BindCalls } from "#core/usecases/access/BindCalls.ts"
import { sampleOf } from "../docs/SchemaSample.ts"

/** A body for each endpoint that wants one. */
export const bodies: Readonly<Record<string, unknown>> = {
  createOrder: {
    items: [{ site_id: 1, target_url: "https://shop.example/a", anchor_text: "a", anchor_type: "partial" }]
  },
  createWebhook: { url: "https://hooks.example/a", events: ["order.accepted"] },
  changeWebhook: { events: ["order.published"] },
  replayWebhook: { from: "2026-05-01" },
  changeLink: { anchor_text: "another page" },
  advanceSandboxOrder: { to: "published" },
  declineSandboxQuote: { reason: "Not now." }
}

/** Calls are bound as in a store in memory. */
const binding = BindCalls.layer.pipe(
  Layer.provide(MemoryStore.layer),
  Layer.provide(Layer.mock(Vault, { seal: Effect.succeed, unseal: Effect.succeed, isCurrent: () => true })),
  Layer.provide([NodeCrypto.layerDigest, SecureRandom.layerWebCrypto])
)

const keyFrom = (byte: number): string => formatKey("live", new Uint8Array(KEY_ENTROPY_BYTES).fill(byte))

export const keys = {
  full: keyFrom(1),
  readOnly: keyFrom(2),
  revoked: keyFrom(3),
  unknown: keyFrom(4),
  orderOnly: keyFrom(5)
}

const callers: Readonly<Record<string, Caller>> = {
  [keys.full]: { accountId: AccountId.make("acc_1"), keyId: KeyId.make("key_full"), mode: "live", scopes: ALL_SCOPES },
  [keys.readOnly]: {
    accountId: AccountId.make("acc_1"),
    keyId: KeyId.make("key_read"),
    mode: "live",
    scopes: ["read"]
  },
  [keys.orderOnly]: {
    accountId: AccountId.make("acc_1"),
    keyId: KeyId.make("key_order"),
    mode: "live",
    scopes: ["order"]
  }
}

const authenticate = (credential: Redacted.Redacted<string> | undefined) => {
  if (credential === undefined) return Effect.fail(new MissingApiKey())
  const text = Redacted.value(credential)
  if (text === keys.revoked) return Effect.fail(new RevokedApiKey())
  const caller = callers[text]
  return Result.isFailure(parseKey(text)) || caller === undefined
    ? Effect.fail(new InvalidApiKey())
    : Effect.succeed(caller)
}

/** The input of a handler call. */
export interface Arrival {
  readonly operation: string
  readonly keyId: KeyId
  readonly request: unknown
}

/** Replaces the sample response of an endpoint. */
export type Behaviour = (arrival: Arrival) => ReturnType<AnyOperation> | undefined

const stubOperation =
  (name: OperationName, arrivals: Array<Arrival>, behave: Behaviour): AnyOperation =>
  ({ keyId }, request) => {
    const arrival = { operation: name, keyId, request }
    arrivals.push(arrival)
    const sample = sampleOf(successOf(endpoints[name]))
    const content = typeof sample === "string" ? new TextEncoder().encode(sample) : sample
    const output =
      content instanceof Uint8Array
        ? new BytesResponse({
            status: 200,
            content,
            contentType: "application/octet-stream",
            fileName: "sample.bin"
          })
        : sample
    return behave(arrival) ?? Effect.succeed(output)
  }

export class Stub extends Context.Service<
  Stub,
  {
    readonly url: string
    readonly port: number
    readonly arrivals: ReadonlyArray<Arrival>
    readonly logs: ReadonlyArray<string>
  }
>()("test/StubServer") {}

export interface StubOptions {
  readonly behave?: Behaviour
  readonly rates?: { readonly reads: number; readonly orders: number }
  readonly ready?: Effect.Effect<unknown, unknown>
}

const listening = Layer.unwrap(
  Effect.map(RequestTurns, ({ admit }) =>
    NodeHttpServer.layer(() => makeServer({}, admit), { port: 0, host: "127.0.0.1" })
  )
)

export const stubServer = ({
  behave = () => undefined,
  rates = { reads: 0, orders: 0 },
  ready = Effect.void
}: StubOptions = {}) => {
  const arrivals: Array<Arrival> = []
  const logs: Array<string> = []
  const operations = Record.map(endpoints, (_, name) => stubOperation(name, arrivals, behave))
  const run = RunOperation.layer(rates).pipe(
    Layer.provide(Layer.succeed(Operations, operations)),
    Layer.provide(Layer.succeed(Authenticate, { authenticate })),
    Layer.provide(binding)
  )
  const app = RestApi.layer({ publicUrl: "http://127.0.0.1", oauth: null, ready }).pipe(Layer.provide(run))
  const logger = Logger.make(({ message, cause }) => {
    logs.push(`${String(message)} ${String(cause)}`)
  })
  const info = Layer.effect(
    Stub,
    Effect.map(HttpServer.HttpServer, ({ address }) => {
      const port = address._tag === "UnixPathAddress" ? 0 : address.port
      return { url: `http://127.0.0.1:${port}`, port, arrivals, logs }
    })
  )
  return HttpRouter.serve(app, SERVE_OPTIONS).pipe(
    Layer.provideMerge(info),
    Layer.provideMerge(listening),
    Layer.provideMerge(RequestTurns.layer),
    Layer.provideMerge(Logger.layer([logger]))
  )
}
