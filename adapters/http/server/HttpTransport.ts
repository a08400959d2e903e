// The Node server below the router: limits of connections, of the size of requests and of the time that clients take, HTTP/1.1 only, and
// graceful shutdown.
import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Duration, Effect, Layer, Option, Scope } from "effect"
import { HttpServer } from "effect/http"
import * as LateWork from "#adapters/concurrency/LateWork.ts"
import type { ProxyNetwork } from "./ClientNetwork.ts"
import { ARRIVAL, respondToMalformedRequests } from "./MalformedRequests.ts"
import { RequestTurns } from "./RequestTurns.ts"
import * as UrlRedaction from "./UrlRedaction.ts"

/**
 * Enough for every request that can succeed. A text of 2,048 characters of four bytes each takes 24 KiB percent-encoded, and a search
 * has two of them; 16 KiB are left for the cursor, other parameters and headers.
 */
const MAX_HEAD_BYTES = 64 * 1_024

export interface SocketLimits {
  /** Open connections of the process; further ones are closed at once. 0 is off. */
  readonly connectionsMax: number
  /** A request head, and a whole request, must arrive within these times. */
  readonly headTimeoutMs: number
  readonly requestTimeoutMs: number
  /** A client that takes none of its response for this long, or for at most twice as long, is cut off. */
  readonly stallTimeoutMs: number
  /** How often requests that arrive too slowly are looked for. Node's own 30 seconds would let them live that much longer. */
  readonly checkIntervalMs: number
}

export const defaultLimits: SocketLimits = {
  connectionsMax: 5_000,
  headTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  stallTimeoutMs: 15_000,
  checkIntervalMs: 1_000
}

/**
 * Longer than the idle timeout of load balancers, mostly 60 seconds. If the server closed first, the balancer's next request could be
 * lost, and an order cannot be repeated safely without an idempotency key.
 */
const IDLE_TIMEOUT_MS = 75_000

type Admit = RequestTurns["Service"]["admit"]

/** Tells of each request when it arrives, and gives it to the listeners of requests once it is admitted. */
class AdmittingServer extends Server {
  readonly #admit: Admit

  constructor(options: ServerOptions, admit: Admit) {
    super(options)
    this.#admit = admit
  }

  // The overridden method has this signature.
  // biome-ignore lint/suspicious/noExplicitAny: events have arguments of any type
  override emit(event: string, ...args: Array<any>): boolean {
    if (event !== "request" && event !== "checkContinue") return super.emit(event, ...args)
    // These events have these two arguments.
    const [request, response] = args as [IncomingMessage, ServerResponse]
    super.emit(ARRIVAL, request, response)
    this.#admit(request, response, () => super.emit(event, request, response))
    return true
  }
}

/** Protocol upgrades are ignored; a missing Host header gets an error response from the router middleware. */
export const makeServer = (
  limits: Partial<SocketLimits> = {},
  admit: Admit = (_request, _response, serve) => serve()
): Server => {
  const { connectionsMax, headTimeoutMs, requestTimeoutMs, stallTimeoutMs, checkIntervalMs } = {
    ...defaultLimits,
    ...limits
  }
  const options = {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: headTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkIntervalMs,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    requireHostHeader: false,
    shouldUpgradeCallback: () => false
  }
  const server = respondToMalformedRequests(new AdmittingServer(options, admit))
  server.timeout = stallTimeoutMs
  if (connectionsMax > 0) server.maxConnections = connectionsMax
  return server
}

const FULL_LOG_INTERVAL_MS = 60_000

/** Says at most once a minute that connections are refused: their clients see only a closed connection. */
const logRefusedConnections = (server: Server, outside: Context.Context<never>): void => {
  let lastMs = Number.NEGATIVE_INFINITY
  server.on("drop", () => {
    const nowMs = performance.now()
    if (nowMs - lastMs < FULL_LOG_INTERVAL_MS) return
    lastMs = nowMs
    const message = `Connections are refused: ${server.maxConnections} are open, the most that CONNECTIONS_MAX allows`
    Effect.runForkWith(outside)(Effect.logWarning(message))
  })
}

/** How long requests in flight, and the work of those that were answered before it ended, may take after the shutdown signal. */
export const DRAIN_TIMEOUT = Duration.seconds(10)

/** Closing waits for open connections; those left after the drain timeout are closed here. */
const closeConnectionsAtShutdown = (server: Server) =>
  Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections())))

/** Services that may be added to a request's context before the context is copied: more than any request adds. */
const ADDED_SERVICES_MAX = 16

/**
 * Gives every request the context of the server alone. By default it would also carry the context of everything that is served, which
 * handlers hold already, and which would be copied per request.
 */
const withRequestContext = (outside: Context.Context<never>) =>
  Layer.effect(
    HttpServer.HttpServer,
    Effect.map(HttpServer.HttpServer, ({ address, serve }) =>
      HttpServer.make({
        address,
        serve: (httpEffect, middleware) =>
          Effect.updateContext(
            middleware === undefined ? serve(httpEffect) : serve(httpEffect, middleware),
            (inside: Context.Context<Scope.Scope>) => {
              const own = Context.add(outside, Scope.Scope, Context.get(inside, Scope.Scope))
              return Context.makeUnsafe<Scope.Scope>(own.mapUnsafe, { maxDepth: ADDED_SERVICES_MAX })
            }
          )
      })
    )
  )

/** Listens, with requests in turns, and responds 503 until a router is served. On shutdown it accepts no new requests and finishes those in flight. */
export const layer = (
  {
    host,
    port,
    connectionsMax
  }: { readonly host: string; readonly port: number } & Pick<SocketLimits, "connectionsMax">,
  proxies: ReadonlyArray<ProxyNetwork> = []
) =>
  Layer.unwrap(
    Effect.map(Effect.all([Effect.context<never>(), RequestTurns]), ([outside, { admit }]) => {
      const server = makeServer({ connectionsMax }, admit)
      logRefusedConnections(server, outside)
      const listening = NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: DRAIN_TIMEOUT })
      return Layer.merge(closeConnectionsAtShutdown(server), withRequestContext(outside)).pipe(
        Layer.provideMerge(listening)
      )
    })
  ).pipe(
    Layer.provide(UrlRedaction.layer),
    Layer.provideMerge(LateWork.layer),
    Layer.provideMerge(RequestTurns.layerBehind(proxies))
  )

/** Where clients reach this server: the configured origin, or else the address it listens on. */
export const publicUrl = ({ publicUrl }: { readonly publicUrl: Option.Option<string> }) =>
  Option.match(publicUrl, {
    onSome: Effect.succeed,
    onNone: () => HttpServer.addressFormattedWith((address) => Effect.succeed(address.replace("0.0.0.0", "127.0.0.1")))
  })
