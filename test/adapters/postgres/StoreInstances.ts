// Several instances of the store on one database, each with its own connections and queues, as in separate processes.
import { Context, Effect, Layer, type Redacted } from "effect"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { databaseInTime } from "./DatabaseClock.ts"

export type StoreOptions = Omit<Parameters<typeof PostgresStore.layer>[0], "url">

/**
 * For tests that are not about limits on waiting. With the fewest connections that commit as ten do: opening one and planning its
 * statements takes some 40 ms.
 */
export const longWaits: StoreOptions = { maxWait: "60 seconds", maxWaiting: 10_000, connections: 8 }

/** An instance that shares only the database with others. */
export const storeInstance = (url: Redacted.Redacted, options: StoreOptions = longWaits) =>
  Layer.fresh(PostgresStore.layer({ ...options, url }))

/** Instances that start at the same moment, on an empty database with the test's clock. Decisions go to them in turn. */
export const storeInstances = (size: number) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const url = yield* databaseInTime
      const built = yield* Effect.all(
        times(size, () => Layer.build(storeInstance(url))),
        { concurrency: "unbounded" }
      )
      const [first, ...others] = built
      if (first === undefined) throw new Error("there has to be at least one instance")
      const books = [first, ...others].map((context) => Context.get(context, OrderBook))
      let turn = 0
      const next = () => books[turn++ % books.length] ?? Context.get(first, OrderBook)
      return Context.add(first, OrderBook, { transact: (reads, decide) => next().transact(reads, decide) })
    })
  ).pipe(Layer.provideMerge(MovableClock.layer))
