// The whole service in this process, on virtual time and with seeded ids, and the receiver beside it. Everything but clock, ids
// and a processor that can be killed is as `main` would start it: real REST, real MCP, real signed webhooks, on loopback.

import { ConfigProvider, Context, Effect, Layer, Logger, Redacted } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import { settings } from "#adapters/config/Settings.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import type { OrderBook } from "#core/ports/OrderBook.ts"
import * as EventBus from "../events/EventBus.ts"
import * as IdleDetector from "../time/IdleDetector.ts"
import * as VirtualTime from "../time/VirtualTime.ts"
import * as Overheard from "./EventTap.ts"
import * as FaultyProcessor from "./FaultyProcessor.ts"
import * as SeededIds from "./SeededIds.ts"
import * as Receiver from "./WebhookReceiver.ts"

export class TestService extends Context.Service<
  TestService,
  {
    /** Where the service is, without a path. */
    readonly url: string
    readonly operatorToken: Redacted.Redacted<string>
  }
>()("backlinks/bench/TestService") {}

/** The bench is nobody's enemy: no rate stands in the way of a clock that stands still. */
const OPERATOR_TOKEN = "an-operator-token-for-the-bench-alone"

const SETTINGS: Readonly<Record<string, string>> = {
  PORT: "0",
  STORE: "memory",
  DEMO: "on",
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  WEBHOOK_INSECURE_TARGETS: "true",
  OPERATOR_TOKEN
}

/** Something put in front of the order book: a bug, to see whether the bench finds it. */
export type FaultInjection = Layer.Layer<OrderBook, never, OrderBook>

const noFault: FaultInjection = Layer.effectContext(Effect.context<OrderBook>())

export interface TestServiceOptions {
  readonly seed: string
  readonly fault?: FaultInjection
}

const logToEventBus = Layer.unwrap(
  Effect.map(EventBus.EventBus, ({ emit }) => {
    const levels = { Warn: "warning", Error: "error", Fatal: "error" } as const
    const logger = Logger.make(({ logLevel, message }) => {
      const level = logLevel === "Warn" || logLevel === "Error" || logLevel === "Fatal" ? levels[logLevel] : "info"
      const text = [message].flat().map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
      emit({ _tag: "Logged", level, text: text.join(" ") })
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
      const watchModel = Layer.succeedContext(yield* Effect.context<EventBus.EventBus | IdleDetector.IdleDetector>())
      return Service.layerWithPorts(config, (url) =>
        Overheard.layer.pipe(
          Layer.provideMerge(fault),
          Layer.provideMerge(FaultyProcessor.layer),
          Layer.provideMerge(SeededIds.layer(seed)),
          Layer.provideMerge(portsWithStore(config, url, MemoryStore.layer)),
          Layer.provide(watchModel)
        )
      )
    })
  )

const time = EventBus.layer.pipe(Layer.provideMerge(Layer.merge(VirtualTime.layer, IdleDetector.layer)))

/** A house of its own, however often it is built. */
export const layer = (options: TestServiceOptions) =>
  Layer.fresh(
    address.pipe(
      Layer.provideMerge(Layer.merge(service(options), Receiver.layer)),
      Layer.provideMerge(Layer.merge(logToEventBus, FetchHttpClient.layer)),
      Layer.provideMerge(time)
    )
  )
