// A whole service on a free port of its own, as `main` would start it, over the in-memory store: with a clock that a test can
// set forward, and a payment processor and an order book that can be made to fail. Who trades with it is not its business.
import { ConfigProvider, Context, Effect, Layer, Logger } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { type Settings, settings } from "#adapters/Config.ts"
import { MemoryBooks } from "#adapters/memory/MemoryBooks.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as FaultyProcessor from "#adapters/payments/FaultyProcessor.ts"
import * as Service from "#adapters/Service.ts"
import type { Books } from "#core/decisions/Books.ts"
import { Numbers } from "#test/ports/StoreSuite.ts"
import * as FaultyBook from "./FaultyBook.ts"
import * as MovableClock from "./MovableClock.ts"

export class Shop extends Context.Service<
  Shop,
  {
    readonly url: string
    readonly port: number
    /** As of the last commit. They never change, so books that are the same value say that nothing was written. */
    readonly books: () => Books
  }
>()("backlinks/test/Shop") {}

export class Logbook extends Context.Service<
  Logbook,
  {
    /** Every line that was logged so far, as a collector would get it. */
    readonly lines: ReadonlyArray<string>
  }
>()("backlinks/test/Logbook") {}

/** No limit, offer or sweep gets in the way of a test that is not about it. */
const PLAIN: Readonly<Record<string, string>> = {
  PORT: "0",
  DEMO: "off",
  DAILY_ORDER_CAP: "0",
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  WELCOME_OFFER_PERCENT: "0",
  SWEEP_INTERVAL: "1 hour",
  WEBHOOK_INSECURE_TARGETS: "true"
}

const logbook = Layer.suspend(() => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return Layer.merge(Logger.layer([logger]), Layer.succeed(Logbook, { lines }))
})

const surroundings = Layer.mergeAll(MovableClock.layer, FetchHttpClient.layer, Numbers.layer, logbook)

const address = Layer.effect(
  Shop,
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const { current: books } = yield* MemoryBooks
    const port = address._tag === "UnixPathAddress" ? 0 : address.port
    return { url: `http://127.0.0.1:${port}`, port, books }
  })
)

const instance = <Provided, E>(
  env: Readonly<Record<string, string>>,
  portsAt: (config: Settings, publicUrl: string) => Layer.Layer<Service.Ports | Provided, E>
) => {
  const config = settings.parse(ConfigProvider.fromUnknown({ ...PLAIN, ...env }))
  const service = Effect.map(config, (config) => Service.layerOver(config, (url) => portsAt(config, url)))
  return address.pipe(Layer.provideMerge(Layer.unwrap(service)))
}

const troubles = Layer.mergeAll(FaultyProcessor.layer, FaultyBook.layer)

/** `env` is what the environment would hold. */
export const layer = (env: Readonly<Record<string, string>> = {}) =>
  instance(env, (config, url) =>
    troubles.pipe(Layer.provideMerge(Service.portsOver(config, url, MemoryStore.layer)))
  ).pipe(Layer.provideMerge(surroundings))

/**
 * Another instance of the shop that it is opened beside: over the same store, processor and clock, on a port of its own. It shares
 * nothing else, as if it ran in another process.
 */
export const anotherInstance = Effect.gen(function* () {
  const beside = yield* Effect.context<Service.Ports | HttpServer.HttpServer>()
  const ports = Context.omit(HttpServer.HttpServer)(beside)
  const service = instance({}, () => Layer.succeedContext(ports))
  return yield* Layer.buildWithMemoMap(service, yield* Layer.makeMemoMap, yield* Effect.scope)
})
