// The whole service in this process, on virtual time and with seeded ids, and the receiver beside it. Everything but clock, ids
// and a processor that can be killed is as `main` would start it: real REST, real MCP, real signed webhooks, on loopback.
import { ConfigProvider, Context, Effect, Layer, Logger, Redacted } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { settings } from "#adapters/Config.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as FaultyProcessor from "#adapters/payments/FaultyProcessor.ts"
import * as Service from "#adapters/Service.ts"
import type { OrderBook } from "#core/ports/OrderBook.ts"
import * as Feed from "../Feed.ts"
import * as Stillness from "../time/Stillness.ts"
import * as VirtualTime from "../time/VirtualTime.ts"
import * as Overheard from "./Overheard.ts"
import * as Receiver from "./Receiver.ts"
import * as SeededIds from "./SeededIds.ts"

export class House extends Context.Service<
  House,
  {
    /** Where the service is, without a path. */
    readonly url: string
    readonly operatorToken: Redacted.Redacted<string>
  }
>()("backlinks/bench/House") {}

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
export type Flaw = Layer.Layer<OrderBook, never, OrderBook>

const noFlaw: Flaw = Layer.effectContext(Effect.context<OrderBook>())

export interface HouseOptions {
  readonly seed: string
  readonly flaw?: Flaw
}

const logToFeed = Layer.unwrap(
  Effect.map(Feed.Feed, ({ tell }) => {
    const levels = { Warn: "warning", Error: "error", Fatal: "error" } as const
    const logger = Logger.make(({ logLevel, message }) => {
      const level = logLevel === "Warn" || logLevel === "Error" || logLevel === "Fatal" ? levels[logLevel] : "info"
      const text = [message].flat().map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
      tell({ _tag: "Logged", level, text: text.join(" ") })
    })
    return Logger.layer([logger])
  })
)

const address = Layer.effect(
  House,
  HttpServer.addressFormattedWith((url) =>
    Effect.succeed({ url, operatorToken: Redacted.make(OPERATOR_TOKEN, { label: "operator token" }) })
  )
)

const service = ({ seed, flaw = noFlaw }: HouseOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const config = yield* settings.parse(ConfigProvider.fromUnknown(SETTINGS))
      const watching = Layer.succeedContext(yield* Effect.context<Feed.Feed | Stillness.Stillness>())
      return Service.layerOver(config, (url) =>
        Overheard.layer.pipe(
          Layer.provideMerge(flaw),
          Layer.provideMerge(FaultyProcessor.layer),
          Layer.provideMerge(SeededIds.layer(seed)),
          Layer.provideMerge(Service.portsOver(config, url, MemoryStore.layer)),
          Layer.provide(watching)
        )
      )
    })
  )

const time = Feed.layer.pipe(Layer.provideMerge(Layer.merge(VirtualTime.layer, Stillness.layer)))

/** A house of its own, however often it is built. */
export const layer = (options: HouseOptions) =>
  Layer.fresh(
    address.pipe(
      Layer.provideMerge(Layer.merge(service(options), Receiver.layer)),
      Layer.provideMerge(Layer.merge(logToFeed, FetchHttpClient.layer)),
      Layer.provideMerge(time)
    )
  )
