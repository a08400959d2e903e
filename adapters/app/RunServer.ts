// Runs a server program to its end: prints why it failed to standard error, and sets the exit status.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit, Predicate, Runtime } from "effect"
import type { HttpServerError } from "effect/http"

const partOf = (cause: unknown, name: string): string =>
  Predicate.hasProperty(cause, name) ? String(cause[name]) : "unknown"

export const serveErrorMessage = ({ cause }: HttpServerError.ServeError): string => {
  const port = partOf(cause, "port")
  switch (partOf(cause, "code")) {
    case "EADDRINUSE":
      return `Port ${port} is taken, perhaps by another start of the service: stop that, or choose another port by PORT. Nothing else was touched.`
    case "EACCES":
      return `Port ${port} is not for this user: choose one from 1024 on by PORT.`
    case "EADDRNOTAVAIL":
      return `This machine has no address ${partOf(cause, "address")}: choose another by HOST.`
    default:
      return `Cannot listen: ${String(cause)}`
  }
}

/** Status 0 after an interruption, so that a supervisor does not count a requested stop as a failure. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

/** `name` begins the message of a defect; `messageOf` is the whole message of an error. */
export const runServer = <E>(name: string, program: Effect.Effect<unknown, E>, messageOf: (error: E) => string): void =>
  program.pipe(
    Effect.tapError((error) => Console.error(messageOf(error))),
    Effect.tapDefect((defect) => Console.error(`${name} stopped because of a bug.`, defect)),
    NodeRuntime.runMain({ disableErrorReporting: true, teardown })
  )
