// Starts the service: reads and checks the settings, prints to standard output where it listens and the demo keys, and runs until it
// is interrupted.
import { setFlagsFromString } from "node:v8"
import { type Config, Console, Deferred, Effect, Layer, Schema } from "effect"
import { HttpServer, type HttpServerError } from "effect/http"
import { runServer, serveErrorMessage } from "#adapters/app/RunServer.ts"
import * as Service from "#adapters/app/Service.ts"
import { storeFaultMessage } from "#adapters/app/StoreFaultMessage.ts"
import { configErrors, configWarnings } from "#adapters/config/ConfigChecks.ts"
import { configErrorMessage } from "#adapters/config/ConfigErrorMessage.ts"
import { type Settings, settings } from "#adapters/config/Settings.ts"
import { DEMO_OWNER, demoKeys } from "#adapters/demo/Demo.ts"
import * as Logging from "#adapters/observability/Logging.ts"
import type { MigrationFault } from "#adapters/postgres/database/Migrations.ts"
import type { EmbeddedServerError } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import { SignIn } from "#core/usecases/SignIn.ts"

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

/** One line each, read by people and scripts. */
const announce = (config: Settings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* HttpServer.addressFormattedWith((address) => Console.log(`listening on ${address}`))
      if (!config.demo) return
      for (const { label, text } of demoKeys) yield* Console.log(`${label}: ${text}`)
      if (!config.members.on) return
      const signIn = yield* SignIn
      yield* Console.log(`demo sign-in: ${yield* Effect.orDie(signIn.demoLink(DEMO_OWNER))}`)
    })
  )

const run = (config: Settings) =>
  Effect.gen(function* () {
    const reasons = configErrors(config)
    if (reasons.length > 0) return yield* new ConfigRejected({ reasons })
    for (const warning of configWarnings(config)) yield* Effect.logWarning(warning)
    const lost = yield* Deferred.make<never, EmbeddedServerError>()
    const served = Layer.launch(announce(config).pipe(Layer.provide(Service.layer(config, lost))))
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
