// The PostgreSQL store through every conformance suite, each on its own database, away from midnight.
import { Effect, Layer } from "effect"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { databaseInTime } from "#test/adapters/postgres/DatabaseClock.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { storeConformance } from "./StoreConformance.ts"

const store = Layer.unwrap(Effect.map(databaseInTime, (url) => PostgresStore.layer({ url, maxWait: "60 seconds" })))

storeConformance("postgres", store.pipe(Layer.provideMerge(MovableClock.layer)))
