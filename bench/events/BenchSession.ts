// The one door of every bench, live or attached: commands go in, events come out, and what happens by itself begins when it is
// opened. What a command does, and what happens, is whose bench it is.
import { Effect, Fiber } from "effect"
import type { Bench, Command, CommandResult, Unavailable } from "./Command.ts"
import { EventBus } from "./EventBus.ts"

/** What is behind a door. */
export interface SessionHandlers<R> {
  readonly execute: (command: Command) => Effect.Effect<CommandResult>
  /** All that happens by itself, from `start` on. */
  readonly runScenario: Effect.Effect<unknown, unknown, R>
  readonly unavailable: Unavailable
}

/** For as long as the scope is open. */
export const openSession = Effect.fnUntraced(function* <R>({ execute, runScenario, unavailable }: SessionHandlers<R>) {
  const { emit, subscribe } = yield* EventBus

  const send = (command: Command): Effect.Effect<CommandResult> =>
    Effect.suspend(() => execute(command)).pipe(
      Effect.catchCause((cause) => Effect.succeed({ ok: false, sentence: `That went wrong: ${String(cause)}` })),
      Effect.tap(({ ok, sentence }) => Effect.sync(() => emit({ _tag: "CommandExecuted", command, ok, sentence })))
    )

  const failed = (cause: unknown) =>
    Effect.sync(() => emit({ _tag: "Logged", level: "error", text: `The bench stopped: ${String(cause)}` }))
  const start = yield* Effect.cached(Effect.asVoid(Effect.forkScoped(Effect.catchCause(runScenario, failed))))
  const run = Effect.runForkWith(yield* Effect.context<Effect.Services<typeof start>>())
  const bench: Bench = {
    send: (command) => Effect.runPromise(Fiber.join(run(send(command)))),
    subscribe,
    start: () => void run(start),
    unavailable
  }
  return bench
})
