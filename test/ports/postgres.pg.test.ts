// The PostgreSQL store through every conformance suite, each on a database of its own.
import { Effect, Layer } from "effect"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { freshDatabase } from "#test/postgres/Server.ts"
import { everyStoreSuite } from "./EveryStore.ts"

const store = Layer.unwrap(Effect.map(freshDatabase, (url) => PostgresStore.layer({ url, patience: "60 seconds" })))

everyStoreSuite("postgres", store)
