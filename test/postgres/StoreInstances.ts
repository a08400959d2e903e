// Several instances of the store on one database, each with connections and queues of its own, as several processes would have.
import { Context, Effect, Layer, type Redacted } from "effect"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { times } from "#test/ports/StoreSuite.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { databaseInTime } from "./DatabaseClock.ts"

export type StoreOptions = Omit<Parameters<typeof PostgresStore.layer>[0], "url">

/** Nobody is to be sent away in tests that are not about it. */
export const longWaits: StoreOptions = { maxWait: "60 seconds", maxWaiting: 10_000 }

/** An instance that shares nothing with others but the database. */
export const storeInstance = (url: Redacted.Redacted, options: StoreOptions = longWaits) =>
  Layer.fresh(PostgresStore.layer({ ...options, url }))

/**
 * Instances that start at the same moment, on a database that is still empty, in a time that no midnight is near. Decisions are given
 * to one after another.
 */
export const storeInstances = (size: number) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const url = yield* databaseInTime
      const built = yield* Effect.all(
        times(size, () => Layer.build(storeInstance(url))),
        { concurrency: "unbounded" }
      )
      const [first, ...others] = built
      if (first === undefined) throw new Error("a fleet has at least one instance")
      const books = [first, ...others].map((context) => Context.get(context, OrderBook))
      let turn = 0
      const next = () => books[turn++ % books.length] ?? Context.get(first, OrderBook)
      return Context.add(first, OrderBook, { transact: (reads, decide) => next().transact(reads, decide) })
    })
  ).pipe(Layer.provideMerge(MovableClock.layer))
