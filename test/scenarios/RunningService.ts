// A whole service on a free port of its own, as `main` would start it, over the in-memory store: with a clock that a test can
// set forward, and a payment processor and an order book that can be made to fail. Who trades with it is not its business.

import { ConfigProvider, Context, Effect, HashMap, Layer, Logger } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { type Ports, portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import { type Settings, settings } from "#adapters/config/Settings.ts"
import { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import * as FaultyProcessor from "#bench/service/FaultyProcessor.ts"
import type { Books } from "#core/decisions/Books.ts"
import { SweepQuotes } from "#core/usecases/SweepQuotes.ts"
import { times, UniqueNumbers } from "#test/ports/StoreSuite.ts"
import * as FaultyBook from "./FaultyOrderBook.ts"
import type { ServiceKind } from "./ScenarioSuite.ts"
import * as MovableClock from "./MovableClock.ts"

export class RunningService extends Context.Service<
  RunningService,
  {
    /** What every link to the shop begins with. */
    readonly url: string
    /** Of the instance whose turn it is, where there are several. */
    readonly port: number
    /** As of the last commit. They are the same value for as long as nothing is written. */
    readonly books: Effect.Effect<Books>
    /** Everything that is kept, as text, whatever the books show of it. */
    readonly rows: Effect.Effect<ReadonlyArray<readonly [place: string, text: string]>>
  }
>()("backlinks/test/RunningService") {}

/** Looks at the books again and again until they are so: nobody tells a test when another instance wrote. */
export const untilBooks = (areSo: (books: Books) => boolean) =>
  Effect.flatMap(RunningService, ({ books }) =>
    Effect.repeat(Effect.andThen(Effect.yieldNow, books), { until: (now) => areSo(now) })
  )

export class LogLines extends Context.Service<
  LogLines,
  {
    /** Every line that was logged so far, as a collector would get it. */
    readonly lines: ReadonlyArray<string>
  }
>()("backlinks/test/LogLines") {}

export class ServiceInstances extends Context.Service<
  ServiceInstances,
  {
    /** Several instances of the shop: where each listens, and its own sweeper. */
    readonly all: Effect.Effect<
      ReadonlyArray<{ readonly url: string; readonly sweep: SweepQuotes["Service"]["sweep"] }>
    >
  }
>()("backlinks/test/ServiceInstances") {}

export type Env = Readonly<Record<string, string>>

/** No limit, offer or sweep gets in the way of a test that is not about it. */
const DEFAULTS: Env = {
  PORT: "0",
  DEMO: "off",
  DAILY_ORDER_CAP: "0",
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  WELCOME_OFFER_PERCENT: "0",
  SWEEP_INTERVAL: "1 hour",
  WEBHOOK_INSECURE_TARGETS: "true"
}

/** What the shop under it logs. */
export const layerLogLines = Layer.suspend(() => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return Layer.merge(Logger.layer([logger]), Layer.succeed(LogLines, { lines }))
})

/** What a shop of tests finds around it, however many instances it has. */
export const sharedServices = Layer.mergeAll(
  MovableClock.layer,
  FetchHttpClient.layer,
  UniqueNumbers.layer,
  layerLogLines,
  FaultyBook.layerFaults
)

/** Where a server on this machine listens. */
export const serverAddress = Effect.map(HttpServer.HttpServer, ({ address }) => {
  const port = address._tag === "UnixPathAddress" ? 0 : address.port
  return { url: `http://127.0.0.1:${port}`, port }
})

const tablesAsText = (books: Books) =>
  Object.entries(books).map(
    ([shelf, rows]) => [shelf, JSON.stringify(HashMap.isHashMap(rows) ? HashMap.toEntries(rows) : rows)] as const
  )

/** The shop of the server and the in-memory books under it. */
export const layerInMemoryBooks = Layer.effect(
  RunningService,
  Effect.gen(function* () {
    const { current } = yield* MemoryBooks
    const books = Effect.sync(current)
    return { ...(yield* serverAddress), books, rows: Effect.map(books, tablesAsText) }
  })
)

export const settingsFrom = (env: Env) => settings.parse(ConfigProvider.fromUnknown({ ...DEFAULTS, ...env }))

const instance = <Provided, E>(
  env: Env,
  portsAt: (config: Settings, publicUrl: string) => Layer.Layer<Ports | Provided, E>
) => {
  const service = Effect.map(settingsFrom(env), (config) => Service.layerWithPorts(config, (url) => portsAt(config, url)))
  return layerInMemoryBooks.pipe(Layer.provideMerge(Layer.unwrap(service)))
}

/**
 * Another instance of the shop that it is opened beside: over the same store, processor and clock, on a port of its own. It shares
 * nothing else, as if it ran in another process.
 */
export const anotherInstance = Effect.gen(function* () {
  const beside = yield* Effect.context<Ports | MemoryBooks | HttpServer.HttpServer>()
  const ports = Context.omit(HttpServer.HttpServer, Layer.CurrentMemoMap)(beside)
  const service = instance({}, () => Layer.succeedContext(ports))
  return yield* Layer.buildWithMemoMap(service, yield* Layer.makeMemoMap, yield* Effect.scope)
})

/** The shop itself and two beside it, which open when they are first asked for. */
const instances = Layer.effect(
  ServiceInstances,
  Effect.gen(function* () {
    const here = { url: (yield* RunningService).url, sweep: (yield* SweepQuotes).sweep }
    const context = yield* Effect.context<Effect.Services<typeof anotherInstance>>()
    const another = Effect.map(anotherInstance, (there) => ({
      url: Context.get(there, RunningService).url,
      sweep: Context.get(there, SweepQuotes).sweep
    }))
    const others = yield* Effect.cached(Effect.all(times(2, () => another)).pipe(Effect.provide(context), Effect.orDie))
    return { all: Effect.map(others, (others) => [here, ...others]) }
  })
)

/** `env` is what the environment would hold. */
export const layer = (env: Env = {}) => {
  const shop = Effect.map(FaultyBook.OrderBookFaults, (faults) =>
    instance(env, (config, url) =>
      Layer.mergeAll(FaultyProcessor.layer, FaultyBook.layer(faults)).pipe(
        Layer.provideMerge(portsWithStore(config, url, MemoryStore.layer))
      )
    )
  )
  return instances.pipe(Layer.provideMerge(Layer.unwrap(shop)), Layer.provideMerge(sharedServices))
}

/** One instance over the in-memory store. */
export const inMemory: ServiceKind = { name: "in memory", open: layer, processors: "each" }
