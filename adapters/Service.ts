// The whole service from its settings: store, processor, use cases, REST, payment page and sweeper, over one HTTP server.
// `main` runs it; tests run the same with other settings, and may put something of their own in front of a port.
import { Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { HttpRouter, HttpServer } from "effect/http"
import * as HttpTransport from "#adapters/http/HttpTransport.ts"
import * as BalanceHandlers from "#adapters/http/handlers/BalanceHandlers.ts"
import * as CatalogHandlers from "#adapters/http/handlers/CatalogHandlers.ts"
import * as OrdersHandlers from "#adapters/http/handlers/OrdersHandlers.ts"
import * as QuotesHandlers from "#adapters/http/handlers/QuotesHandlers.ts"
import * as SandboxHandlers from "#adapters/http/handlers/SandboxHandlers.ts"
import * as VisibilityHandlers from "#adapters/http/handlers/VisibilityHandlers.ts"
import * as WebhooksHandlers from "#adapters/http/handlers/WebhooksHandlers.ts"
import * as PaymentRoutes from "#adapters/http/PaymentRoutes.ts"
import * as RestApi from "#adapters/http/RestApi.ts"
import { ROUTER_CONFIG } from "#adapters/http/RouteTable.ts"
import * as UrlRedaction from "#adapters/http/UrlRedaction.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as HostResolver from "#adapters/outbound/HostResolver.ts"
import * as TargetProbe from "#adapters/outbound/TargetProbe.ts"
import * as Vault from "#adapters/outbound/Vault.ts"
import * as Simulated from "#adapters/payments/Simulated.ts"
import { KeyRing } from "#core/ports/KeyRing.ts"
import type { Settings } from "./Config.ts"
import { loadDemo } from "./Demo.ts"
import * as Shop from "./Shop.ts"
import * as Sweeper from "./Sweeper.ts"
import * as UseCases from "./UseCases.ts"

const handlers = Layer.mergeAll(
  BalanceHandlers.layer,
  CatalogHandlers.layer,
  OrdersHandlers.layer,
  QuotesHandlers.layer,
  SandboxHandlers.layer,
  VisibilityHandlers.layer,
  WebhooksHandlers.layer
)

const ENCRYPTION_KEY_BYTES = 32

/** A store that forgets everything needs no key that is remembered. */
const vault = ({ encryptionKey }: Settings) =>
  Option.match(encryptionKey, {
    onSome: (key) => Vault.layer(key),
    onNone: () => {
      const key = Base64.encode(SecureRandom.randomBytesUnsafe(ENCRYPTION_KEY_BYTES))
      return Vault.layer(Redacted.make(key))
    }
  })

/** What the core wants from outside, over the in-memory store. */
export const ports = (settings: Settings, publicUrl: string) =>
  Layer.mergeAll(
    MemoryStore.layer,
    Simulated.layer,
    vault(settings),
    TargetProbe.layer({ insecure: settings.webhookInsecureTargets }).pipe(Layer.provide(HostResolver.layer)),
    Shop.layer(settings.terms, publicUrl)
  )

/** No text hashes to it: looking it up asks the store a question that costs next to nothing. */
const NO_HASH = ""

const rest = (settings: Settings, publicUrl: string) =>
  Effect.map(KeyRing, (keys) => {
    const rates = { reads: settings.readsPerMinute, orders: settings.ordersPerMinute }
    const api = RestApi.layer({
      publicUrl,
      rates,
      ready: keys.byHash(NO_HASH),
      otherRoutes: PaymentRoutes.paymentRoutes
    })
    return Layer.mergeAll(
      api.pipe(Layer.provide(handlers), Layer.provide(RestApi.middleware(rates))),
      PaymentRoutes.layer
    )
  }).pipe(Layer.unwrap)

const serve = (settings: Settings, publicUrl: string) =>
  HttpRouter.serve(rest(settings, publicUrl), {
    routerConfig: ROUTER_CONFIG,
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(UrlRedaction.layer))

/** The service over whatever ports it is given. Nothing is served before the demo is there. */
const overPorts = (settings: Settings, publicUrl: string) =>
  Layer.mergeAll(
    Layer.unwrap(Effect.as(settings.demo ? loadDemo : Effect.void, serve(settings, publicUrl))),
    Sweeper.layer(settings.sweepInterval)
  ).pipe(Layer.provideMerge(UseCases.layer))

/** Where clients reach the service: the configured address, or the one that is listened on. */
const publicUrl = ({ publicUrl }: Settings) =>
  Option.match(publicUrl, {
    onSome: Effect.succeed,
    onNone: () => HttpServer.addressFormattedWith((address) => Effect.succeed(address.replace("0.0.0.0", "127.0.0.1")))
  })

export type Ports = Layer.Success<ReturnType<typeof ports>>

/** Over ports of the caller's choice, made once it is known where clients reach the service. */
export const layerOver = <Provided, E>(
  settings: Settings,
  portsAt: (publicUrl: string) => Layer.Layer<Ports | Provided, E>
) =>
  Layer.unwrap(
    Effect.map(publicUrl(settings), (url) => overPorts(settings, url).pipe(Layer.provideMerge(portsAt(url))))
  ).pipe(Layer.provideMerge(HttpTransport.layer(settings)))

/** Also provides the use cases, for whoever starts the service in process. */
export const layer = (settings: Settings) => layerOver(settings, (url) => ports(settings, url))
