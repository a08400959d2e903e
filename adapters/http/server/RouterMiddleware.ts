// Router-wide middleware: every response gets a Request-Id, safe headers and, for errors, an error body. Causes of defects are logged
// once with that id and never shown.
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Context, Effect, References, Tracer, type Types } from "effect"
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
import { CurrentRequestId, newRequestId } from "./RequestId.ts"
import type { RequestTurns } from "./RequestTurns.ts"
import { FOR_PEOPLE, type RouteTable } from "./RouteTable.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** A response's own `Cache-Control` is kept. */
const withHeaders = (response: Response, requestId: string): Response =>
  HttpServerResponse.setHeaders(response, {
    "request-id": requestId,
    "x-content-type-options": "nosniff",
    "cache-control": response.headers["cache-control"] ?? "no-store",
    // Does not wait for the rest of an oversized body.
    ...(response.status === 413 ? { connection: "close" } : {})
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

/** What a request that was not answered failed with. Defects are logged. */
const failureOfCause = (
  cause: Cause.Cause<Types.unhandled>,
  routes: RouteTable
): Effect.Effect<Failure, Types.unhandled> => {
  const error = Cause.squash(cause)
  const failure = HttpServerError.isHttpServerError(error) ? failureOf(error, routes) : undefined
  return failure === undefined ? Effect.as(logCause(cause), new InternalError()) : Effect.succeed(failure)
}

/** Why a response that a library sent without a body was sent. */
const failureOfEmpty = ({ status, body }: Response, routes: RouteTable, url: string): Failure | undefined => {
  if (status < 400 || body._tag !== "Empty") return undefined
  switch (status) {
    case 404:
      return new RouteNotFound()
    case 405:
      return routes.failureFor(url)
    case 413:
      return new BodyTooLarge({ limitBytes: MAX_BODY_BYTES })
    case 500:
      return new InternalError()
    default:
      return undefined
  }
}

/** `rawHeaders` alternates names and values. */
const countHosts = (rawHeaders: ReadonlyArray<string>): number => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (/^host$/i.test(rawHeaders[at] ?? "")) count++
  return count
}

/**
 * RFC 9112, section 3.2: an HTTP/1.1 request has exactly one Host header; of two, a proxy in front may have used the other one. Node's
 * own check would reject a missing header without a body, and take the first of two.
 */
const hasOneHost = (request: Request): boolean => {
  const { httpVersion, rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
  const hosts = countHosts(rawHeaders)
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1")
}

/** Why a request is refused before it is routed. A path in another spelling than the documented one is an unknown path. */
const refusalOf = (request: Request, routes: RouteTable): Failure | undefined => {
  if (!hasOneHost(request)) return new MalformedRequest({ status: 400 })
  return routes.isExact(request.url) ? undefined : new RouteNotFound()
}

/** What the id of a request is added to: its context, and the lines that it logs. */
const withRequestId = (requestId: string) => (context: Context.Context<HttpServerRequest.HttpServerRequest>) =>
  Context.add(Context.add(context, CurrentRequestId, requestId), References.CurrentLogAnnotations, {
    ...Context.get(context, References.CurrentLogAnnotations),
    request_id: requestId
  })

/** What a client needs for a token that is good at a URL. */
export interface Authorization {
  /** Where it finds out how to get one. */
  readonly metadata: string
  /** The scopes to ask for at first, separated by blanks. */
  readonly scope: string
}

/** Returns `undefined` where there is no authorization server. */
export type AuthorizationAt = (url: string) => Authorization | undefined

/** Challenges of the API, not of the operator plane, which takes no such tokens. */
const CHALLENGE = /^Bearer realm="backlinks"/

/** A client without a token learns which scopes to ask for at first; one whose token lacks a scope is told by the refusal itself. */
const withAuthorization = (response: Response, url: string, authorizationAt: AuthorizationAt): Response => {
  const challenge = response.headers["www-authenticate"]
  if (challenge === undefined || !CHALLENGE.test(challenge)) return response
  const found = authorizationAt(url)
  if (found === undefined) return response
  const asking = response.status === 401 ? challenge.replace(/scope="[^"]*"/, `scope="${found.scope}"`) : challenge
  return HttpServerResponse.setHeader(response, "www-authenticate", `${asking}, resource_metadata="${found.metadata}"`)
}

/** Shows a failure to people; `response` is what programs get. */
export type PageOf = (failure: Failure, response: Response, request: Request) => Response

const FOR_PROGRAMS = /^\/api(?:[/?]|$)/

const isForPeople = ({ url, headers }: Request): boolean =>
  FOR_PEOPLE.test(url) || (/\btext\/html\b/i.test(headers["accept"] ?? "") && !FOR_PROGRAMS.test(url))

/** When a request is served: at once, or in the turn of its account. */
export type InTurn = RequestTurns["Service"]["serve"]

export interface MiddlewareOptions {
  readonly inTurn?: InTurn
  readonly authorizationAt?: AuthorizationAt
  readonly pageOf?: PageOf
}

/** One effect for all of it, because each further one is a step of every request. */
export const layer = (
  routes: RouteTable,
  {
    inTurn = (_, response) => response,
    authorizationAt = () => undefined,
    pageOf = (_, response) => response
  }: MiddlewareOptions = {}
) =>
  HttpRouter.middleware(
    (httpEffect) =>
      Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const requestId = newRequestId()
        const span = Context.getOrUndefined(context, Tracer.ParentSpan)
        // Links the trace to the log lines of the same request.
        if (span?._tag === "Span") span.attribute("request_id", requestId)
        const refusal = refusalOf(request, routes)
        const complete = (response: Response) =>
          withHeaders(withAuthorization(response, request.url, authorizationAt), requestId)
        const answerTo = (failure: Failure) =>
          Effect.map(failureResponse(failure), (response) =>
            isForPeople(request) ? pageOf(failure, response, request) : response
          )
        const respondTo = (failure: Failure) => Effect.map(answerTo(failure), complete)
        if (refusal !== undefined) return Effect.updateContext(respondTo(refusal), withRequestId(requestId))
        const responding = Effect.matchCauseEffect(inTurn(request, httpEffect, answerTo), {
          onSuccess: (response) => {
            const failure = failureOfEmpty(response, routes, request.url)
            return failure === undefined ? Effect.succeed(complete(response)) : respondTo(failure)
          },
          onFailure: (cause) =>
            isResponseOrInterrupt(cause)
              ? HttpEffect.withPreResponseHandler(Effect.failCause(cause), (_, response) =>
                  Effect.succeed(complete(response))
                )
              : Effect.flatMap(failureOfCause(cause, routes), respondTo)
        })
        return Effect.updateContext(responding, withRequestId(requestId))
      }),
    { global: true }
  )
