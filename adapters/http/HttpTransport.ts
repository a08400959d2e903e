// The Node server below the router: how long a request may take to arrive, how long its head may be, and that it stays with
// HTTP/1.1. What the router never sees is answered elsewhere.
import { createServer, type Server } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Duration, Effect, Layer, Option, Scope } from "effect"
import { HttpServer } from "effect/http"
import { respondToMalformedRequests } from "./MalformedRequests.ts"
import * as UrlRedaction from "./UrlRedaction.ts"

/**
 * Room for every request that can succeed. Of a URL a text of 2,048 characters takes 24 KiB where each is four bytes, percent-encoded.
 * A search has two such texts; the 16 KiB that are left are for its cursor, which is ASCII, for its other parameters and for headers.
 */
const MAX_HEAD_BYTES = 64 * 1_024
const HEAD_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

/**
 * How long a connection may be idle: longer than balancers keep theirs, most of them for 60 seconds. Whoever is first to hang up must
 * not be us, or the next request may be lost on its way, and nobody dares to repeat an order.
 */
const IDLE_TIMEOUT_MS = 75_000

/** A request that offers another protocol is answered in this one, and one without a host by the envelope. */
export const makeServer = (): Server =>
  respondToMalformedRequests(
    createServer({
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: HEAD_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      requireHostHeader: false,
      shouldUpgradeCallback: () => false
    })
  )

/** How long requests in flight may take once the service was told to stop. */
const DRAIN_TIMEOUT = Duration.seconds(10)

/** Closing waits for open connections. Those that are left when the requests had their time are cut off. */
const closeConnectionsAtShutdown = (server: Server) =>
  Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections())))

/**
 * Every request begins with what the server was made from, not with all that what it serves was made from: that is held already by
 * those who need it, and would be copied for each request.
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
            (inside: Context.Context<Scope.Scope>) =>
              Context.add(outside, Scope.Scope, Context.get(inside, Scope.Scope))
          )
      })
    )
  )

/** Listens, and answers 503 until something is served. On the way out it takes no new requests and lets those in flight finish. */
export const layer = (address: { readonly host: string; readonly port: number }) =>
  Layer.unwrap(
    Effect.map(Effect.context<never>(), (outside) => {
      const server = makeServer()
      const listening = NodeHttpServer.layer(() => server, { ...address, gracefulShutdownTimeout: DRAIN_TIMEOUT })
      return Layer.merge(closeConnectionsAtShutdown(server), withRequestContext(outside)).pipe(
        Layer.provideMerge(listening)
      )
    })
  ).pipe(Layer.provide(UrlRedaction.layer))

/** Where clients reach this server: the configured origin, or else the address it listens on. */
export const publicUrl = ({ publicUrl }: { readonly publicUrl: Option.Option<string> }) =>
  Option.match(publicUrl, {
    onSome: Effect.succeed,
    onNone: () => HttpServer.addressFormattedWith((address) => Effect.succeed(address.replace("0.0.0.0", "127.0.0.1")))
  })
