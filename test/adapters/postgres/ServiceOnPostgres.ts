// The complete service on PostgreSQL and a free port, composed as `main` does it. Tests read its books over its API or from the database.
import { randomBytes } from "node:crypto"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Service from "#adapters/app/Service.ts"
import { settings } from "#adapters/config/Settings.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { RunningService, serverAddress } from "#test/scenarios/RunningService.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"

const noBooks = Effect.die(new Error("the books are in the database"))

const address = Layer.effect(
  RunningService,
  Effect.map(serverAddress, (place) => ({ ...place, books: noBooks, rows: noBooks }))
)

const ENCRYPTION_KEY = randomBytes(32).toString("base64")

/** An instance on this database, with further environment variables. */
export const serviceOn = (url: Redacted.Redacted, env: Readonly<Record<string, string>> = {}) => {
  const environment = { PORT: "0", DATABASE_URL: Redacted.value(url), ENCRYPTION_KEY, ...env }
  const service = Effect.map(settings.parse(ConfigProvider.fromUnknown(environment)), Service.layer)
  return Layer.fresh(
    address.pipe(
      Layer.provideMerge(Layer.unwrap(service)),
      Layer.provideMerge(Layer.merge(FetchHttpClient.layer, UniqueNumbers.layer))
    )
  )
}

/** One instance on its own database. */
export const layer = (env: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(Effect.map(migratedDatabase, (url) => serviceOn(url, env)))
