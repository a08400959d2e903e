// The Node server below the router: size and time limits of requests, HTTP/1.1 only, and graceful shutdown.
import { createServer, type Server } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Duration, Effect, Layer, Option, Scope } from "effect"
import { HttpServer } from "effect/http"
import { respondToMalformedRequests } from "./MalformedRequests.ts"
import * as UrlRedaction from "./UrlRedaction.ts"

/**
 * Enough for every request that can succeed. A text of 2,048 characters of four bytes each takes 24 KiB percent-encoded, and a search
 * has two of them; 16 KiB are left for the cursor, other parameters and headers.
 */
const MAX_HEAD_BYTES = 64 * 1_024
const HEAD_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000

/**
 * Longer than the idle timeout of load balancers, mostly 60 seconds. If the server closed first, the balancer's next request could be
 * lost, and an order cannot be repeated safely without an idempotency key.
 */
const IDLE_TIMEOUT_MS = 75_000

/** Protocol upgrades are ignored; a missing Host header gets an error response from the router middleware. */
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

/** How long requests in flight may take after the shutdown signal. */
const DRAIN_TIMEOUT = Duration.seconds(10)

/** Closing waits for open connections; those left after the drain timeout are closed here. */
const closeConnectionsAtShutdown = (server: Server) =>
  Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections())))

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
            (inside: Context.Context<Scope.Scope>) =>
              Context.add(outside, Scope.Scope, Context.get(inside, Scope.Scope))
          )
      })
    )
  )

/** Listens, and responds 503 until a router is served. On shutdown it accepts no new requests and finishes those in flight. */
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
