// The complete service, delivering over TLS to receivers on this machine under public-looking names. Names, certificate authority
// and clock are the test's; everything else is as in `main`.

import { ConfigProvider, Context, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import { settings } from "#adapters/config/Settings.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as TargetProbe from "#adapters/outbound/TargetProbe.ts"
import * as WebhookSender from "#adapters/outbound/WebhookSender.ts"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import type { EventChoice, EventType } from "#core/domain/webhooks/Event.ts"
import { ipv4, scriptedResolver } from "#test/adapters/outbound/Loopback.ts"
import { authority } from "#test/adapters/outbound/SelfSigned.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import type { Buyer } from "#test/scenarios/Buyers.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { layerInMemoryBooks, layerLogLines } from "#test/scenarios/RunningService.ts"
import { type Responder, receiver } from "./Receiver.ts"

const HOST = "hooks.example"

const PLAIN: Readonly<Record<string, string>> = {
  PORT: "0",
  STORE: "memory",
  DEMO: "off",
  DAILY_ORDER_CAP: "0",
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  WELCOME_OFFER_PERCENT: "0",
  WEBHOOK_INSECURE_TARGETS: "true"
}

export class TrustedIdentity extends Context.Service<
  TrustedIdentity,
  {
    /** A receiver's certificate and key that the service trusts. */
    readonly identity: { readonly cert: string; readonly key: string }
  }
>()("backlinks/test/TrustedIdentity") {}

const service = Layer.suspend(() => {
  const { ca, issue } = authority()
  const outbound = (publicUrl: string) => {
    const options = { insecure: true, ca, publicUrl }
    return Layer.mergeAll(TargetProbe.layer(options), WebhookSender.layer(options)).pipe(
      Layer.provide(scriptedResolver([ipv4("127.0.0.1")]).layer)
    )
  }
  const service = Effect.map(settings.parse(ConfigProvider.fromUnknown(PLAIN)), (config) =>
    Service.layerWithPorts(config, (url) =>
      outbound(url).pipe(Layer.provideMerge(portsWithStore(config, url, MemoryStore.layer)))
    )
  )
  const trustedIdentity = Layer.succeed(TrustedIdentity, { identity: issue(HOST) })
  return layerInMemoryBooks.pipe(
    Layer.provideMerge(Layer.unwrap(service)),
    Layer.provideMerge(Layer.mergeAll(FetchHttpClient.layer, UniqueNumbers.layer, layerLogLines, trustedIdentity))
  )
})

/** On a clock that tests can advance. */
export const layer = service.pipe(Layer.provideMerge(MovableClock.layer))

/** On the real clock. */
export const layerRealTime = Layer.fresh(service)

export const ALL_EVENTS: ReadonlyArray<EventType> = ["order.accepted", "order.published", "order.cancelled"]

/** A receiver over TLS, and the buyer's webhook to it. */
export const createWebhook = Effect.fnUntraced(function* (
  { api }: Pick<Buyer, "api">,
  answer?: Responder,
  events: ReadonlyArray<EventChoice> = ALL_EVENTS
) {
  const { identity } = yield* TrustedIdentity
  const owned = yield* receiver(answer, { identity, host: HOST })
  const { id, secret } = yield* api.webhooks.createWebhook({ payload: { url: owned.url, events } })
  return { ...owned, id, secret }
})

export const sendTest = ({ api }: Pick<Buyer, "api">, id: WebhookId) => api.deliveries.testWebhook({ params: { id } })

/** Its deliveries as the owner sees them, newest first. */
export const deliveriesOf = Effect.fnUntraced(function* ({ api }: Pick<Buyer, "api">, id: WebhookId) {
  return (yield* api.deliveries.listDeliveries({ params: { id }, query: {} })).deliveries
})

/** Polls until the expected deliveries are visible: an attempt is recorded shortly after its response. */
export const deliveriesOnce = Effect.fnUntraced(function* (
  who: Pick<Buyer, "api">,
  id: WebhookId,
  isThere: (deliveries: Effect.Success<ReturnType<typeof deliveriesOf>>) => boolean
) {
  for (;;) {
    const deliveries = yield* deliveriesOf(who, id)
    if (isThere(deliveries)) return deliveries
    yield* Effect.yieldNow
  }
})
