// The PostgreSQL store through every conformance suite, each on its own database, away from midnight. Those about concurrent changes run with
// three instances of it (`StoreInstances.pg.test.ts`).
import { Effect, Layer } from "effect"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { databaseInTime } from "#test/adapters/postgres/DatabaseClock.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { otherConformance } from "./StoreConformance.ts"

const store = Layer.unwrap(Effect.map(databaseInTime, (url) => PostgresStore.layer({ url, maxWait: "60 seconds" })))

otherConformance("postgres", store.pipe(Layer.provideMerge(MovableClock.layer)))
