// The typed client of the operator plane, for the operator CLI and the bench. Every failure, of the client, the network or the
// service, is an `OperatorError`, which never contains the token.
import { Effect, identity, Layer, type Redacted, Result, Schema, type Scope, Stream } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { RpcClient, type RpcClientError, type RpcGroup, RpcSerialization } from "effect/rpc"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { ACTOR_HEADER } from "./CurrentOperator.ts"
import { OperatorError, operatorError } from "./OperatorError.ts"
import { BACKUP_PATH, OPERATOR_PATH, OperatorRpcs } from "./OperatorRpcs.ts"
import { payloadCheck } from "./PayloadChecks.ts"

export interface OperatorClientOptions {
  /** Where the service is, such as `http://127.0.0.1:3000`, without a path. */
  readonly url: string
  readonly token: Redacted.Redacted<string>
  /** Name for the audit log; default `operator`. */
  readonly actor?: string
}

type Calls = RpcGroup.Rpcs<typeof OperatorRpcs>

/** One method for each call; `watch` returns a stream. */
export type OperatorClient = RpcClient.RpcClient<Calls>

const unreachable = new OperatorError({
  code: "service_unreachable",
  message: "The service does not answer.",
  status: 503,
  retryable: true,
  recovery: "retry",
  suggestion: "Check the address and that the service runs; a call that may have been done can be looked up."
})

const hungUp = new OperatorError({
  code: "service_unreachable",
  message: "The service, or a proxy before it, ended the connection before it answered.",
  status: 503,
  retryable: true,
  recovery: "retry",
  suggestion: "Look up whether the call was done, and repeat it if it was not."
})

/** The codes of Node and undici. */
const HUNG_UP = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]

const isHungUp = (error: unknown): boolean =>
  error instanceof Error && (("code" in error && HUNG_UP.includes(String(error.code))) || isHungUp(error.cause))

/** Why no answer came. */
const unanswered = (error: unknown): OperatorError => (isHungUp(error) ? hungUp : unreachable)

const unreadable = new OperatorError({
  code: "answer_not_understood",
  message: "What answered is not the operator plane of this service, or of another version.",
  status: 502,
  retryable: false,
  recovery: "correct",
  suggestion: "Check the address."
})

const brokenOff = new OperatorError({
  code: "backup_broken_off",
  message: "The service ended the connection before the end of the backup.",
  status: 502,
  retryable: true,
  recovery: "retry",
  suggestion: "Run the command again; if it goes on, the service's log has the reason."
})

const decodeBody = Schema.decodeUnknownEffect(ErrorBody)

/** The error body of a refused request. */
const errorIn = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<OperatorError> =>
  response.json.pipe(
    Effect.flatMap(decodeBody),
    Effect.map(({ error, request_id }) => new OperatorError({ ...error, request_id })),
    Effect.orElseSucceed(() => unreadable)
  )

/** It is the cause of the `HttpClientError` that the RPC client passes on. */
const refusal = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.flatMap(errorIn(response), (cause) => {
    const { request } = response
    return Effect.fail(
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.StatusCodeError({ request, response, cause, description: cause.code })
      })
    )
  })

/** The error of a request that was refused before it reached a handler. */
const refusalOf = ({ reason }: RpcClientError.RpcClientError): OperatorError => {
  if (reason._tag === "RpcClientDefect") return unreadable
  if (reason._tag !== "HttpError") return unreachable
  const { cause } = reason
  return cause instanceof HttpClientError.StatusCodeError && cause.cause instanceof OperatorError
    ? cause.cause
    : unanswered(cause)
}

const toOperatorError = (error: OperatorError | RpcClientError.RpcClientError): OperatorError =>
  error._tag === "OperatorError" ? error : refusalOf(error)

type Sent =
  | Effect.Effect<unknown, OperatorError | RpcClientError.RpcClientError>
  | Stream.Stream<unknown, OperatorError | RpcClientError.RpcClientError>

type Method = (payload: unknown, options?: unknown) => Sent

/** Decodes the payload before it is sent, as the server does, and maps every failure to `OperatorError`. */
const guarded = (tag: string, method: Method): Method => {
  const check = payloadCheck(tag)
  return (payload, options) => {
    const checked = check === undefined ? Result.succeed(payload) : check(payload)
    if (Result.isFailure(checked)) {
      const error = operatorError(checked.failure)
      return tag === "watch" ? Stream.fail(error) : Effect.fail(error)
    }
    const sent = method(checked.success, options)
    return Effect.isEffect(sent) ? Effect.mapError(sent, toOperatorError) : Stream.mapError(sent, toOperatorError)
  }
}

/** Adds the address and the operator to a request. */
const addressed =
  ({ url, token, actor }: OperatorClientOptions, path: string) =>
  (request: HttpClientRequest.HttpClientRequest): HttpClientRequest.HttpClientRequest =>
    request.pipe(
      // The protocol posts to an empty URL, before which `prependUrl` would leave a slash at the end of the path.
      HttpClientRequest.updateUrl(() => `${url.replace(/\/+$/, "")}${path}`),
      HttpClientRequest.bearerToken(token),
      actor === undefined ? identity : HttpClientRequest.setHeader(ACTOR_HEADER, actor)
    )

/** The bytes of a backup's file. They are all of it only if `checkBackup` accepts them. */
export const downloadBackup = (
  options: OperatorClientOptions
): Stream.Stream<Uint8Array, OperatorError, HttpClient.HttpClient> =>
  Stream.unwrap(
    HttpClient.execute(addressed(options, BACKUP_PATH)(HttpClientRequest.post(""))).pipe(
      Effect.mapError(unanswered),
      Effect.flatMap((response) =>
        response.status === 200
          ? Effect.succeed(Stream.mapError(response.stream, () => brokenOff))
          : Effect.flatMap(errorIn(response), (error) => Effect.fail(error))
      )
    )
  )

const protocol = (options: OperatorClientOptions) =>
  Layer.effect(
    RpcClient.Protocol,
    Effect.flatMap(HttpClient.HttpClient, (client) =>
      RpcClient.makeProtocolHttp(
        client.pipe(
          HttpClient.mapRequest(addressed(options, OPERATOR_PATH)),
          HttpClient.transformResponse(
            Effect.flatMap((response) => (response.status === 200 ? Effect.succeed(response) : refusal(response)))
          )
        )
      )
    )
  ).pipe(Layer.provide(RpcSerialization.layerNdjson))

/** Requires an `HttpClient`. */
export const makeOperatorClient = (
  options: OperatorClientOptions
): Effect.Effect<OperatorClient, never, HttpClient.HttpClient | Scope.Scope> =>
  Effect.map(RpcClient.make(OperatorRpcs).pipe(Effect.provide(protocol(options))), (client) => {
    // `Object.entries` loses the type of each method; the second cast restores it. The methods differ only in their error:
    // `OperatorError` instead of `RpcClientError`.
    const methods = Object.entries(client) as unknown as ReadonlyArray<readonly [string, Method]>
    // See above.
    return Object.fromEntries(methods.map(([tag, method]) => [tag, guarded(tag, method)])) as unknown as OperatorClient
  })
