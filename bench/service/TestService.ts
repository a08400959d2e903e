// The complete service in this process, with the webhook receiver beside it. Only clock, ids, mailbox and the switchable payment
// processor differ from a real start: REST, MCP and signed webhooks run over loopback sockets.
import { ConfigProvider, Context, Effect, Layer, Logger, Predicate, Redacted, Ref } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import { settings } from "#adapters/config/Settings.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import type { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import * as EventBus from "../events/EventBus.ts"
import * as IdleDetector from "../time/IdleDetector.ts"
import * as VirtualTime from "../time/VirtualTime.ts"
import * as EventTap from "./EventTap.ts"
import * as FaultyProcessor from "./FaultyProcessor.ts"
import * as Mailbox from "./Mailbox.ts"
import * as SeededIds from "./SeededIds.ts"
import * as WebhookReceiver from "./WebhookReceiver.ts"

export class TestService extends Context.Service<
  TestService,
  {
    /** The address without a path. */
    readonly url: string
    readonly operatorToken: Redacted.Redacted<string>
  }
>()("backlinks/bench/service/TestService") {}

const OPERATOR_TOKEN = "an-operator-token-for-the-bench-alone"

/** Rate limits are off: they would refuse every request of a clock that stands still. */
const SETTINGS: Readonly<Record<string, string>> = {
  PORT: "0",
  STORE: "memory",
  DEMO: "on",
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  WEBHOOK_INSECURE_TARGETS: "true",
  SELLER_NAME: "Backlink Ordering Service",
  SELLER_ADDRESS: "1 quai du Port|13002 Marseille",
  SELLER_COUNTRY: "FR",
  SELLER_VAT_ID: "FR40303265045",
  OPERATOR_TOKEN
}

/** A bug put in front of the order book, to test whether the bench finds it. */
export type FaultInjection = Layer.Layer<OrderBook, never, OrderBook>

const noFault: FaultInjection = Layer.effectContext(Effect.context<OrderBook>())

export interface TestServiceOptions {
  readonly seed: string
  readonly fault?: FaultInjection
}

/** Plain members are words, such as "expired 1, resumed 0"; all else is JSON. */
const partText = (part: unknown): string => {
  if (typeof part === "string") return part
  const members = Predicate.isObject(part) ? Object.entries(part) : []
  const isPlain = members.length > 0 && members.every(([, value]) => typeof value !== "object")
  return isPlain ? members.map(([name, value]) => `${name} ${String(value)}`).join(", ") : JSON.stringify(part)
}

const logToEventBus = Layer.unwrap(
  Effect.map(EventBus.EventBus, ({ emit }) => {
    const levels: Readonly<Record<string, "warning" | "error">> = { Warn: "warning", Error: "error", Fatal: "error" }
    const logger = Logger.make(({ logLevel, message }) => {
      emit({ _tag: "Logged", level: levels[logLevel] ?? "info", text: [message].flat().map(partText).join(": ") })
    })
    return Logger.layer([logger])
  })
)

const address = Layer.effect(
  TestService,
  HttpServer.addressFormattedWith((url) =>
    Effect.succeed({ url, operatorToken: Redacted.make(OPERATOR_TOKEN, { label: "operator token" }) })
  )
)

const service = ({ seed, fault = noFault }: TestServiceOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* settings.parse(ConfigProvider.fromUnknown(SETTINGS))
      const observers = Layer.succeedContext(yield* Effect.context<EventBus.EventBus | IdleDetector.IdleDetector>())
      return Service.layerWithPorts(config, (url) =>
        EventTap.layer.pipe(
          Layer.provideMerge(fault),
          Layer.provideMerge(FaultyProcessor.layer),
          Layer.provideMerge(Mailbox.layer),
          Layer.provideMerge(SeededIds.layer(seed)),
          Layer.provideMerge(portsWithStore(config, url, MemoryStore.layer)),
          Layer.provide(observers)
        )
      )
    })
  )

const time = EventBus.layer.pipe(Layer.provideMerge(Layer.merge(VirtualTime.layer, IdleDetector.layer)))

/** A new service each time it is built. */
export const layer = (options: TestServiceOptions) =>
  Layer.fresh(
    address.pipe(
      Layer.provideMerge(Layer.merge(service(options), WebhookReceiver.layer)),
      Layer.provideMerge(Layer.merge(logToEventBus, FetchHttpClient.layer)),
      Layer.provideMerge(time)
    )
  )

/** Switches the payment processor on or off. */
export const setProcessor = Effect.fnUntraced(function* (up: boolean) {
  const { down } = yield* FaultyProcessor.ProcessorFaults
  const { emit } = yield* EventBus.EventBus
  yield* Ref.set(down, !up)
  emit({ _tag: "ProcessorChanged", up })
})
