// The whole service from its settings: store, processor, use cases, REST, MCP, payment page, sweeper and deliverer, over one
// HTTP server. `main` runs it; tests run the same with other settings, and may put something of their own in front of a port.
import { type Deferred, Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import type { SqlError } from "effect/sql/SqlError"
import { encryptionKey } from "#adapters/config/EncryptionKey.ts"
import type { Settings } from "#adapters/config/Settings.ts"
import { isStripe, stripeOptions } from "#adapters/config/StripeSettings.ts"
import { loadDemo } from "#adapters/demo/Demo.ts"
import * as HttpTransport from "#adapters/http/HttpTransport.ts"
import * as BalanceHandlers from "#adapters/http/handlers/BalanceHandlers.ts"
import * as CatalogHandlers from "#adapters/http/handlers/CatalogHandlers.ts"
import * as DeliveriesHandlers from "#adapters/http/handlers/DeliveriesHandlers.ts"
import * as OrdersHandlers from "#adapters/http/handlers/OrdersHandlers.ts"
import * as QuotesHandlers from "#adapters/http/handlers/QuotesHandlers.ts"
import * as SandboxHandlers from "#adapters/http/handlers/SandboxHandlers.ts"
import * as VisibilityHandlers from "#adapters/http/handlers/VisibilityHandlers.ts"
import * as WebhooksHandlers from "#adapters/http/handlers/WebhooksHandlers.ts"
import { readBody } from "#adapters/http/Intake.ts"
import * as Metrics from "#adapters/http/Metrics.ts"
import * as PaymentRoutes from "#adapters/http/PaymentRoutes.ts"
import { CurrentRequestId } from "#adapters/http/RequestId.ts"
import * as RestApi from "#adapters/http/RestApi.ts"
import { ROUTER_CONFIG } from "#adapters/http/RouteTable.ts"
import * as StripeRoutes from "#adapters/http/StripeRoutes.ts"
import * as ApiInProcess from "#adapters/mcp/ApiInProcess.ts"
import * as McpRoute from "#adapters/mcp/McpRoute.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as CountedBook from "#adapters/observability/MeteredOrderBook.ts"
import * as Measures from "#adapters/observability/MetricsRegistry.ts"
import * as Tracing from "#adapters/observability/Tracing.ts"
import * as ClosingTime from "#adapters/operator/ClosingTime.ts"
import * as OperatorRoute from "#adapters/operator/OperatorRoute.ts"
import * as HostResolver from "#adapters/outbound/HostResolver.ts"
import * as TargetProbe from "#adapters/outbound/TargetProbe.ts"
import * as Vault from "#adapters/outbound/Vault.ts"
import * as WebhookSender from "#adapters/outbound/WebhookSender.ts"
import * as Simulated from "#adapters/payments/SimulatedProcessor.ts"
import { noticeReader } from "#adapters/payments/StripeNotices.ts"
import * as Stripe from "#adapters/payments/StripeProcessor.ts"
import { type EmbeddedFault, embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import type { DatabaseReadOnly, DatabaseTooNew } from "#adapters/postgres/database/Migrations.ts"
import type { StorePorts } from "#adapters/postgres/PostgresStore.ts"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Readiness } from "#core/ports/Readiness.ts"
import * as Sweeper from "./BackgroundJobs.ts"
import * as Deliverer from "./Deliverer.ts"
import * as Mcp from "./McpEndpoint.ts"
import { publicUrl } from "./PublicUrl.ts"
import * as Shop from "./ServiceContext.ts"
import * as SigningKeysCheck from "./SigningKeysCheck.ts"
import * as UseCases from "./UseCases.ts"

const handlers = Layer.mergeAll(
  BalanceHandlers.layer,
  CatalogHandlers.layer,
  DeliveriesHandlers.layer,
  OrdersHandlers.layer,
  QuotesHandlers.layer,
  SandboxHandlers.layer,
  VisibilityHandlers.layer,
  WebhooksHandlers.layer
)

/** The first call is made when the layer is built, so a database that cannot be had stops the start. */
const store = (
  { store, dataDir, databaseUrl, databasePool: connections }: Settings,
  lost?: Deferred.Deferred<never, EmbeddedFault>
): Layer.Layer<StorePorts, DatabaseReadOnly | DatabaseTooNew | EmbeddedFault | SqlError | StoreUnavailable> => {
  const url = Option.getOrElse(databaseUrl, () => Redacted.make(""))
  switch (store) {
    case "memory":
      return MemoryStore.layer
    case "embedded":
      return Layer.unwrap(Effect.map(embeddedServer(dataDir, lost), (url) => PostgresStore.layer({ url, connections })))
    case "postgres":
      return PostgresStore.layer({ url, connections })
  }
}

const vault = (settings: Settings) => Layer.unwrap(Effect.map(encryptionKey(settings), Vault.layer))

/** What calls receivers. In development their names may be those of a hosts file. */
const outbound = ({ webhookInsecureTargets: insecure }: Settings) =>
  Layer.mergeAll(TargetProbe.layer({ insecure }), WebhookSender.layer({ insecure })).pipe(
    Layer.provide(insecure ? HostResolver.layerSystem : HostResolver.layerDns())
  )

const processor = (settings: Settings) =>
  isStripe(settings) ? Stripe.layer(stripeOptions(settings.stripe)) : Simulated.layer

/** Where the processor's own notices arrive; the simulated one sends none. */
const notices = (settings: Settings) =>
  isStripe(settings)
    ? {
        routes: StripeRoutes.stripeRoutes,
        layer: StripeRoutes.layer(noticeReader(stripeOptions(settings.stripe).webhookSecret))
      }
    : { routes: [], layer: Layer.empty }

/** What the core wants from outside, over a store. */
export const portsOver = <Store, E>(settings: Settings, publicUrl: string, store: Layer.Layer<Store, E>) =>
  Layer.mergeAll(store, processor(settings), vault(settings), outbound(settings), Shop.layer(settings.terms, publicUrl))

/** The operator plane, where a token for it is set; without one, its path is like any other that does not exist. */
const operator = ({ operatorToken }: Settings) =>
  Option.match(operatorToken, {
    onNone: () => ({ routes: [], layer: Layer.empty }),
    onSome: (token) => ({
      routes: OperatorRoute.operatorRoutes,
      layer: OperatorRoute.layer({ token, requestId: CurrentRequestId, readBody })
    })
  })

const rest = (settings: Settings, publicUrl: string) =>
  Effect.gen(function* () {
    const { writable } = yield* Readiness
    const measure = yield* Measures.makeBacklogGauges
    const rates = { reads: settings.readsPerMinute, orders: settings.ordersPerMinute }
    const api = RestApi.layer({
      publicUrl,
      rates,
      ready: writable,
      otherRoutes: [
        ...Metrics.metricsRoutes,
        ...PaymentRoutes.paymentRoutes,
        ...operator(settings).routes,
        ...notices(settings).routes,
        ...McpRoute.mcpRoutes
      ]
    })
    return Layer.mergeAll(
      api.pipe(Layer.provide(handlers), Layer.provide(RestApi.middleware(rates))),
      PaymentRoutes.layer,
      Metrics.layer(measure),
      operator(settings).layer,
      notices(settings).layer,
      Mcp.layer(settings, publicUrl).pipe(Layer.provide(ApiInProcess.layer))
    )
  }).pipe(Layer.unwrap)

const serve = (settings: Settings, publicUrl: string) =>
  HttpRouter.serve(rest(settings, publicUrl), {
    routerConfig: ROUTER_CONFIG,
    disableLogger: true,
    disableListenLog: true
  })

/** The service over whatever ports it is given. Nothing is served before the demo is there. */
const overPorts = (settings: Settings, publicUrl: string) =>
  Layer.mergeAll(
    Layer.unwrap(Effect.as(settings.demo ? loadDemo : Effect.void, serve(settings, publicUrl))),
    Sweeper.layer(settings.sweepInterval),
    Deliverer.layer,
    SigningKeysCheck.layer,
    ClosingTime.layerAnnouncing
  ).pipe(Layer.provide(ClosingTime.layer), Layer.provideMerge(UseCases.layer))

export type Ports = StorePorts | Layer.Success<ReturnType<typeof portsOver<never, never>>>

/** Over ports of the caller's choice, made once it is known where clients reach the service. */
export const layerOver = <Provided, E>(
  settings: Settings,
  portsAt: (publicUrl: string) => Layer.Layer<Ports | Provided, E>
) =>
  Layer.unwrap(
    Effect.map(publicUrl(settings), (url) =>
      overPorts(settings, url).pipe(Layer.provideMerge(CountedBook.layer), Layer.provideMerge(portsAt(url)))
    )
  ).pipe(Layer.provideMerge(HttpTransport.layer(settings)), Layer.provide(Measures.layer))

/**
 * Also provides the use cases, for whoever starts the service in process. It listens only once its store is open: a database that
 * is long in coming, or away, keeps the connection refused, so that nobody takes the service for ready. `lost` fails once an
 * embedded database is gone for good: there is nothing left to serve then, and whoever runs the service ends it.
 */
export const layer = (settings: Settings, lost?: Deferred.Deferred<never, EmbeddedFault>) =>
  store(settings, lost).pipe(
    Layer.provide(Measures.layer),
    Layer.flatMap((opened) => layerOver(settings, (url) => portsOver(settings, url, Layer.succeedContext(opened)))),
    Layer.provide(Tracing.layer(settings))
  )
