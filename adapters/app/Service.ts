// The service from its settings: ports, use cases, background jobs, and REST, MCP, payment page and operator plane over one HTTP
// server. `main` runs it; tests run the same composition with other settings and with test doubles for some ports.
import { type Deferred, Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import * as LateWork from "#adapters/concurrency/LateWork.ts"
import { hasOAuth } from "#adapters/config/OAuthSettings.ts"
import { allOperatorTokens } from "#adapters/config/OperatorTokens.ts"
import type { Settings } from "#adapters/config/Settings.ts"
import { isStripe, stripeOptions } from "#adapters/config/StripeSettings.ts"
import { ServiceName, SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import { demoKeys, prepareDemo } from "#adapters/demo/Demo.ts"
import { Imprint } from "#adapters/html/Imprint.ts"
import * as Stylesheet from "#adapters/html/Stylesheet.ts"
import { Operations } from "#adapters/http/operations/Operations.ts"
import { RunOperation } from "#adapters/http/operations/RunOperation.ts"
import { makeClientNetwork } from "#adapters/http/server/ClientNetwork.ts"
import * as DirectoryChallenges from "#adapters/http/server/DirectoryChallenges.ts"
import * as HttpTransport from "#adapters/http/server/HttpTransport.ts"
import * as Metrics from "#adapters/http/server/Metrics.ts"
import { readBody } from "#adapters/http/server/RequestBody.ts"
import { CurrentRequestId } from "#adapters/http/server/RequestId.ts"
import { RequestTurns } from "#adapters/http/server/RequestTurns.ts"
import * as RestApi from "#adapters/http/server/RestApi.ts"
import { SERVE_OPTIONS } from "#adapters/http/server/RouteTable.ts"
import * as StripeRoutes from "#adapters/http/server/StripeRoutes.ts"
import * as ApiInProcess from "#adapters/mcp/ApiInProcess.ts"
import * as McpRoute from "#adapters/mcp/McpRoute.ts"
import * as ServerCardRoutes from "#adapters/mcp/ServerCardRoutes.ts"
import * as MeteredOrderBook from "#adapters/observability/MeteredOrderBook.ts"
import * as MetricsRegistry from "#adapters/observability/MetricsRegistry.ts"
import * as Tracing from "#adapters/observability/Tracing.ts"
import * as OperatorRoute from "#adapters/operator/OperatorRoute.ts"
import * as ShutdownSignal from "#adapters/operator/ShutdownSignal.ts"
import type { EmbeddedServerError } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import { strayPage } from "#adapters/web/ErrorPages.ts"
import * as LegalPages from "#adapters/web/LegalPages.ts"
import * as PaymentRoutes from "#adapters/web/payment/PaymentRoutes.ts"
import { PaymentWaits } from "#adapters/web/payment/PaymentWaits.ts"
import * as Scripts from "#adapters/web/Scripts.ts"
import * as WebPages from "#adapters/web/WebPages.ts"
import { requesterOf } from "#core/domain/members/KnownDevice.ts"
import { Readiness } from "#core/ports/operations/Readiness.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { KnownDevices } from "#core/usecases/members/KnownDevices.ts"
import * as BackgroundJobs from "./BackgroundJobs.ts"
import { frontPages, imprintOf } from "./FrontPages.ts"
import * as McpServer from "./McpServer.ts"
import { authorizationServer, oauth } from "./OAuth.ts"
import { type Ports, portsWithStore, store } from "./Ports.ts"
import * as UseCases from "./UseCases.ts"

/** Loads Stripe's package, which only this processor needs. */
const stripeNotices = (settings: Settings) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() =>
        Promise.all([import("#adapters/payments/StripeNotices.ts"), import("#adapters/payments/StripeCharges.ts")])
      ),
      ([{ noticeReader }, { payableOfCharge }]) =>
        StripeRoutes.layer(
          noticeReader(stripeOptions(settings.stripe)),
          payableOfCharge(stripeOptions(settings.stripe))
        )
    )
  )

/** The endpoint for the notices of the payment processor; the simulated one sends none. */
const notices = (settings: Settings) =>
  isStripe(settings)
    ? { routes: StripeRoutes.stripeRoutes, layer: stripeNotices(settings) }
    : { routes: [], layer: Layer.empty }

/** `/metrics`, where it is served. */
const metrics = (settings: Settings, updateGauges: Effect.Effect<void>) =>
  Metrics.areServed(settings)
    ? { routes: Metrics.metricsRoutes, layer: Metrics.layer(updateGauges, settings.metricsToken) }
    : { routes: [], layer: Layer.empty }

/** The member area, unless it is switched off; then its paths do not exist. */
const members = (
  settings: Settings,
  publicUrl: string,
  { networkOf, recordCookie }: Pick<WebPages.Options, "networkOf" | "recordCookie">
) => {
  const { on } = settings.members
  const options = {
    publicUrl,
    connects: hasOAuth(settings, publicUrl),
    ...{ networkOf, recordCookie },
    signUp: settings.members.signUp === "open",
    contact: settings.supportContact,
    terms: settings.terms,
    publicCatalogue: settings.publicCatalogue
  }
  return on
    ? {
        routes: [...WebPages.webRoutes, ...Scripts.scriptRoutes],
        layer: Layer.merge(Scripts.layer, WebPages.layer(options))
      }
    : { routes: [], layer: Layer.empty }
}

/** What directories ask for before they list the service. */
const listing = (settings: Settings, publicUrl: string) => {
  const legal = LegalPages.legalPagesOf(settings.directories)
  const { challenges } = settings.directories
  return {
    routes: [
      ...ServerCardRoutes.serverCardRoutes,
      ...LegalPages.legalRoutes(legal),
      ...DirectoryChallenges.challengeRoutes(challenges)
    ],
    layer: Layer.mergeAll(
      ServerCardRoutes.layer({ publicUrl, oauth: hasOAuth(settings, publicUrl), legal }),
      LegalPages.layer(legal, settings.serviceName, imprintOf(settings)),
      DirectoryChallenges.layer(challenges)
    )
  }
}

/** The operator plane, if a token for it is set; without one, its path does not exist. */
const operator = (settings: Settings) => {
  const tokens = allOperatorTokens(settings)
  return tokens.length === 0
    ? { routes: [], layer: Layer.empty }
    : {
        routes: OperatorRoute.operatorRoutes,
        layer: OperatorRoute.layer({ tokens, requestId: CurrentRequestId, readBody })
      }
}

const routes = (settings: Settings, publicUrl: string) =>
  Effect.gen(function* () {
    const { writable } = yield* Readiness
    const updateGauges = yield* MetricsRegistry.makeStoreGauges
    const networkOf = makeClientNetwork(settings.members.trustedProxies)
    const { recordCookie, recogniseBy, leave } = yield* RequestTurns
    const { await: stopping } = yield* ShutdownSignal.ShutdownSignal
    const { recognise } = yield* KnownDevices
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    recogniseBy((marks) =>
      run(Effect.map(recognise(marks), ([device]) => (device === undefined ? null : requesterOf(device, ""))))
    )
    const visitors = { networkOf, recordCookie }
    const rates = { reads: settings.readsPerMinute, orders: settings.ordersPerMinute }
    const shownKeys = settings.demo ? demoKeys : []
    const api = RestApi.layer({
      ...{ publicUrl, members: settings.members.on, demoKeys: shownKeys },
      oauth: oauth(settings, publicUrl, networkOf).documented,
      ready: writable,
      authorizationAt: oauth(settings, publicUrl, networkOf).authorizationAt,
      pageOf: strayPage({
        ...{ serviceName: settings.serviceName, imprint: imprintOf(settings), members: settings.members.on },
        ...{ publicCatalogue: settings.publicCatalogue, publicUrl }
      }),
      otherRoutes: [
        ...metrics(settings, updateGauges).routes,
        ...frontPages(settings, publicUrl, networkOf).routes,
        ...Stylesheet.stylesheetRoutes,
        ...PaymentRoutes.paymentRoutes,
        ...members(settings, publicUrl, visitors).routes,
        ...listing(settings, publicUrl).routes,
        ...oauth(settings, publicUrl, networkOf).routes,
        ...operator(settings).routes,
        ...notices(settings).routes,
        ...McpRoute.mcpRoutes
      ]
    })
    return Layer.mergeAll(
      api,
      frontPages(settings, publicUrl, networkOf).layer,
      Stylesheet.layer,
      PaymentRoutes.layer({ publicUrl, members: settings.members.on }),
      members(settings, publicUrl, visitors).layer,
      listing(settings, publicUrl).layer,
      metrics(settings, updateGauges).layer,
      oauth(settings, publicUrl, networkOf).layer,
      operator(settings).layer,
      notices(settings).layer,
      McpServer.endpoint(settings, publicUrl).pipe(Layer.provide(ApiInProcess.layer))
    ).pipe(
      Layer.provide(PaymentWaits.layer({ leaveTurn: leave, stopping })),
      Layer.provide(RunOperation.layer(rates)),
      Layer.provide(Operations.layer),
      Layer.provide(Layer.succeed(SupportContact, Option.getOrNull(settings.supportContact)))
    )
  }).pipe(Layer.unwrap)

/** Before orders are taken: the seller is noted, and the demo data is loaded or its keys are revoked. */
const prepare = (settings: Settings) =>
  Effect.andThen(
    Effect.flatMap(IssueInvoices, ({ noteSeller }) => noteSeller()),
    prepareDemo(settings.demo)
  )

/** The service without its ports. */
const withoutPorts = (settings: Settings, publicUrl: string) =>
  Layer.mergeAll(
    Layer.unwrap(Effect.as(prepare(settings), HttpRouter.serve(routes(settings, publicUrl), SERVE_OPTIONS))),
    BackgroundJobs.layer(settings),
    ShutdownSignal.layerTrigger,
    LateWork.layerStart
  ).pipe(
    Layer.provide(ShutdownSignal.layer),
    Layer.provide(LateWork.layerDrain(HttpTransport.DRAIN_TIMEOUT)),
    Layer.provideMerge(UseCases.layer),
    Layer.provideMerge(authorizationServer(settings, publicUrl)),
    Layer.provide(Layer.succeed(ServiceName, settings.serviceName)),
    Layer.provide(Layer.succeed(Imprint, imprintOf(settings)))
  )

/** The service with the caller's ports, which are built once the service knows its public URL. */
export const layerWithPorts = <Provided, E>(
  settings: Settings,
  portsAt: (publicUrl: string) => Layer.Layer<Ports | Provided, E>
) =>
  Layer.unwrap(
    Effect.map(HttpTransport.publicUrl(settings), (url) =>
      withoutPorts(settings, url).pipe(Layer.provideMerge(MeteredOrderBook.layer), Layer.provideMerge(portsAt(url)))
    )
  ).pipe(
    Layer.provideMerge(HttpTransport.layer(settings, settings.members.trustedProxies)),
    Layer.provide(MetricsRegistry.layer)
  )

/**
 * Also provides the use cases, for callers in the same process. The port is taken before the store is touched: a start by mistake beside a
 * running service must not migrate its database. Until the store is open and the routes are served, every request is answered 503. `lost`
 * fails once an embedded database is gone for good; the caller then ends the service.
 */
export const layer = (settings: Settings, lost?: Deferred.Deferred<never, EmbeddedServerError>) =>
  layerWithPorts(settings, (url) =>
    // An embedded store makes its directory before the encryption key is kept in it.
    Layer.flatMap(store(settings, lost), (opened) => portsWithStore(settings, url, Layer.succeedContext(opened)))
  ).pipe(Layer.provide(Tracing.layer(settings)))
