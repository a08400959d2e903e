// Starts the standalone MCP server, which calls the API at API_URL: over HTTP, or with `--stdio` over standard input and output with
// the key from the environment.
import { parseArgs } from "node:util"
import { type Config, Console, Effect, Layer, Option, Schema } from "effect"
import { HttpServer, type HttpServerError } from "effect/http"
import * as McpServer from "#adapters/app/McpServer.ts"
import { runServer, serveErrorMessage } from "#adapters/app/RunServer.ts"
import { configErrorMessage } from "#adapters/config/ConfigErrorMessage.ts"
import { type McpSettings, mcpSettings } from "#adapters/config/Settings.ts"
import { SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import * as ApiOverHttp from "#adapters/mcp/ApiOverHttp.ts"
import * as Stdio from "#adapters/mcp/Stdio.ts"
import { full, ordering, type Surface } from "#adapters/mcp/Surface.ts"
import * as Logging from "#adapters/observability/Logging.ts"

class NotStarted extends Schema.TaggedError<NotStarted>()("NotStarted", { reason: Schema.String }) {}

const announce = Layer.effectDiscard(
  HttpServer.addressFormattedWith((address) => Console.log(`listening on ${address}`))
)

const overHttp = (config: McpSettings) => Layer.launch(announce.pipe(Layer.provide(McpServer.layer(config))))

const overStdio = ({ apiKey, apiUrl, supportContact }: McpSettings, surface: Surface) =>
  Option.match(apiKey, {
    onNone: () =>
      Effect.fail(new NotStarted({ reason: "API_KEY is not set: over stdio, the key comes from the environment." })),
    onSome: (key) =>
      Stdio.serve(surface, key).pipe(
        Effect.provideService(SupportContact, Option.getOrNull(supportContact)),
        Effect.provide(ApiOverHttp.layer(apiUrl))
      )
  })

const readFlags = Effect.try({
  try: () => {
    const flag = { type: "boolean", default: false } as const
    return parseArgs({ options: { stdio: flag, full: flag } }).values
  },
  catch: () => new NotStarted({ reason: "The flags are --stdio and, with it, --full." })
})

const reasonFor = (error: Config.ConfigError | HttpServerError.ServeError | NotStarted): string => {
  switch (error._tag) {
    case "ConfigError":
      return configErrorMessage(error)
    case "ServeError":
      return serveErrorMessage(error)
    case "NotStarted":
      return error.reason
  }
}

const program = Effect.gen(function* () {
  const flags = yield* readFlags
  const config = yield* mcpSettings
  const serve: Effect.Effect<unknown, HttpServerError.ServeError | NotStarted> = flags.stdio
    ? overStdio(config, flags.full ? full : ordering)
    : overHttp(config)
  yield* serve.pipe(Effect.provide(Logging.layer(config, process.stderr.isTTY)))
})

runServer("The MCP server", program, (error) => `The MCP server does not start. ${reasonFor(error)}`)
