// Runs a server program to its end: prints why it failed to standard error, and sets the exit status.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit, Runtime } from "effect"
import type { HttpServerError } from "effect/http"

export const serveErrorMessage = ({ cause }: HttpServerError.ServeError): string => `Cannot listen: ${String(cause)}`

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
