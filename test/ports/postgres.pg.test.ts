// The PostgreSQL store through every conformance suite, each on a database of its own, in a time that no midnight is near.
import { Effect, Layer } from "effect"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { databaseInTime } from "#test/postgres/DatabaseClock.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { everyStoreSuite } from "./EveryStore.ts"

const store = Layer.unwrap(Effect.map(databaseInTime, (url) => PostgresStore.layer({ url, patience: "60 seconds" })))

everyStoreSuite("postgres", store.pipe(Layer.provideMerge(MovableClock.layer)))
