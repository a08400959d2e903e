// A server on a free port with the real API definition, middleware and system routes, and stub handlers that respond with the smallest
// valid body and record their calls.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer, Logger, Redacted, Result } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { type Access, CurrentCaller, type RequestValidation } from "#adapters/http/api/Access.ts"
import { Api } from "#adapters/http/api/Api.ts"
import { makeServer } from "#adapters/http/HttpTransport.ts"
import * as RestApi from "#adapters/http/RestApi.ts"
import { SERVE_OPTIONS } from "#adapters/http/RouteTable.ts"
import { ALL_SCOPES, type Caller } from "#core/domain/ApiKey.ts"
import { formatKey, KEY_ENTROPY_BYTES, parseKey } from "#core/domain/ApiKeyFormat.ts"
import { InvalidApiKey, MissingApiKey, RevokedApiKey } from "#core/domain/Refusal.ts"
import { Authenticate } from "#core/usecases/Authenticate.ts"
import { sampleOf } from "./SchemaSample.ts"

const keyFrom = (byte: number): string => formatKey("live", new Uint8Array(KEY_ENTROPY_BYTES).fill(byte))

export const keys = {
  full: keyFrom(1),
  readOnly: keyFrom(2),
  revoked: keyFrom(3),
  unknown: keyFrom(4),
  orderOnly: keyFrom(5)
}

const callers: Readonly<Record<string, Caller>> = {
  [keys.full]: { accountId: "acc_1", keyId: "key_full", mode: "live", scopes: ALL_SCOPES },
  [keys.readOnly]: { accountId: "acc_1", keyId: "key_read", mode: "live", scopes: ["read"] },
  [keys.orderOnly]: { accountId: "acc_1", keyId: "key_order", mode: "live", scopes: ["order"] }
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
  readonly keyId: string
  readonly request: unknown
}

/** A body of the endpoint's schema, or a complete response. */
type Answer = unknown
/** Replaces the sample response of an endpoint. */
export type Behaviour = (arrival: Arrival) => Effect.Effect<Answer> | undefined

interface AnyHandlers {
  readonly handle: (
    operation: string,
    handler: (request: Record<string, unknown>) => Effect.Effect<Answer, never, CurrentCaller>
  ) => AnyHandlers
}

type AllGroups = HttpApiGroup.ToService<"backlinks", (typeof Api.groups)[keyof typeof Api.groups]>

// The builder is typed per group; all groups are handled alike here, so it is cast to this simpler function.
const buildGroup = HttpApiBuilder.group as unknown as (
  api: typeof Api,
  group: string,
  build: (handlers: AnyHandlers) => AnyHandlers
) => Layer.Layer<AllGroups, never, Access | RequestValidation>

const stubGroup = (group: HttpApiGroup.Top, arrivals: Array<Arrival>, behave: Behaviour) =>
  buildGroup(Api, group.identifier, (handlers) =>
    Object.values(group.endpoints).reduce((built, endpoint) => {
      const [success] = endpoint.success
      if (success === undefined) throw new Error(`${endpoint.identifier} declares no success`)
      const sample = sampleOf(success)
      return built.handle(endpoint.identifier, ({ params, query, headers, payload }) =>
        Effect.flatMap(CurrentCaller, ({ keyId }) => {
          const arrival = { operation: endpoint.identifier, keyId, request: { params, query, headers, payload } }
          arrivals.push(arrival)
          return behave(arrival) ?? Effect.succeed(sample)
        })
      )
    }, handlers)
  )

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

export const stubServer = ({
  behave = () => undefined,
  rates = { reads: 0, orders: 0 },
  ready = Effect.void
}: StubOptions = {}) => {
  const arrivals: Array<Arrival> = []
  const logs: Array<string> = []
  const groups = Object.values(Api.groups).map((group) =>
    // The groups of the definition, as groups in general.
    stubGroup(group as unknown as HttpApiGroup.Top, arrivals, behave)
  )
  const [first, ...rest] = groups
  if (first === undefined) throw new Error("The API has no groups")
  const handlers = Layer.mergeAll(first, ...rest).pipe(
    Layer.provide(RestApi.middleware(rates)),
    Layer.provide(Layer.succeed(Authenticate, { authenticate }))
  )
  const app = RestApi.layer({ publicUrl: "http://127.0.0.1", ready, rates }).pipe(Layer.provide(handlers))
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
    Layer.provideMerge(NodeHttpServer.layer(makeServer, { port: 0, host: "127.0.0.1" })),
    Layer.provideMerge(Logger.layer([logger]))
  )
}
