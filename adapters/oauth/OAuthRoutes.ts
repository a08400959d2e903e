// The endpoints of the authorization server, and the metadata of the resources that its tokens are for. Requests and responses are made
// fit for clients here: what they ask for beyond this server's means is left out, and every machine may read the answers.
import { Effect, Layer, Result } from "effect"
import { Cookies, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { answerInTime, Patience } from "#adapters/concurrency/AnswerInTime.ts"
import { devicesCookie } from "#adapters/contract/access/Consent.ts"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { ServiceName } from "#adapters/contract/shared/ServiceDescription.ts"
import { Imprint } from "#adapters/html/Imprint.ts"
import { readBody, readJson } from "#adapters/http/server/RequestBody.ts"
import { CurrentRequestId } from "#adapters/http/server/RequestId.ts"
import type { ServedRoute } from "#adapters/http/server/RouteTable.ts"
import { ALL_SCOPES } from "#core/domain/access/ApiKey.ts"
import { requesterOf } from "#core/domain/members/KnownDevice.ts"
import { KnownDevices } from "#core/usecases/members/KnownDevices.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import { clientMetadata } from "./ClientMetadata.ts"
import { ERROR_PAGE_HEADERS, errorPage, type OfService } from "./ErrorPage.ts"
import type { InProcessRequest, InProcessResponse } from "./InProcess.ts"
import { ROUTES, SESSION_COOKIE } from "./Paths.ts"
import { METADATA_PATH, metadataPath, RESOURCES, resourceMetadata } from "./Resources.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface OAuthOptions {
  readonly publicUrl: string
  readonly peopleUrl: string
  readonly registration: boolean
  /** The network that a request comes from. */
  readonly networkOf: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<string>
}

const DISCOVERY = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] as const

const metadataRoutes = [METADATA_PATH, ...RESOURCES.map(metadataPath)] as const

const READ = [...DISCOVERY, ...metadataRoutes, ROUTES.jwks] as const

const CLIENT = `${ROUTES.registration}/:clientId` as const
const RESUME = `${ROUTES.authorization}/:uid` as const

const registrationRoutes = [
  { method: "POST", path: ROUTES.registration },
  { method: "OPTIONS", path: ROUTES.registration },
  { method: "GET", path: CLIENT }
] as const

const POSTED = [ROUTES.token, ROUTES.revocation] as const

const withPreflight = (method: string, paths: ReadonlyArray<ServedRoute["path"]>): ReadonlyArray<ServedRoute> =>
  paths.flatMap((path) => [method, "OPTIONS"].map((one) => ({ method: one, path })))

/** For the server's route table. */
export const oauthRoutes = ({ registration }: Pick<OAuthOptions, "registration">): ReadonlyArray<ServedRoute> => [
  ...withPreflight("GET", READ),
  ...withPreflight("POST", POSTED),
  ...(registration ? registrationRoutes : []),
  { method: "GET", path: ROUTES.authorization },
  { method: "GET", path: RESUME }
]

/** Clients in browsers read these answers too. Nothing here depends on a cookie. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
  "access-control-expose-headers": "request-id, www-authenticate",
  "access-control-max-age": "3600"
}

/** Those of the library that clients need; all others are the service's own. */
const KEPT = ["location", "www-authenticate", "cache-control", "allow", "retry-after"]

const kept = (headers: InProcessResponse["headers"]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.includes(name)))

const isHtml = ({ headers }: InProcessResponse): boolean => headers["content-type"]?.startsWith("text/html") === true

/** A redirect has no body, because the library's repeats the address with its code. */
const toResponse = (answer: InProcessResponse, more: Readonly<Record<string, string>>): Response => {
  const { status, headers, body, cookies } = answer
  const all = { ...kept(headers), ...more, ...(isHtml(answer) ? ERROR_PAGE_HEADERS : {}) }
  const isEmpty = body === "" || headers["location"] !== undefined
  const response = isEmpty
    ? HttpServerResponse.empty({ status, headers: all })
    : HttpServerResponse.text(body, {
        status,
        headers: all,
        contentType: headers["content-type"] ?? "application/json"
      })
  const sent = cookies.filter((cookie) => !cookie.startsWith(SESSION_COOKIE))
  return HttpServerResponse.mergeCookies(response, Cookies.fromSetCookie(sent))
}

const json = (
  value: object,
  { headers = {}, ...options }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}
): Response => HttpServerResponse.jsonUnsafe(value, { ...options, headers: { ...CORS, ...headers } })

/** An error in the form of RFC 6749, with the service's own wording. */
const failed = (failure: Failure): Effect.Effect<Response> =>
  Effect.map(CurrentRequestId, (id) => {
    const { status, body } = toErrorResponse(failure, id)
    return json({ error: "invalid_request", error_description: body.error.message }, { status })
  })

const RETRY_SECONDS = 2

const LATE = "temporarily_unavailable"

/** What was asked may still be done: a refresh that is sent again gets the token that was made. */
const lateForClient: Response = json(
  { error: LATE, error_description: `The store takes too long. Send it again in ${RETRY_SECONDS} seconds.` },
  { status: 503, headers: { "retry-after": String(RETRY_SECONDS) } }
)

const lateForBrowser = (service: OfService): Response =>
  HttpServerResponse.text(errorPage(LATE, undefined, service), {
    status: 503,
    contentType: "text/html; charset=utf-8",
    headers: { ...ERROR_PAGE_HEADERS, "retry-after": String(RETRY_SECONDS) }
  })

const RESPONSE_MODES = ["query"]

/**
 * Scopes that this server does not have are left out, and every client may read. The library knows response modes that are not stated:
 * they become one that it refuses.
 */
const fitted = (url: string): string => {
  const [path = "", query = ""] = url.split("?", 2)
  const params = new URLSearchParams(query)
  const asked = (params.get("scope") ?? "").split(" ")
  params.set("scope", ALL_SCOPES.filter((scope) => scope === "read" || asked.includes(scope)).join(" "))
  const isStated = params.getAll("response_mode").every((mode) => RESPONSE_MODES.includes(mode))
  if (!isStated) params.set("response_mode", "not_stated")
  return `${path}?${params}`
}

const makeHandlers = Effect.fnUntraced(function* ({ publicUrl, peopleUrl, networkOf }: OAuthOptions) {
  const { handle } = yield* AuthorizationServer
  const devices = yield* KnownDevices

  const toInProcess = Effect.fnUntraced(function* (request: Request, body: Uint8Array = new Uint8Array()) {
    const network = yield* networkOf(request)
    const [device = null] = yield* devices.recognise(request.cookies[devicesCookie(publicUrl)] ?? "")
    // A member counts once, with however many devices.
    const name = device === null ? requesterOf(null, network) : `member ${device.memberId}`
    const from = { name, network: device === null ? network : null }
    const { method, url, headers } = request
    const inProcess: InProcessRequest = { method, url, headers, body, from }
    return inProcess
  })

  const handled = (
    request: Request,
    by: "client" | "browser",
    { body, ...changes }: Partial<Pick<InProcessRequest, "body" | "headers" | "url">> = {}
  ) => Effect.flatMap(toInProcess(request, body), (inProcess) => handle({ ...inProcess, ...changes }, by))

  /** The library knows one scope per resource, and would send people to the spelling of the host that clients use. */
  const discovery = (request: Request) =>
    Effect.map(handled(request, "client"), (answer) => {
      const known: object = JSON.parse(answer.body)
      return json({
        ...known,
        authorization_endpoint: `${peopleUrl}${ROUTES.authorization}`,
        scopes_supported: ALL_SCOPES,
        response_modes_supported: RESPONSE_MODES,
        service_documentation: `${publicUrl}/docs`
      })
    })

  const forClient = (request: Request, body?: Uint8Array) =>
    Effect.map(handled(request, "client", body === undefined ? {} : { body }), (answer) => toResponse(answer, CORS))

  const posted = (request: Request) =>
    readBody(request).pipe(
      Effect.flatMap((bytes) => forClient(request, new Uint8Array(bytes))),
      Effect.catch(failed)
    )

  const register = (request: Request) =>
    readBody(request).pipe(
      Effect.flatMap((bytes) => Effect.fromResult(readJson(bytes))),
      Effect.flatMap((body) =>
        Result.match(clientMetadata(body), {
          onFailure: (fault) => Effect.succeed(json(fault, { status: 400 })),
          onSuccess: (metadata) => {
            const body = new TextEncoder().encode(JSON.stringify(metadata))
            const headers = { ...request.headers, "content-type": "application/json" }
            return Effect.map(handled(request, "client", { body, headers }), (answer) => toResponse(answer, CORS))
          }
        })
      ),
      Effect.catch(failed)
    )

  const authorize = (request: Request) =>
    Effect.map(handled(request, "browser", { url: fitted(request.url) }), (answer) => toResponse(answer, {}))

  const resume = (request: Request) => Effect.map(handled(request, "browser"), (answer) => toResponse(answer, {}))

  return { discovery, forClient, posted, register, authorize, resume }
})

const preflight = Effect.succeed(HttpServerResponse.empty({ status: 204, headers: CORS }))

type Serve = (request: Request) => Effect.Effect<Response>

export const layer = (options: OAuthOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const { discovery, forClient, posted, register, authorize, resume } = yield* makeHandlers(options)
      const [first] = RESOURCES
      const patienceMs = yield* Patience
      const inTime = (late: Response) => (serve: Serve) =>
        answerInTime(Effect.flatMap(HttpServerRequest.HttpServerRequest, serve), patienceMs, Effect.succeed(late))
      const service = { serviceName: yield* ServiceName, imprint: yield* Imprint }
      const [toClient, toBrowser] = [inTime(lateForClient), inTime(lateForBrowser(service))]
      const metadata = (resource: (typeof RESOURCES)[number]) =>
        Effect.succeed(json(resourceMetadata(options.publicUrl, resource)))

      for (const path of DISCOVERY) yield* router.add("GET", path, toClient(discovery))
      yield* router.add("GET", METADATA_PATH, metadata(first))
      for (const resource of RESOURCES) yield* router.add("GET", metadataPath(resource), metadata(resource))
      yield* router.add("GET", ROUTES.jwks, toClient(forClient))
      for (const path of POSTED) yield* router.add("POST", path, toClient(posted), { uninterruptible: true })
      for (const path of [...READ, ...POSTED]) yield* router.add("OPTIONS", path, preflight)
      yield* router.add("GET", ROUTES.authorization, toBrowser(authorize))
      yield* router.add("GET", RESUME, toBrowser(resume), { uninterruptible: true })
      if (!options.registration) return
      yield* router.add("POST", ROUTES.registration, toClient(register), { uninterruptible: true })
      yield* router.add("OPTIONS", ROUTES.registration, preflight)
      yield* router.add("GET", CLIENT, toClient(forClient))
    })
  )
