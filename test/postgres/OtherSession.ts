// Somebody else at the same database, who has in hand what a deed needs, for as long as a test wants.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Context, Effect, Fiber, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { longWaits, storeInstance } from "./StoreInstances.ts"
import { freshDatabase, untilLockWaiter } from "./TestDatabase.ts"

class Address extends Context.Service<Address, Redacted.Redacted>()("backlinks/test/Address") {}

/** Nobody gives up on a lock while it is held for a test. */
const unhurried = { ...longWaits, statementTimeout: "5 minutes" } as const

/** An instance on a database of its own, to which strangers come too. */
export const sharedDatabase = Layer.unwrap(
  Effect.map(freshDatabase, (url) =>
    Layer.mergeAll(storeInstance(url, unhurried), Layer.succeed(Address, url), UniqueNumbers.layer)
  )
)

export const otherSession = Effect.flatMap(Address, (url) => PgConnection.make({ url }))

/** A stranger's statement, whose locks are in the deed's way until the stranger is done. */
export type Obstacle = readonly [sql: string, ...params: ReadonlyArray<unknown>]

/** Begun while the obstacle is in its way, and ended when it is gone; `meanwhile` is in between. What came of both. */
export const whileBlocked = <A, E, R, B, F, S>(
  [sql, ...params]: Obstacle,
  deed: Effect.Effect<A, E, R>,
  meanwhile: Effect.Effect<B, F, S>
) =>
  Effect.gen(function* () {
    const holder = yield* otherSession
    yield* holder.query("BEGIN")
    yield* holder.query(sql, params)
    const done = yield* Effect.forkChild(deed, { startImmediately: true })
    const waits = Effect.as(untilLockWaiter(holder), true)
    expect(yield* Effect.raceFirst(waits, Effect.as(Fiber.await(done), false))).toBe(true)
    const seen = yield* meanwhile
    yield* holder.query("COMMIT")
    return [yield* Fiber.join(done), seen] as const
  }).pipe(Effect.scoped)
