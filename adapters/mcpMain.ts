// Starts the MCP server alone: over HTTP, or with `--stdio` over standard input and output with the key of the environment.
// Both relay to the API at API_URL.

import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { type Config, Console, Effect, Layer, Option, Schema } from "effect"
import { HttpServer, type HttpServerError } from "effect/http"
import * as ExitStatus from "#adapters/app/ExitStatus.ts"
import * as McpServer from "#adapters/app/McpServer.ts"
import { configErrorMessage } from "#adapters/config/ConfigErrorMessage.ts"
import { type McpSettings, mcpSettings } from "#adapters/config/Settings.ts"
import { MAX_BODY_BYTES, readJson } from "#adapters/http/RequestBody.ts"
import { makeRequestId } from "#adapters/http/RequestId.ts"
import * as ApiOverHttp from "#adapters/mcp/ApiOverHttp.ts"
import * as Stdio from "#adapters/mcp/Stdio.ts"
import * as Logging from "#adapters/observability/Logging.ts"

class NotStarted extends Schema.TaggedError<NotStarted>()("NotStarted", { reason: Schema.String }) {}

const announce = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) => Console.log(`listening on ${address}`))
)

const overHttp = (config: McpSettings) => Layer.launch(announce.pipe(Layer.provide(McpServer.layer(config))))

const overStdio = ({ apiKey, apiUrl }: McpSettings) =>
  Option.match(apiKey, {
    onNone: () =>
      Effect.fail(new NotStarted({ reason: "API_KEY is not set: over stdio, the key is the environment's." })),
    onSome: (key) =>
      Stdio.serve({ key, makeRequestId, readJson, limitBytes: MAX_BODY_BYTES }).pipe(
        Effect.provide(ApiOverHttp.layer(apiUrl))
      )
  })

const readFlags = Effect.try({
  try: () => parseArgs({ options: { stdio: { type: "boolean", default: false } } }).values,
  catch: () => new NotStarted({ reason: "The only flag there is: --stdio" })
})

const sentence = (error: Config.ConfigError | HttpServerError.ServeError | NotStarted): string => {
  switch (error._tag) {
    case "ConfigError":
      return configErrorMessage(error)
    case "ServeError":
      return `Cannot listen: ${String(error.cause)}`
    case "NotStarted":
      return error.reason
  }
}

Effect.gen(function* () {
  const { stdio } = yield* readFlags
  const config = yield* mcpSettings
  const serve: Effect.Effect<unknown, HttpServerError.ServeError | NotStarted> = stdio
    ? overStdio(config)
    : overHttp(config)
  yield* serve.pipe(Effect.provide(Logging.layer(config, process.stderr.isTTY)))
}).pipe(
  Effect.tapError((error) => Console.error(`The MCP server does not start. ${sentence(error)}`)),
  Effect.tapDefect((defect) => Console.error("The MCP server stopped because of a bug.", defect)),
  (program) => NodeRuntime.runMain(program, { disableErrorReporting: true, teardown: ExitStatus.teardown })
)
