// Several instances of the service on one database, as separate processes would be: each with its own HTTP port, connections, queues,
// sweeper and deliverer. They share the payment processor and the clock; requests and operator steps go to them in turn.
import { Context, Effect, Layer, type Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { type Ports, portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import { Patience } from "#adapters/concurrency/AnswerInTime.ts"
import type { Settings } from "#adapters/config/Settings.ts"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import * as FaultyProcessor from "#bench/service/FaultyProcessor.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import * as FaultyBook from "#test/scenarios/FaultyOrderBook.ts"
import {
  type Env,
  keptBesideDocuments,
  RunningService,
  ServiceInstances,
  serverAddress,
  settingsFrom,
  sharedServices
} from "#test/scenarios/RunningService.ts"
import type { ServiceKind } from "#test/scenarios/ServiceKind.ts"
import { booksReader } from "./DatabaseBooks.ts"
import { databaseInTime } from "./DatabaseClock.ts"
import { databaseDump } from "./DatabaseDump.ts"
import { longWaits } from "./StoreInstances.ts"

/** The address that clients use, as of a load balancer; `fetch` is replaced, so there is no listener. */
const PUBLIC_URL = "http://shop.example"

/** Shared by all instances; it protects no real secret. */
const ENCRYPTION_KEY = Buffer.alloc(32, "fleet").toString("base64")

/** The payment processor, shared by all instances. */
const sharedProcessor = (config: Settings) =>
  Effect.map(
    Layer.build(FaultyProcessor.layer.pipe(Layer.provideMerge(portsWithStore(config, PUBLIC_URL, Layer.empty)))),
    Context.pick(PaymentProcessor, FaultyProcessor.ProcessorFaults)
  )

/** Races of hundreds of requests take long on a busy machine, and are not about limits on waiting. */
const longPatience = Layer.succeed(Patience, 60_000)

/** An instance that shares nothing else with the others. */
const instance = Effect.fnUntraced(function* <Provided>(
  config: Settings,
  store: Layer.Layer<Ports | Provided, unknown>
) {
  const service = Service.layerWithPorts(config, () => store).pipe(Layer.provide(longPatience))
  return yield* Layer.buildWithMemoMap(service, yield* Layer.makeMemoMap, yield* Effect.scope)
})

/** Starts them at the same moment, on an empty database. */
const instances = Effect.fnUntraced(function* (size: number, url: Redacted.Redacted, env: Env) {
  const config = yield* settingsFrom({ PUBLIC_URL, ENCRYPTION_KEY, ...env })
  const processor = yield* sharedProcessor(config)
  const faults = yield* FaultyBook.OrderBookFaults
  const ports = Layer.mergeAll(FaultyBook.layer(faults), Layer.succeedContext(processor)).pipe(
    Layer.provideMerge(portsWithStore(config, PUBLIC_URL, PostgresStore.layer({ ...longWaits, url })))
  )
  return yield* Effect.all(
    times(size, () => instance(config, ports)),
    { concurrency: "unbounded" }
  )
})

type Instances = Effect.Success<ReturnType<typeof instances>>
type Instance = Instances[number]

/** Round-robin. */
const roundRobin = <A>(all: ReadonlyArray<A>): (() => A) => {
  let turn = 0
  return () => {
    const next = all[turn++ % all.length]
    if (next === undefined) throw new Error("there has to be at least one instance")
    return next
  }
}

type Services = Instance extends Context.Context<infer Services> ? Services : never

/** Operator steps and the processor's notices go to the instances in turn. */
const balanceUseCases = (running: Instances): Instance => {
  const next = roundRobin(running)
  const first = next()
  const balance = <Id extends Services, UseCase extends object>(useCase: Context.Key<Id, UseCase>): UseCase =>
    new Proxy(Context.get(first, useCase), { get: (_, name) => Reflect.get(Context.get(next(), useCase), name) })
  return first.pipe(
    Context.add(UpdateCatalogue, balance(UpdateCatalogue)),
    Context.add(ManageAccounts, balance(ManageAccounts)),
    Context.add(Credentials, balance(Credentials)),
    Context.add(DecideApproval, balance(DecideApproval)),
    Context.add(FulfilLinks, balance(FulfilLinks)),
    Context.add(Payments, balance(Payments)),
    Context.add(SweepQuotes, balance(SweepQuotes))
  )
}

const isToShop = (address: string | URL | Request): address is string | URL =>
  !(address instanceof Request) && new URL(address).origin === PUBLIC_URL

const open = Effect.fnUntraced(function* (size: number, env: Env) {
  const url = yield* databaseInTime
  const running = yield* instances(size, url, env)
  const all = yield* Effect.all(
    running.map((one) => {
      const { sweep } = Context.get(one, SweepQuotes)
      return Effect.map(Effect.provide(serverAddress, one), (where) => ({ ...where, sweep }))
    })
  )
  const next = roundRobin(all)
  /** A `fetch` that sends requests to the shop to the instances in turn. */
  const balanced: typeof fetch = (address, init) => {
    if (!isToShop(address)) return fetch(address, init)
    const { pathname, search } = new URL(address)
    return fetch(new URL(pathname + search, next().url), init)
  }
  const books = keptBesideDocuments(yield* booksReader(url))
  return balanceUseCases(running).pipe(
    Context.add(FetchHttpClient.Fetch, balanced),
    Context.add(ServiceInstances, { all: Effect.succeed(all) }),
    Context.add(RunningService, {
      url: PUBLIC_URL,
      get port() {
        return next().port
      },
      books,
      rows: databaseDump(url)
    })
  )
})

/** A service of this many instances on one database. */
export const serviceInstances = (size: number): ServiceKind => ({
  name: `by ${size === 1 ? "one instance" : `${size} instances`} on PostgreSQL`,
  start: (env) => Layer.effectContext(open(size, env)).pipe(Layer.provideMerge(sharedServices)),
  processors: "simulated"
})
