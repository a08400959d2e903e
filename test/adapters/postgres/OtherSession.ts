// Another session on the same database, whose locks block the store for as long as a test needs.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Context, Effect, Fiber, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { longWaits, storeInstance } from "./StoreInstances.ts"
import { untilLockWaiter } from "./TestDatabase.ts"

class Address extends Context.Service<Address, Redacted.Redacted>()("backlinks/test/Address") {}

/** No statement times out while a test holds its lock. */
const longTimeout = { ...longWaits, statementTimeout: "5 minutes" } as const

/** A store on its own database, and the address for other sessions. */
export const sharedDatabase = Layer.unwrap(
  Effect.map(migratedDatabase, (url) =>
    Layer.mergeAll(storeInstance(url, longTimeout), Layer.succeed(Address, url), UniqueNumbers.layer)
  )
)

export const otherSession = Effect.flatMap(Address, (url) => PgConnection.make({ url }))

/** A statement of another session, which holds its locks until the session commits. */
export type Obstacle = readonly [sql: string, ...params: ReadonlyArray<unknown>]

/** Starts `work`, waits until the obstacle blocks it, runs `meanwhile`, and lets `work` end. Returns the results of both. */
export const whileBlocked = <A, E, R, B, F, S>(
  [sql, ...params]: Obstacle,
  work: Effect.Effect<A, E, R>,
  meanwhile: Effect.Effect<B, F, S>
) =>
  Effect.gen(function* () {
    const holder = yield* otherSession
    yield* holder.query("BEGIN")
    yield* holder.query(sql, params)
    const done = yield* Effect.forkChild(work, { startImmediately: true })
    const blocked = Effect.as(untilLockWaiter(holder), true)
    expect(yield* Effect.raceFirst(blocked, Effect.as(Fiber.await(done), false))).toBe(true)
    const result = yield* meanwhile
    yield* holder.query("COMMIT")
    return [yield* Fiber.join(done), result] as const
  }).pipe(Effect.scoped)
