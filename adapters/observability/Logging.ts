// Where logs go and how they look. Logs are for people and collectors and go to standard error; what scripts read is on
// standard output and is not a log.
import { Layer, Logger, type LogLevel, Option, References } from "effect"
import type { ServerSettings } from "#adapters/config/Settings.ts"

const LEVELS: Readonly<Record<ServerSettings["logLevel"], LogLevel.LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None"
}

/** `terminal` is whether standard error is one: people read it there, collectors elsewhere. */
export const layer = ({ logFormat, logLevel }: ServerSettings, terminal: boolean) => {
  const format = Option.getOrElse(logFormat, () => (terminal ? "pretty" : "json"))
  return Layer.mergeAll(
    Logger.layer([format === "pretty" ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson)]),
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, LEVELS[logLevel])
  )
}
