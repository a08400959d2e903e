// Several instances of the whole service on one database, as several processes would be: each with an HTTP port, connections,
// queues, a sweeper and a deliverer of its own. They share the database, the payment processor and the clock. Requests that are
// addressed to the shop, and deeds of its operator, go to one instance after another.

import { Context, Effect, Layer, type Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { type Ports, portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import type { Settings } from "#adapters/config/Settings.ts"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import * as FaultyProcessor from "#bench/service/FaultyProcessor.ts"
import { PaymentProcessor } from "#core/ports/PaymentProcessor.ts"
import { FulfilLinks } from "#core/usecases/FulfilLinks.ts"
import { ManageAccounts } from "#core/usecases/ManageAccounts.ts"
import { ManageKeys } from "#core/usecases/ManageKeys.ts"
import { SettlePayment } from "#core/usecases/SettlePayment.ts"
import { SweepQuotes } from "#core/usecases/SweepQuotes.ts"
import { UpdateCatalogue } from "#core/usecases/UpdateCatalogue.ts"
import { times } from "#test/ports/StoreSuite.ts"
import * as FaultyBook from "#test/scenarios/FaultyOrderBook.ts"
import {
  type Env,
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

/** Where clients are told that the shop is, as they would be told of a load balancer. Nobody listens there. */
const PUBLIC_URL = "http://shop.example"

/** The same for all instances of all fleets; it seals nothing that anybody wants. */
const ENCRYPTION_KEY = Buffer.alloc(32, "fleet").toString("base64")

/** The stand-in for whoever takes the payments. There is one of them, however many instances there are. */
const outside = (config: Settings) =>
  Effect.map(
    Layer.build(FaultyProcessor.layer.pipe(Layer.provideMerge(portsWithStore(config, PUBLIC_URL, Layer.empty)))),
    Context.pick(PaymentProcessor, FaultyProcessor.ProcessorFaults)
  )

/** A whole instance, which knows of no other. */
const instance = Effect.fnUntraced(function* <Provided>(
  config: Settings,
  store: Layer.Layer<Ports | Provided, unknown>
) {
  const service = Service.layerWithPorts(config, () => store)
  return yield* Layer.buildWithMemoMap(service, yield* Layer.makeMemoMap, yield* Effect.scope)
})

/** Builds them at the same moment, on a database that is still empty. */
const instances = Effect.fnUntraced(function* (size: number, url: Redacted.Redacted, env: Env) {
  const config = yield* settingsFrom({ PUBLIC_URL, ENCRYPTION_KEY, ...env })
  const processor = yield* outside(config)
  const faults = yield* FaultyBook.OrderBookFaults
  const ports = Layer.mergeAll(FaultyBook.layer(faults), Layer.succeedContext(processor)).pipe(
    Layer.provideMerge(portsWithStore(config, PUBLIC_URL, PostgresStore.layer({ ...longWaits, url })))
  )
  return yield* Effect.all(
    times(size, () => instance(config, ports)),
    { concurrency: "unbounded" }
  )
})

type Fleet = Effect.Success<ReturnType<typeof instances>>
type Instance = Fleet[number]

/** One after another, and then the first again. */
const inTurn = <A>(all: ReadonlyArray<A>): (() => A) => {
  let turn = 0
  return () => {
    const next = all[turn++ % all.length]
    if (next === undefined) throw new Error("a fleet has at least one instance")
    return next
  }
}

type Services = Instance extends Context.Context<infer Services> ? Services : never

/** What the operator does in a test, and the processor's notices: each is asked of the instance whose turn it is. */
const spreadDeeds = (fleet: Fleet): Instance => {
  const next = inTurn(fleet)
  const first = next()
  const spread = <Id extends Services, Deed extends object>(deed: Context.Key<Id, Deed>): Deed =>
    new Proxy(Context.get(first, deed), { get: (_, name) => Reflect.get(Context.get(next(), deed), name) })
  return first.pipe(
    Context.add(UpdateCatalogue, spread(UpdateCatalogue)),
    Context.add(ManageAccounts, spread(ManageAccounts)),
    Context.add(ManageKeys, spread(ManageKeys)),
    Context.add(FulfilLinks, spread(FulfilLinks)),
    Context.add(SettlePayment, spread(SettlePayment)),
    Context.add(SweepQuotes, spread(SweepQuotes))
  )
}

const isOurs = (address: string | URL | Request): address is string | URL =>
  !(address instanceof Request) && new URL(address).origin === PUBLIC_URL

const open = Effect.fnUntraced(function* (size: number, env: Env) {
  const url = yield* databaseInTime
  const fleet = yield* instances(size, url, env)
  const all = yield* Effect.all(
    fleet.map((one) => {
      const { sweep } = Context.get(one, SweepQuotes)
      return Effect.map(Effect.provide(serverAddress, one), (where) => ({ ...where, sweep }))
    })
  )
  const next = inTurn(all)
  /** As a load balancer would: every request to whom it has not asked for longest. */
  const balanced: typeof fetch = (address, init) => {
    if (!isOurs(address)) return fetch(address, init)
    const { pathname, search } = new URL(address)
    return fetch(new URL(pathname + search, next().url), init)
  }
  const books = yield* booksReader(url)
  return spreadDeeds(fleet).pipe(
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
