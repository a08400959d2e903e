// The one door of every bench, live or attached: commands go in, events come out, and what happens by itself begins when it is
// opened. What a command does, and what happens, is whose bench it is.
import { Effect, Fiber } from "effect"
import type { Bench, Command, Told, Unavailable } from "./Control.ts"
import { Feed } from "./Feed.ts"

/** What is behind a door. */
export interface Inside<R> {
  readonly carryOut: (command: Command) => Effect.Effect<Told>
  /** All that happens by itself, from `start` on. */
  readonly play: Effect.Effect<unknown, unknown, R>
  readonly unavailable: Unavailable
}

/** For as long as the scope is open. */
export const openDoor = Effect.fnUntraced(function* <R>({ carryOut, play, unavailable }: Inside<R>) {
  const { tell, listen } = yield* Feed

  const send = (command: Command): Effect.Effect<Told> =>
    Effect.suspend(() => carryOut(command)).pipe(
      Effect.catchCause((cause) => Effect.succeed({ ok: false, sentence: `That went wrong: ${String(cause)}` })),
      Effect.tap(({ ok, sentence }) => Effect.sync(() => tell({ _tag: "Commanded", command, ok, sentence })))
    )

  const failed = (cause: unknown) =>
    Effect.sync(() => tell({ _tag: "Logged", level: "error", text: `The bench stopped: ${String(cause)}` }))
  const start = yield* Effect.cached(Effect.asVoid(Effect.forkScoped(Effect.catchCause(play, failed))))
  const run = Effect.runForkWith(yield* Effect.context<Effect.Services<typeof start>>())
  const bench: Bench = {
    send: (command) => Effect.runPromise(Fiber.join(run(send(command)))),
    listen,
    start: () => void run(start),
    unavailable
  }
  return bench
})
