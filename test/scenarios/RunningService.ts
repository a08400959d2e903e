// A complete service on a free port, as `main.ts` starts it, over the in-memory store. Its clock can be set forward, and its payment
// processor and order book can be made to fail.
import { ConfigProvider, Context, Effect, HashMap, Layer, Logger, Record } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { type Ports, portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import { type Settings, settings } from "#adapters/config/Settings.ts"
import { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import { LongestWait } from "#adapters/web/payment/PaymentWaits.ts"
import * as FaultyProcessor from "#bench/service/FaultyProcessor.ts"
import { type Books, emptyBooks } from "#core/decisions/Books.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import * as FaultyOrderBook from "./FaultyOrderBook.ts"
import * as MovableClock from "./MovableClock.ts"

export class RunningService extends Context.Service<
  RunningService,
  {
    /** The beginning of every link to the service. */
    readonly url: string
    /** The port of the next instance in turn, if there are several. */
    readonly port: number
    /** The books of the last commit, see `keptBesideDocuments`. The same object until something else than a document is written. */
    readonly books: Effect.Effect<Books>
    /** All stored rows, as text. */
    readonly rows: Effect.Effect<ReadonlyArray<readonly [table: string, text: string]>>
  }
>()("backlinks/test/RunningService") {}

/** Polls the books until they match, because another instance may write them. */
export const untilBooks = (matches: (books: Books) => boolean) =>
  Effect.flatMap(RunningService, ({ books }) =>
    Effect.repeat(Effect.andThen(Effect.yieldNow, books), { until: (now) => matches(now) })
  )

export class LogLines extends Context.Service<
  LogLines,
  {
    /** Every line logged so far, in JSON. */
    readonly lines: ReadonlyArray<string>
  }
>()("backlinks/test/LogLines") {}

export class ServiceInstances extends Context.Service<
  ServiceInstances,
  {
    /** The address and the sweeper of each instance. */
    readonly all: Effect.Effect<
      ReadonlyArray<{ readonly url: string; readonly sweep: SweepQuotes["Service"]["sweep"] }>
    >
  }
>()("backlinks/test/ServiceInstances") {}

export type Env = Readonly<Record<string, string>>

/** Settings without limits, offers and sweeps, so that a test sets only those that it is about. */
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

/** Records what the service below it logs. */
export const layerLogLines = Layer.suspend(() => {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
  return Layer.merge(Logger.layer([logger]), Layer.succeed(LogLines, { lines }))
})

/** Shared by all instances of a service. */
export const sharedServices = Layer.mergeAll(
  MovableClock.layer,
  FetchHttpClient.layer,
  UniqueNumbers.layer,
  layerLogLines,
  FaultyOrderBook.layerFaults,
  // A page that waits for a payment looks again without a pause, because no timer of a service ends in tests with a test clock.
  Layer.succeed(LongestWait, 0)
)

/** The address of the server in context. */
export const serverAddress = Effect.map(HttpServer.HttpServer, ({ address }) => {
  const port = address._tag === "UnixPathAddress" ? 0 : address.port
  return { url: `http://127.0.0.1:${port}`, port }
})

const tablesAsText = (books: Books) =>
  Object.entries(books).map(
    ([table, rows]) => [table, JSON.stringify(HashMap.isHashMap(rows) ? HashMap.toEntries(rows) : rows)] as const
  )

const sameRows = (one: unknown, other: unknown): boolean =>
  one === other ||
  (HashMap.isHashMap(one) && HashMap.isHashMap(other)
    ? HashMap.size(one) === HashMap.size(other) &&
      JSON.stringify(HashMap.toEntries(one)) === JSON.stringify(HashMap.toEntries(other))
    : JSON.stringify(one) === JSON.stringify(other))

const { invoices: _invoices, invoicedTo: _invoicedTo, ...besideDocuments } = emptyBooks

const sameBesideDocuments = (one: Books, other: Books): boolean =>
  Record.keys(besideDocuments).every((table) => sameRows(one[table], other[table]))

/**
 * A job issues invoices and receipts at any moment, which no scenario waits for. As long as nothing else changes, the books are those of
 * before, documents included, so that a scenario can compare them and see that nothing was written.
 */
export const keptBesideDocuments = <E, R>(read: Effect.Effect<Books, E, R>): Effect.Effect<Books, E, R> => {
  let kept: Books | undefined
  return Effect.map(read, (now) => {
    kept = kept !== undefined && sameBesideDocuments(kept, now) ? kept : now
    return kept
  })
}

/** The address of the server and the in-memory books. */
export const layerInMemoryBooks = Layer.effect(
  RunningService,
  Effect.gen(function* () {
    const { current } = yield* MemoryBooks
    const books = Effect.sync(current)
    return { ...(yield* serverAddress), books: keptBesideDocuments(books), rows: Effect.map(books, tablesAsText) }
  })
)

export const settingsFrom = (env: Env) => settings.parse(ConfigProvider.fromUnknown({ ...DEFAULTS, ...env }))

const instance = <Provided, E>(
  env: Env,
  portsAt: (config: Settings, publicUrl: string) => Layer.Layer<Ports | Provided, E>
) => {
  const service = Effect.map(settingsFrom(env), (config) =>
    Service.layerWithPorts(config, (url) => portsAt(config, url))
  )
  return layerInMemoryBooks.pipe(Layer.provideMerge(Layer.unwrap(service)))
}

/**
 * A second instance over the same store, processor and clock, on another port. It shares nothing else with the first, as if it ran in
 * another process.
 */
export const anotherInstance = Effect.gen(function* () {
  const beside = yield* Effect.context<Ports | MemoryBooks | HttpServer.HttpServer>()
  const ports = Context.omit(HttpServer.HttpServer, Layer.CurrentMemoMap)(beside)
  const service = instance({}, () => Layer.succeedContext(ports))
  return yield* Layer.buildWithMemoMap(service, yield* Layer.makeMemoMap, yield* Effect.scope)
})

/** The service itself and two more instances, which start on first use. */
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

/** `env` holds environment variables. */
export const layer = (env: Env = {}) => {
  const service = Effect.map(FaultyOrderBook.OrderBookFaults, (faults) =>
    instance(env, (config, url) =>
      Layer.mergeAll(FaultyProcessor.layer, FaultyOrderBook.layer(faults)).pipe(
        Layer.provideMerge(portsWithStore(config, url, MemoryStore.layer))
      )
    )
  )
  return instances.pipe(Layer.provideMerge(Layer.unwrap(service)), Layer.provideMerge(sharedServices))
}
