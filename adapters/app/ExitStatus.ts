// With which status a server's process ends. One that was told to stop, and stopped, has done what it was to do: whoever looks
// after processes must not take it for a failure.
import { Cause, Exit, Runtime } from "effect"

export const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)
