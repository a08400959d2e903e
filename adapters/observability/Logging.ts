// Format, level and destination of logs. They go to standard error; standard output is for what scripts read.
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

/** `terminal`: whether standard error is a terminal, where people read it; elsewhere the default format is JSON for collectors. */
export const layer = ({ logFormat, logLevel }: ServerSettings, terminal: boolean) => {
  const format = Option.getOrElse(logFormat, () => (terminal ? "pretty" : "json"))
  return Layer.mergeAll(
    Logger.layer([format === "pretty" ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson)]),
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, LEVELS[logLevel])
  )
}
