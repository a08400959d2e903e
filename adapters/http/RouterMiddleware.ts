// Router-wide middleware: every response gets a Request-Id, safe headers and, for errors, an error body. Causes of defects are logged
// once with that id and never shown.
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
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
import { endpoints } from "./operations/OperationRequest.ts"
import { IsRepeatable } from "./operations/Repeatability.ts"
import { MAX_BODY_BYTES } from "./RequestBody.ts"
import { CurrentRequestId, makeRequestId } from "./RequestId.ts"
import type { RouteTable } from "./RouteTable.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Added to every response when it is sent. A response's own `Cache-Control` is kept. */
const addHeaders = (requestId: string) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        "request-id": requestId,
        "x-content-type-options": "nosniff",
        "cache-control": response.headers["cache-control"] ?? "no-store",
        // Does not wait for the rest of an oversized body.
        ...(response.status === 413 ? { connection: "close" } : {})
      })
    )
  )

/** Links the trace to the log lines of the same request. */
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

/** The library handles responses thrown as defects, and clients that disconnected. */
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

/** Adds an error body to responses that a library sent without one. */
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

/** The response to every outcome, failures and defects included. */
const respondToEveryOutcome = <E extends Types.unhandled, R>(
  httpEffect: Effect.Effect<Response, E, R>,
  routes: RouteTable
) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    httpEffect.pipe(
      Effect.catchCause((cause) => responseToCause(cause, routes)),
      Effect.flatMap((response) => withErrorBody(response, routes, url))
    )
  )

/** An order by its route alone: what fails before its body is read counts as well. */
const isOrder = (method: string, url: string): boolean =>
  method === endpoints.createOrder.method &&
  (url === endpoints.createOrder.path || url.startsWith(`${endpoints.createOrder.path}?`))

const markUnkeyedOrder = <E, R>(httpEffect: Effect.Effect<Response, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url, headers }) =>
    headers["idempotency-key"] === undefined && isOrder(method, url)
      ? Effect.provideService(httpEffect, IsRepeatable, false)
      : httpEffect
  )

/** `rawHeaders` alternates names and values. */
const countHosts = (rawHeaders: ReadonlyArray<string>): number =>
  rawHeaders.reduce((count, text, at) => (at % 2 === 0 && /^host$/i.test(text) ? count + 1 : count), 0)

/**
 * RFC 9112, section 3.2: an HTTP/1.1 request has exactly one Host header; of two, a proxy in front may have used the other one. Node's
 * own check would reject a missing header without a body, and take the first of two.
 */
const requireOneHost = <E, R>(httpEffect: Effect.Effect<Response, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { httpVersion, rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
    const hosts = countHosts(rawHeaders)
    const isSound = hosts === 1 || (hosts === 0 && httpVersion !== "1.1")
    return isSound ? httpEffect : failureResponse(new MalformedRequest({ status: 400 }))
  })

/** A path in another spelling than the documented one is an unknown path. */
const requireExactPath = <E, R>(httpEffect: Effect.Effect<Response, E, R>, routes: RouteTable) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    routes.isExact(url) ? httpEffect : failureResponse(new RouteNotFound())
  )

export const layer = (routes: RouteTable) =>
  HttpRouter.middleware(
    (httpEffect) => {
      const responding = respondToEveryOutcome(requireExactPath(httpEffect, routes), routes)
      return Effect.flatMap(makeRequestId, (requestId) =>
        Effect.all([addHeaders(requestId), annotateSpan(requestId)], { discard: true }).pipe(
          Effect.andThen(requireOneHost(markUnkeyedOrder(responding))),
          Effect.annotateLogs("request_id", requestId),
          Effect.provideService(CurrentRequestId, requestId)
        )
      )
    },
    { global: true }
  )
