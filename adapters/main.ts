// Starts the service: reads and checks the settings, prints to standard output where it listens and the demo keys, and runs until it
// is interrupted.
import { setFlagsFromString } from "node:v8"
import { type Config, Deferred, Effect, Layer, Schema } from "effect"
import type { HttpServerError } from "effect/http"
import { announce } from "#adapters/app/Announcement.ts"
import { runServer, serveErrorMessage } from "#adapters/app/RunServer.ts"
import * as Service from "#adapters/app/Service.ts"
import { storeFaultMessage } from "#adapters/app/StoreFaultMessage.ts"
import { configErrors, configWarnings } from "#adapters/config/ConfigChecks.ts"
import { configErrorMessage } from "#adapters/config/ConfigErrorMessage.ts"
import { type Settings, settings } from "#adapters/config/Settings.ts"
import * as Logging from "#adapters/observability/Logging.ts"
import type { MigrationFault } from "#adapters/postgres/database/Migrations.ts"
import type { EmbeddedServerError } from "#adapters/postgres/embedded/EmbeddedServer.ts"

/**
 * Nearly everything a request allocates is garbage after its response. V8 decides in its first collections which allocations go
 * directly into the old generation. These collections run while the first requests are in flight, so V8 would take all allocations for
 * long-lived; garbage in the old generation then keeps alive what it points to.
 */
setFlagsFromString("--no-allocation-site-pretenuring")

/** The embedded database ended for good while the service ran. */
class DatabaseLost extends Schema.TaggedError<DatabaseLost>()("DatabaseLost", { reason: Schema.String }) {}

class ConfigRejected extends Schema.TaggedError<ConfigRejected>()("ConfigRejected", {
  reasons: Schema.Array(Schema.String)
}) {}

const run = (config: Settings) =>
  Effect.gen(function* () {
    const reasons = configErrors(config)
    if (reasons.length > 0) return yield* new ConfigRejected({ reasons })
    for (const warning of configWarnings(config)) yield* Effect.logWarning(warning)
    const lost = yield* Deferred.make<never, EmbeddedServerError>()
    const served = Layer.launch(Layer.effectDiscard(announce(config)).pipe(Layer.provide(Service.layer(config, lost))))
    const ended = Effect.mapError(Deferred.await(lost), ({ reason }) => new DatabaseLost({ reason }))
    return yield* Effect.raceFirst(served, ended)
  }).pipe(Effect.provide(Logging.layer(config, process.stderr.isTTY)))

const reasonFor = (
  error:
    | Config.ConfigError
    | DatabaseLost
    | EmbeddedServerError
    | HttpServerError.ServeError
    | MigrationFault
    | ConfigRejected
): string => {
  switch (error._tag) {
    case "ConfigError":
      return configErrorMessage(error)
    case "ServeError":
      return serveErrorMessage(error)
    case "DatabaseLost":
      return error.reason
    case "ConfigRejected":
      return error.reasons.join("\n")
    default:
      return storeFaultMessage(error)
  }
}

runServer("The service", Effect.flatMap(settings, run), (error) => {
  const what = error._tag === "DatabaseLost" ? "The service stops" : "The service does not start"
  return `${what}. ${reasonFor(error)}`
})
