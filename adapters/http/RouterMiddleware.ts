// What every response of the server has, whoever made it: a Request-Id, the safe headers, and our error envelope instead of
// an empty 404 or 500. What went wrong inside is logged once, under that id, and never shown.
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Cause, Context, Effect, Tracer, type Types } from "effect"
import { HttpEffect, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  BodyTooLarge,
  InternalError,
  InvalidJson,
  MalformedRequest,
  RouteNotFound
} from "#adapters/contract/errors/AdapterFailure.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { failureResponse } from "./ErrorResponses.ts"
import { MAX_BODY_BYTES } from "./RequestBody.ts"
import { CurrentRequestId, makeRequestId, NO_REQUEST_ID } from "./RequestId.ts"
import type { RouteTable } from "./RouteTable.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Added last of all, to whatever goes out. A response that says how long it may be kept keeps saying so. */
const addHeaders = (requestId: string) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        "request-id": requestId,
        "x-content-type-options": "nosniff",
        "cache-control": response.headers["cache-control"] ?? "no-store",
        // The rest of a body that is too large is not waited for.
        ...(response.status === 413 ? { connection: "close" } : {})
      })
    )
  )

/** By which a trace and the log lines of the same request are found. */
const annotateSpan = (requestId: string) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const span = Context.getOrUndefined(context, Tracer.ParentSpan)
    if (span?._tag === "Span") span.attribute("request_id", requestId)
    return Effect.void
  })

const failureOf = (error: HttpServerError.HttpServerError, routes: RouteTable): Failure | undefined => {
  const { reason, request } = error
  switch (reason._tag) {
    case "RouteNotFound":
      return routes.failureFor(request.url)
    case "RequestParseError":
      return reason.reason === "BodyTooLarge"
        ? new BodyTooLarge({ limitBytes: MAX_BODY_BYTES })
        : new InvalidJson({ reason: "The body ended before it was complete." })
    default:
      return undefined
  }
}

const logCause = (cause: Cause.Cause<unknown>) => Effect.logError("A request failed on our side", cause)

/** Responses thrown as defects and a client that went away are none of this file's business. */
const isResponseOrInterrupt = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) || HttpServerResponse.isHttpServerResponse(Cause.squash(cause))

const responseToCause = (
  cause: Cause.Cause<Types.unhandled>,
  routes: RouteTable
): Effect.Effect<Response, Types.unhandled> => {
  if (isResponseOrInterrupt(cause)) return Effect.failCause(cause)
  const error = Cause.squash(cause)
  const failure = HttpServerError.isHttpServerError(error) ? failureOf(error, routes) : undefined
  return failure === undefined
    ? Effect.andThen(logCause(cause), failureResponse(new InternalError()))
    : failureResponse(failure)
}

/** Bare statuses that a library answered with nothing to read. */
const withErrorBody = (response: Response, routes: RouteTable, url: string): Effect.Effect<Response> => {
  if (response.status < 400 || response.body._tag !== "Empty") return Effect.succeed(response)
  switch (response.status) {
    case 404:
      return failureResponse(new RouteNotFound())
    case 405:
      return failureResponse(routes.failureFor(url))
    case 413:
      return failureResponse(new BodyTooLarge({ limitBytes: MAX_BODY_BYTES }))
    case 500:
      return failureResponse(new InternalError())
    default:
      return Effect.succeed(response)
  }
}

/** What every request is answered with, however it ended. */
const withErrorResponse = <E extends Types.unhandled, R>(
  httpEffect: Effect.Effect<Response, E, R>,
  routes: RouteTable
) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    httpEffect.pipe(
      Effect.catchCause((cause) => responseToCause(cause, routes)),
      Effect.flatMap((response) => withErrorBody(response, routes, url))
    )
  )

/** Names and values in turn, as they were sent. */
const countHosts = (rawHeaders: ReadonlyArray<string>): number =>
  rawHeaders.reduce((count, text, at) => (at % 2 === 0 && /^host$/i.test(text) ? count + 1 : count), 0)

/**
 * RFC 9112 §3.2: HTTP/1.1 wants a host, even where the target names one, and nobody may name two, because whoever stands in front
 * may have gone by the other. Node sees to the first, without an envelope, and takes the first of two.
 */
const requireOneHost = <E, R>(httpEffect: Effect.Effect<Response, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { httpVersion, rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
    const hosts = countHosts(rawHeaders)
    const isSound = hosts === 1 || (hosts === 0 && httpVersion !== "1.1")
    return isSound ? httpEffect : failureResponse(new MalformedRequest({ status: 400 }))
  })

/** Router-wide: give it to the router together with everything that is served. */
export const layer = (routes: RouteTable) =>
  HttpRouter.middleware(
    (httpEffect) => {
      const answered = withErrorResponse(httpEffect, routes)
      return Effect.flatMap(CurrentRequestId, (inHand) => {
        // What another request makes in process, such as a tool's, goes by that one's id and is not what is sent.
        if (inHand !== NO_REQUEST_ID) return answered
        return Effect.flatMap(makeRequestId, (requestId) =>
          Effect.all([addHeaders(requestId), annotateSpan(requestId)], { discard: true }).pipe(
            Effect.andThen(requireOneHost(answered)),
            Effect.annotateLogs("request_id", requestId),
            Effect.provideService(CurrentRequestId, requestId)
          )
        )
      })
    },
    { global: true }
  )
