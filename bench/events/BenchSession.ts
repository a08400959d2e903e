// The interface between the screen and a bench, live or attached: commands go in, events come out.
import { Effect, Fiber } from "effect"
import type { BenchEvent } from "./BenchEvent.ts"
import { type Command, type CommandResult, notDone, type Unavailable } from "./Command.ts"
import { EventBus } from "./EventBus.ts"

export interface BenchSession {
  /** Never rejects. Every result is also published as a `CommandExecuted` event. */
  readonly send: (command: Command) => Promise<CommandResult>
  /** Every event from now on, in order. Returns the function that ends the subscription. */
  readonly subscribe: (listener: (event: BenchEvent) => void) => () => void
  /** Starts the scenarios or the connection: a subscriber that came before misses nothing. Idempotent. */
  readonly start: () => void
  readonly unavailable: Unavailable
}

interface SessionHandlers<R> {
  readonly execute: (command: Command) => Effect.Effect<CommandResult>
  /** Runs from `start` on. */
  readonly background: Effect.Effect<unknown, unknown, R>
  readonly unavailable: Unavailable
}

/** Lives as long as the scope. */
export const openSession = Effect.fnUntraced(function* <R>({ execute, background, unavailable }: SessionHandlers<R>) {
  const { emit, subscribe } = yield* EventBus

  const send = (command: Command): Effect.Effect<CommandResult> =>
    Effect.suspend(() => execute(command)).pipe(
      Effect.catchCause((cause) => Effect.succeed(notDone(`That went wrong: ${String(cause)}`))),
      Effect.tap((result) => Effect.sync(() => emit({ _tag: "CommandExecuted", command, ...result })))
    )

  const logFailure = (cause: unknown) =>
    Effect.sync(() => emit({ _tag: "Logged", level: "error", text: `The bench stopped: ${String(cause)}` }))
  const start = yield* Effect.cached(Effect.asVoid(Effect.forkScoped(Effect.catchCause(background, logFailure))))
  const run = Effect.runForkWith(yield* Effect.context<Effect.Services<typeof start>>())
  const session: BenchSession = {
    send: (command) => Effect.runPromise(Fiber.join(run(send(command)))),
    subscribe,
    start: () => void run(start),
    unavailable
  }
  return session
})
