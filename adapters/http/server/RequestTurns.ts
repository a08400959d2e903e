// Lets requests start in turns of their accounts. A request is held before anything but Node's own objects is made of it, so that it
// costs little meanwhile: its account is then that of the last call with the same key or cookie. Without such a call, those of one network
// share a turn.
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Deferred, Effect, Exit, Layer, Redacted } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TurnWait } from "#adapters/concurrency/AnswerInTime.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { CatalogApi } from "../api/CatalogApi.ts"
import { errorResponse, type JsonResponse } from "../operations/JsonResponse.ts"
import { endpoints, type OperationName } from "../operations/OperationRequest.ts"
import { makeNetworkOf, type ProxyNetwork } from "./ClientNetwork.ts"
import { AdmittedRequest, type RequestKind, RequestSchedule } from "./RequestSchedule.ts"
import { FOR_PEOPLE } from "./RouteTable.ts"
import { healthRoutes } from "./SystemRoutes.ts"

const MAX_KNOWN_KEYS = 10_000

/** Nothing was done. */
const TOO_MANY = { _tag: "StoreUnavailable", retryAfterSeconds: 1 } as const

/** Assistants refresh their tokens here without a key; other strangers do not make them wait. */
const TOKEN_PATH = "/oauth/token"

/** Probes of the operator do not wait behind the clients without a known key. */
const PROBE = "probe"

const bearerToken = (authorization = ""): string => /^bearer +(.+)$/i.exec(authorization)?.[1] ?? ""

interface KnownKey {
  readonly credential: Redacted.Redacted
  readonly accountId: AccountId
}

/** Whose device proves itself by this mark; `null` if it proves nothing. */
export type RecogniseDevice = (mark: string) => Promise<string | null>

/** The mark of the member who signed in last from the device: one is enough, and a flood of made-up ones costs no more. */
const NEWEST_MARK = /(?:^|; )(?:__Host-)?devices=([^;~]+)/

const markIn = ({ headers: { cookie } }: IncomingMessage): string | undefined =>
  cookie === undefined ? undefined : NEWEST_MARK.exec(cookie)?.[1]

const ADMISSION = Symbol("admission")

/** A request with its place among the others. */
type Admissible = IncomingMessage & { [ADMISSION]?: AdmittedRequest | "refused" }

const kindOfOperation = (name: OperationName): RequestKind => {
  if (name === "createOrder") return "order"
  return name in CatalogApi.endpoints ? "search" : "other"
}

const pathOf = (url: string): string => url.replace(/[?#].*$/s, "")

const isProbe = ({ url = "" }: IncomingMessage): boolean => healthRoutes.some(({ path }) => path === pathOf(url))

/** Judged by the path alone: the request may turn out to be invalid. */
const kindOfCall = ({ method, url = "" }: IncomingMessage): RequestKind => {
  if (method === "POST") return pathOf(url) === endpoints.createOrder.path ? "order" : "other"
  return url.startsWith(endpoints.searchSites.path) ? "search" : "other"
}

/** Runs `work` in the turn of its owner, or `refusal` if it has waited too long. */
const inTurn =
  (schedule: RequestSchedule) =>
  <A, E, R>(
    owner: () => string,
    kind: RequestKind,
    work: Effect.Effect<A, E, R>,
    refusal: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) => {
      const until = (request: AdmittedRequest, all: Effect.Effect<A, E, R>) =>
        Effect.ensuring(
          restore(all),
          Effect.sync(() => schedule.end(request))
        )
      const started = schedule.startAtOnce(kind)
      if (started !== undefined) return until(started, work)
      const turn = Deferred.makeUnsafe<boolean>()
      const settle = (isStarted: boolean) => () => void Deferred.doneUnsafe(turn, Exit.succeed(isStarted))
      const added = schedule.add(owner(), kind, { start: settle(true), refuse: settle(false) })
      if (added === undefined) return restore(refusal)
      return until(
        added,
        Effect.flatMap(Deferred.await(turn), (isStarted) => (isStarted ? work : refusal))
      )
    })

const cookieValues = ({ cookie = "" }: IncomingMessage["headers"]): ReadonlyArray<string> =>
  cookie.split("; ").map((pair) => pair.slice(pair.indexOf("=") + 1))

/** Whose requests are known by the keys and cookies that they bring. */
const makeOwners = (proxies: ReadonlyArray<ProxyNetwork>) => {
  const networkOf = makeNetworkOf(proxies)
  /** Each key, access token and cookie that was authenticated, by its text. */
  const known = new BoundedMap<string, KnownKey>(MAX_KNOWN_KEYS)
  /** The marks of devices that this process was shown; `null` for those that prove nothing. */
  const devices = new BoundedMap<string, string | null>(MAX_KNOWN_KEYS)
  const ownerOf = (token: string): string | undefined => known.get(token)?.accountId
  const ofNetwork = ({ socket, headers, url = "" }: IncomingMessage): string => {
    const network = networkOf(socket.remoteAddress ?? "", headers["x-forwarded-for"]?.toString())
    return url === TOKEN_PATH ? `tokens ${network}` : network
  }
  const ownerByCookie = (request: IncomingMessage): string | undefined => {
    const { headers } = request
    if (headers.cookie === undefined) return undefined
    const owner = cookieValues(headers)
      .map(ownerOf)
      .find((found) => found !== undefined)
    return owner ?? devices.get(markIn(request) ?? "") ?? undefined
  }
  /** Browsers of people send no key. */
  const isStranger = (request: IncomingMessage): boolean =>
    (request.headers.authorization === undefined || FOR_PEOPLE.test(request.url ?? "")) &&
    request.url !== TOKEN_PATH &&
    ownerByCookie(request) === undefined &&
    !isProbe(request)
  return {
    ownerOf,
    record: (credential: Redacted.Redacted, accountId: AccountId): void => {
      const text = Redacted.value(credential)
      if (!known.has(text)) known.set(text, { credential, accountId })
    },
    credentialOf: (token: string): Redacted.Redacted => known.get(token)?.credential ?? Redacted.make(token),
    /** Looked for only where a request has to wait. */
    ownerOfRequest: (request: IncomingMessage): string =>
      isProbe(request)
        ? PROBE
        : (ownerOf(bearerToken(request.headers.authorization)) ?? ownerByCookie(request) ?? ofNetwork(request)),
    kindOfRequest: (request: IncomingMessage): RequestKind => (isStranger(request) ? "stranger" : kindOfCall(request)),
    /** The mark of a request that is a stranger's unless it proves otherwise; `undefined` without one, or once it was judged. */
    unjudgedMark: (request: IncomingMessage): string | undefined => {
      const mark = markIn(request)
      return mark === undefined || devices.has(mark) || !isStranger(request) ? undefined : mark
    },
    judge: (mark: string, owner: string | null): void => void devices.set(mark, owner)
  }
}

const makeTurns = (proxies: ReadonlyArray<ProxyNetwork>) => {
  const schedule = new RequestSchedule({
    nowMs: () => performance.now(),
    runNextTurn: (next) => void setImmediate(next),
    runAfterMs: (next, ms) => void setTimeout(next, ms)
  })
  const run = inTurn(schedule)
  const { ownerOf, ownerOfRequest, kindOfRequest, unjudgedMark, judge, record, credentialOf } = makeOwners(proxies)
  let recognise: RecogniseDevice | undefined

  /** The client of a request that waits may leave. One listener for all responses. */
  const endAtClose = function (this: ServerResponse): void {
    const request: Admissible = this.req
    const admission = request[ADMISSION]
    if (admission instanceof AdmittedRequest) schedule.end(admission)
  }

  /** Serves a request in its turn. One that is refused is served at once. */
  const admit = (request: Admissible, response: ServerResponse, serve: () => void): void => {
    const kind = kindOfRequest(request)
    const refuse = () => {
      request[ADMISSION] = "refused"
      serve()
    }
    const started = schedule.startAtOnce(kind)
    const admission = started ?? schedule.add(ownerOfRequest(request), kind, { start: serve, refuse })
    if (admission === undefined) {
      refuse()
      return
    }
    request[ADMISSION] = admission
    response.on("close", endAtClose)
    if (started !== undefined) serve()
  }

  return {
    /** Sets how devices prove themselves that this process has not seen, such as after a restart or at another instance. */
    recogniseBy: (by: RecogniseDevice): void => {
      recognise = by
    },
    /** To be told of each authenticated call. */
    recordKey: (credential: Redacted.Redacted, { accountId }: Caller): void => record(credential, accountId),
    /** To be told of each cookie by which a member, or a device of theirs, is known. */
    recordCookie: (value: string, accountId: AccountId): void => record(Redacted.make(value), accountId),
    /** The bearer token of an Authorization header; empty without one. A known one is wrapped already. */
    credentialOf: (authorization?: string): Redacted.Redacted => credentialOf(bearerToken(authorization)),
    /** Serves a request that has arrived in its turn, once it is known whether it is a stranger's. */
    admit: (request: Admissible, response: ServerResponse, serve: () => void): void => {
      const mark = recognise === undefined ? undefined : unjudgedMark(request)
      if (recognise === undefined || mark === undefined) {
        admit(request, response, serve)
        return
      }
      const admitAs = (owner: string | null) => {
        judge(mark, owner)
        // A client that has left meanwhile leaves no place to free.
        if (!request.socket.destroyed) admit(request, response, serve)
      }
      recognise(mark).then(admitAs, () => admitAs(null))
    },
    /** The response to an admitted request. Its place is free again once there is a response, however slowly its client takes it. */
    serve: <E, R>(
      request: HttpServerRequest.HttpServerRequest,
      response: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      refuse: (failure: typeof TOO_MANY) => Effect.Effect<HttpServerResponse.HttpServerResponse>
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> => {
      // The server speaks HTTP/1.1 only.
      const { [ADMISSION]: admission } = NodeHttpServerRequest.toIncomingMessage(request) as Admissible
      if (admission === "refused") return refuse(TOO_MANY)
      if (admission === undefined) return response
      const { waitedMs } = admission
      return Effect.ensuring(
        // Most have not waited, and each further service is a step of every request.
        waitedMs < 1 ? response : Effect.provideService(response, TurnWait, waitedMs),
        Effect.sync(() => schedule.end(admission))
      )
    },
    /** Frees the place of a request that goes on: what it does from now on is bounded elsewhere. */
    leave: (request: HttpServerRequest.HttpServerRequest): void => {
      const { [ADMISSION]: admission } = NodeHttpServerRequest.toIncomingMessage(request) as Admissible // HTTP/1.1 only
      if (admission instanceof AdmittedRequest) schedule.end(admission)
    },
    /** The response to a call within a request that is not held as one of its kind, such as that of a tool. */
    call: (
      credential: Redacted.Redacted,
      operation: OperationName,
      response: Effect.Effect<JsonResponse>
    ): Effect.Effect<JsonResponse> =>
      run(
        () => ownerOf(Redacted.value(credential)) ?? "",
        kindOfOperation(operation),
        response,
        errorResponse(TOO_MANY)
      )
  }
}

export class RequestTurns extends Context.Service<RequestTurns>()("backlinks/http/server/RequestTurns", {
  make: Effect.sync(() => makeTurns([]))
}) {
  /** `proxies`: whose forwarded addresses count. */
  static readonly layerBehind = (proxies: ReadonlyArray<ProxyNetwork>) =>
    Layer.sync(RequestTurns, () => makeTurns(proxies))

  static readonly layer = RequestTurns.layerBehind([])
}
