// Starts the service: reads the settings, refuses unsafe ones, says on standard output where it listens and, with demo data,
// which keys it knows. Runs until it is told to stop.
import { setFlagsFromString } from "node:v8"
import { NodeRuntime } from "@effect/platform-node"
import { type Config, Console, Deferred, Effect, Layer, Schema } from "effect"
import { HttpServer, type HttpServerError } from "effect/http"
import type { SqlError } from "effect/sql/SqlError"
import * as ExitStatus from "#adapters/app/ExitStatus.ts"
import * as Service from "#adapters/app/Service.ts"
import { refusals, warnings } from "#adapters/config/ConfigChecks.ts"
import { configErrorMessage } from "#adapters/config/ConfigErrorMessage.ts"
import { type Settings, settings } from "#adapters/config/Settings.ts"
import { demoKeys } from "#adapters/demo/Demo.ts"
import * as Logging from "#adapters/observability/Logging.ts"
import type { DatabaseReadOnly, DatabaseTooNew } from "#adapters/postgres/database/Migrations.ts"
import { reasonOf } from "#adapters/postgres/database/SqlErrors.ts"
import type { EmbeddedFault } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"

/**
 * Nearly all that a request makes is garbage once it is answered. In its first collections V8 learns what to put among its old objects
 * at once; those come while the first requests are under way, so it learns that everything stays. Garbage among the old objects then
 * keeps alive whatever it points to.
 */
setFlagsFromString("--no-allocation-site-pretenuring")

/** While it ran, and for good. */
class DatabaseLost extends Schema.TaggedError<DatabaseLost>()("DatabaseLost", { reason: Schema.String }) {}

class Unsafe extends Schema.TaggedError<Unsafe>()("Unsafe", { reasons: Schema.Array(Schema.String) }) {}

/** One a line, for people and scripts alike. */
const announce = (config: Settings) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* HttpServer.addressFormattedWith((address) => Console.log(`listening on ${address}`))
      if (!config.demo) return
      for (const { label, text } of demoKeys) yield* Console.log(`${label}: ${text}`)
    })
  )

const run = (config: Settings) =>
  Effect.gen(function* () {
    const reasons = refusals(config)
    if (reasons.length > 0) return yield* new Unsafe({ reasons })
    for (const warning of warnings(config)) yield* Effect.logWarning(warning)
    const lost = yield* Deferred.make<never, EmbeddedFault>()
    const served = Layer.launch(announce(config).pipe(Layer.provide(Service.layer(config, lost))))
    const ended = Effect.mapError(Deferred.await(lost), ({ reason }) => new DatabaseLost({ reason }))
    return yield* Effect.raceFirst(served, ended)
  }).pipe(Effect.provide(Logging.layer(config, process.stderr.isTTY)))

const sentence = (
  error:
    | Config.ConfigError
    | DatabaseLost
    | DatabaseReadOnly
    | DatabaseTooNew
    | EmbeddedFault
    | HttpServerError.ServeError
    | SqlError
    | StoreUnavailable
    | Unsafe
): string => {
  switch (error._tag) {
    case "ConfigError":
      return configErrorMessage(error)
    case "ServeError":
      return `Cannot listen: ${String(error.cause)}`
    case "DatabaseReadOnly":
      return "The database can only be read at present: it is a standby, or was made read-only, as providers do when its disk is full."
    case "DatabaseTooNew":
      return `The database was brought up to date by a newer version (${error.step}). Start that one, or restore the dump from before.`
    case "DatabaseLost":
    case "EmbeddedFault":
      return error.reason
    case "SqlError":
      return `The database cannot be used: ${reasonOf(error)}`
    case "StoreUnavailable":
      return "The store does not answer."
    case "Unsafe":
      return error.reasons.join("\n")
  }
}

Effect.flatMap(settings, run).pipe(
  Effect.tapError((error) => {
    const what = error._tag === "DatabaseLost" ? "The service stops" : "The service does not start"
    return Console.error(`${what}. ${sentence(error)}`)
  }),
  Effect.tapDefect((defect) => Console.error("The service stopped because of a bug.", defect)),
  (program) => NodeRuntime.runMain(program, { disableErrorReporting: true, teardown: ExitStatus.teardown })
)
