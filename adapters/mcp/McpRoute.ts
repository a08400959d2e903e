// POST /mcp, /mcp/full and /mcp/catalog: checks origin, key and body, then handles the protocol. Errors before the protocol have the API's error body.
// The span is made here, because the HTTP server's own would carry the URL, which may contain a key.
import { Effect, Layer, Option, Predicate, Redacted, Result, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { misplacedKey } from "#adapters/contract/access/MisplacedKey.ts"
import { OriginNotAllowed } from "#adapters/contract/errors/AdapterFailure.ts"
import { type CredentialKind, credentialKindOf } from "#adapters/contract/errors/CredentialNouns.ts"
import type { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { type ErrorResponse, type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import { errorResponse, type JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import { readJsonBody } from "#adapters/http/server/RequestBody.ts"
import { CurrentRequestId } from "#adapters/http/server/RequestId.ts"
import {
  ExpiredApiKey,
  InsufficientScope,
  InvalidApiKey,
  MissingApiKey,
  ReplacedApiKey,
  RevokedApiKey
} from "#core/domain/access/AccessRefusal.ts"
import { Scope } from "#core/domain/access/ApiKey.ts"
import { isKeyText } from "#core/domain/access/ApiKeyFormat.ts"
import type { Arguments } from "./Arguments.ts"
import { callerKey } from "./CallerKey.ts"
import { makeCallTool } from "./CallTool.ts"
import { catalog } from "./CatalogSurface.ts"
import { parseErrorResponse } from "./JsonRpcErrors.ts"
import { makeKeyRefusal } from "./KeyRefusal.ts"
import type { OrderingApi } from "./OrderingApi.ts"
import { plainMessage } from "./PlainArguments.ts"
import { type McpResponse, makeStreamableHttp } from "./StreamableHttp.ts"
import { full, ordering, type Surface } from "./Surface.ts"
import type { Tool } from "./Tool.ts"
import { toolServerOf } from "./ToolServer.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface McpOptions {
  /** Whether `?key=` is read. */
  readonly queryKey: boolean
  /** Whether a page of this origin may call. */
  readonly allowsOrigin: (origin: string) => boolean
}

const surfaces: ReadonlyArray<Surface> = [ordering, full, catalog]

/** For the server's route table. */
export const mcpRoutes = surfaces.flatMap(({ path }) => [
  { method: "POST", path } as const,
  { method: "OPTIONS", path } as const
])

/** The refusals of a surface, in its words. */
const makeRefusals = ({ wordError }: Surface) => {
  const worded = ({ body, ...response }: ErrorResponse, by?: CredentialKind): ErrorResponse => ({
    ...response,
    body: wordError(body, by)
  })
  const errorOf = (failure: Failure, by?: CredentialKind) =>
    Effect.flatMap(CurrentRequestId, (id) => countedErrorResponse(failure, id, true, by)).pipe(
      Effect.map((response) => worded(response, by))
    )
  return {
    errorOf,
    failureResponse: (failure: Failure, by?: CredentialKind): Effect.Effect<Response> =>
      Effect.map(errorOf(failure, by), ({ status, body, headers }) => {
        const shown = failure._tag === "InvalidJson" ? parseErrorResponse(body) : body
        return HttpServerResponse.jsonUnsafe(shown, { status, headers })
      }),
    /** Not counted: the API counted its refusal. */
    credentialRefusalResponse: (refusal: CredentialRefusal, by: CredentialKind): Effect.Effect<Response> =>
      Effect.map(CurrentRequestId, (id) => {
        const { status, body, headers } = worded(toErrorResponse(refusal, id, true, by), by)
        return HttpServerResponse.jsonUnsafe(body, { status, headers })
      })
  }
}
type Refusals = ReturnType<typeof makeRefusals>

/** Methods that tell nothing about an account, so that they need no key. */
const OPEN_METHODS: ReadonlySet<string> = new Set(["initialize", "server/discover", "ping", "tools/list"])

const methodsOf = (message: unknown): ReadonlyArray<string> =>
  Array.isArray(message)
    ? message.flatMap(methodsOf)
    : [Predicate.hasProperty(message, "method") && Predicate.isString(message.method) ? message.method : ""]

const isOpen = (message: unknown): boolean =>
  methodsOf(message).every((method) => OPEN_METHODS.has(method) || method.startsWith("notifications/"))

/** `None` without a key; a key that is malformed, or sent twice differently, is refused. */
const optionalKey = (key: ReturnType<typeof callerKey>) =>
  Result.isFailure(key) && key.failure._tag === "MissingApiKey"
    ? Result.succeed(Option.none<Redacted.Redacted<string>>())
    : Result.map(key, Option.some)

const refusalBody = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.String,
      message: Schema.String,
      details: Schema.optional(Schema.Struct({ required: Scope, held: Schema.Array(Scope) }))
    })
  })
)

type CredentialRefusal = ExpiredApiKey | InvalidApiKey | ReplacedApiKey | RevokedApiKey | InsufficientScope

/**
 * The API's refusal of a credential: the response is 401 or 403 as a whole, unless a call of the same batch was accepted. A missing scope
 * is one for a token, whose client can ask for more; a key is what it is, and the model is told.
 */
const credentialRefusal = (
  response: JsonResponse,
  credential: Redacted.Redacted<string>
): CredentialRefusal | undefined => {
  const { status } = response
  if (status !== 401 && status !== 403) return undefined
  // Only here, because the body of a stored response is parsed whenever it is read.
  const { code, message = "", details } = Option.getOrUndefined(refusalBody(response.body))?.error ?? {}
  // A text that was replaced and a key that has expired have one code, and different advice.
  if (code === "expired_api_key") return message.includes("was replaced") ? new ReplacedApiKey() : new ExpiredApiKey()
  if (status === 401) return code === "revoked_api_key" ? new RevokedApiKey() : new InvalidApiKey()
  const isToken = !isKeyText(Redacted.value(credential))
  return isToken && code === "insufficient_scope" && details !== undefined ? new InsufficientScope(details) : undefined
}

const kindOf = (key: Option.Option<Redacted.Redacted<string>>): CredentialKind =>
  Option.match(key, { onNone: () => "key", onSome: (text) => credentialKindOf(Redacted.value(text)) })

const toHttpResponse = ({ status, contentType, body }: McpResponse): Response =>
  body === "" ? HttpServerResponse.empty({ status }) : HttpServerResponse.text(body, { status, contentType })

/** What a page of an allowed origin may send and read. */
const CORS = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name",
  "access-control-expose-headers": "request-id, www-authenticate",
  "access-control-max-age": "3600"
}

/** Programs send no Origin header. Pages must have an allowed one, and may then read the response. */
const withOriginCheck = (allows: McpOptions["allowsOrigin"], { failureResponse }: Refusals) => {
  const refused = failureResponse(new OriginNotAllowed())
  return (handle: (request: Request) => Effect.Effect<Response>) => (request: Request) => {
    const { origin } = request.headers
    if (origin === undefined) return handle(request)
    if (!allows(origin)) return refused
    const headers = { ...CORS, "access-control-allow-origin": origin, vary: "origin" }
    return Effect.map(handle(request), HttpServerResponse.setHeaders(headers))
  }
}

const makeHandler = Effect.fnUntraced(function* (surface: Surface, refusals: Refusals, { queryKey }: McpOptions) {
  const { errorOf, failureResponse, credentialRefusalResponse } = refusals
  const refusalOf = yield* makeKeyRefusal(surface)
  const callTool = yield* makeCallTool(surface)
  const log = Effect.runForkWith(yield* Effect.context<never>())
  const handle = makeStreamableHttp(toolServerOf(surface), (error) =>
    log(Effect.logDebug("The MCP SDK refused a message", error.message))
  )

  /** Fails when the API refuses this key. */
  const checkKey = Effect.fnUntraced(function* (key: Redacted.Redacted<string>) {
    const refusal = Option.flatMapNullishOr(yield* refusalOf(key), (response) => credentialRefusal(response, key))
    if (Option.isSome(refusal)) return yield* refusal.value
  })

  const keyOf = ({ headers: { authorization }, url }: Request) =>
    optionalKey(callerKey({ authorization, url }, queryKey))

  const serve = Effect.fnUntraced(function* (request: Request) {
    const { headers } = request
    const missing = () => misplacedKey(request) ?? new MissingApiKey()
    const key = yield* Effect.fromResult(keyOf(request))
    // Only an open message without a key is told what else is wrong with it; a message with a wrong key is not.
    const body = yield* Option.match(key, {
      onNone: () => Effect.filterOrFail(readJsonBody(request), isOpen).pipe(Effect.mapError(missing)),
      onSome: (key) => Effect.tapError(readJsonBody(request), () => checkKey(key))
    })
    const message = plainMessage(body)
    const context = yield* Effect.context<never>()
    const run = Effect.runPromiseWith(context)
    const explain = (failure: Failure): ErrorBody => Effect.runSyncWith(context)(errorOf(failure)).body
    let refusal: CredentialRefusal | undefined
    let isAccepted = false
    const called = (tool: Tool, args: Arguments, state: string | undefined) =>
      Effect.tap(
        Option.match(key, {
          onNone: () => errorResponse(missing()),
          onSome: (key) => callTool(tool, args, key, state)
        }),
        (response) => {
          const refused = Option.flatMapNullishOr(key, (key) => credentialRefusal(response, key))
          if (Option.isNone(refused)) isAccepted = true
          else refusal ??= refused.value
          return Effect.void
        }
      )
    const response = yield* Effect.promise((signal) =>
      // A client that disconnects interrupts its call; a stateless server receives no other cancellation.
      handle(
        { headers, message },
        { call: (tool, args, { state }) => run(called(tool, args, state), { signal }), explain }
      )
    )
    // A key that is revoked within a batch: what was done before is told, and each later call has its refusal.
    if (isAccepted) return toHttpResponse(response)
    if (refusal !== undefined) return yield* credentialRefusalResponse(refusal, kindOf(key))
    // Only a call of a tool shows the key to the API. All else changes nothing, so that it is early enough to judge the key here.
    if (Option.isSome(key)) yield* checkKey(key.value)
    return toHttpResponse(response)
  })

  return (request: Request): Effect.Effect<Response> =>
    serve(request).pipe(
      Effect.catch((failure) =>
        failureResponse(failure, kindOf(Result.getOrElse(keyOf(request), () => Option.none())))
      ),
      Effect.withSpan(
        `POST ${surface.path}`,
        { kind: "server", parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers)) },
        { captureStackTrace: false }
      )
    )
})

export const layer = (options: McpOptions): Layer.Layer<never, never, HttpRouter.HttpRouter | OrderingApi> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      for (const surface of surfaces) {
        const refusals = makeRefusals(surface)
        const guarded = withOriginCheck(options.allowsOrigin, refusals)
        yield* router.add("POST", surface.path, guarded(yield* makeHandler(surface, refusals, options)))
        yield* router.add(
          "OPTIONS",
          surface.path,
          guarded(() => Effect.succeed(HttpServerResponse.empty({ status: 204 })))
        )
      }
    })
  )
