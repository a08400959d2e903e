// The setup of the webhook load: the use cases over either store, owners with a webhook each, and orders at a fixed rate.

import { ConfigProvider, Effect, FiberSet, Layer, Logger } from "effect"
import { authorizationServer } from "#adapters/app/OAuth.ts"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as UseCases from "#adapters/app/UseCases.ts"
import { settings } from "#adapters/config/Settings.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as TargetProbe from "#adapters/outbound/TargetProbe.ts"
import * as WebhookSender from "#adapters/outbound/WebhookSender.ts"
import { embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { Site } from "#core/domain/catalogue/Catalogue.ts"
import { type DeliveryId, OrderId, WebhookId } from "#core/domain/shared/Ids.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { Deliveries, type DeliveryPage } from "#core/ports/webhooks/Deliveries.ts"
import { DeliverEvents } from "#core/usecases/webhooks/DeliverEvents.ts"
import { ManageWebhooks } from "#core/usecases/webhooks/ManageWebhooks.ts"
import { ipv4, scriptedResolver } from "#test/adapters/outbound/Loopback.ts"
import { buyer, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { temporaryFolder } from "./DatabaseServer.ts"
import { monotonicMs } from "./Load.ts"

const PUBLIC_URL = "http://127.0.0.1:3000"

const CONNECTIONS = 10

const LOG_PAGE = 500

/** A database for this run. */
const embedded = Layer.unwrap(
  Effect.gen(function* () {
    return PostgresStore.layer({ url: yield* embeddedServer(yield* temporaryFolder), connections: CONNECTIONS })
  })
)

/** The stores of this load. */
const stores: Readonly<Record<"memory" | "embedded", Layer.Layer<PostgresStore.StorePorts, unknown>>> = {
  memory: MemoryStore.layer,
  embedded
}

export type StoreName = keyof typeof stores

export const isStore = (name: string): name is StoreName => Object.hasOwn(stores, name)

/** The use cases without a server and a deliverer. `ca` signs the receivers' certificates. */
export const serviceLayer = (store: StoreName, ca: string) => {
  const trust = { insecure: true, ca, publicUrl: PUBLIC_URL }
  const outbound = Layer.mergeAll(TargetProbe.layer(trust), WebhookSender.layer(trust)).pipe(
    Layer.provide(scriptedResolver([ipv4("127.0.0.1")]).layer)
  )
  const env = { STORE: "memory", DEMO: "off", WEBHOOK_INSECURE_TARGETS: "true", WELCOME_OFFER_PERCENT: "0" }
  const ports = Effect.map(settings.parse(ConfigProvider.fromUnknown(env)), (config) =>
    authorizationServer(config, PUBLIC_URL).pipe(
      Layer.provideMerge(outbound.pipe(Layer.provideMerge(portsWithStore(config, PUBLIC_URL, stores[store]))))
    )
  )
  return UseCases.layer.pipe(
    Layer.provideMerge(Layer.unwrap(ports)),
    Layer.provideMerge(Layer.merge(UniqueNumbers.layer, Logger.layer([])))
  )
}

/** The number of deliveries of these owners without exactly one recorded attempt. */
export const inexact = Effect.fnUntraced(function* (owners: ReadonlyArray<Owner>) {
  const log = yield* Deliveries
  let count = 0
  for (const { webhookId } of owners) {
    let beforeId: DeliveryId | null = null
    do {
      const page: DeliveryPage = yield* log.ofWebhook({
        webhookId: WebhookId.make(webhookId),
        limit: LOG_PAGE,
        beforeId
      })
      count += page.deliveries.filter(({ attempts }) => attempts.length !== 1).length
      beforeId = page.nextBeforeId
    } while (beforeId !== null)
  }
  return count
})

/** A deliverer, until the scope closes. */
export const deliverer = Effect.flatMap(DeliverEvents, ({ run }) => Effect.forkScoped(run))

const CREDIT_CENTS = 1_000_000_000

export interface Owner {
  readonly caller: Caller
  readonly site: Site
  readonly webhookId: string
}

/** A customer with credit, and a webhook at `url` for accepted orders. */
export const owner = Effect.fnUntraced(function* (url: string) {
  const webhooks = yield* ManageWebhooks
  const { caller } = yield* buyer(CREDIT_CENTS)
  const { subscription } = yield* webhooks.create(caller, { url, events: ["order.accepted"] })
  return { caller, site: yield* listSite(), webhookId: subscription.webhookId } satisfies Owner
})

export const leave = Effect.fnUntraced(function* ({ caller, webhookId }: Owner) {
  const webhooks = yield* ManageWebhooks
  yield* webhooks.revoke(caller, WebhookId.make(webhookId))
})

export interface Placed {
  readonly orderId: string
  /** Just before the write, by `monotonicMs`. */
  readonly atMs: number
}

/** One order, which raises one event for its owner's webhook. */
export const placeOne = Effect.fnUntraced(function* ({ caller, site }: Owner) {
  const { render } = yield* ServiceContext
  const atMs = monotonicMs()
  const { order: placed } = yield* order(caller, { items: linksOn(site), render })
  return { orderId: placed?.orderId ?? OrderId.make(""), atMs } satisfies Placed
})

/** Orders at a fixed rate by the owners in turn, without waiting for earlier orders. */
export const placeAtRate = Effect.fnUntraced(function* (
  owners: ReadonlyArray<Owner>,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number }
) {
  const placed: Array<Placed> = []
  const fibers = yield* FiberSet.make<void, unknown>()
  const startMs = monotonicMs()
  for (let n = 0; n < perSecond * seconds; n++) {
    const aheadMs = startMs + (n * 1_000) / perSecond - monotonicMs()
    if (aheadMs > 0) yield* Effect.sleep(aheadMs)
    const one = owners[n % owners.length]
    if (one !== undefined)
      yield* FiberSet.run(
        fibers,
        Effect.map(placeOne(one), (order) => void placed.push(order))
      )
  }
  yield* FiberSet.awaitEmpty(fibers)
  return placed as ReadonlyArray<Placed> // complete: all fibers have ended
}, Effect.scoped)
