// The terminal bench: on a terminal it shows how orders live, elsewhere or with `--headless` it prints what happens and checks
// every invariant. Status 0 when everything held, 1 when something was found broken, 2 when the flags make no sense.
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Result } from "effect"
import { type Flags, HELP, readFlags } from "./Flags.ts"
import { runHeadless } from "./Headless.ts"
import { openLiveBench } from "./live/LiveBench.ts"
import { soak } from "./Soak.ts"

const BROKEN = 1
const WRONG_FLAGS = 2

const setStatus = (status: number) =>
  Effect.sync(() => {
    process.exitCode = status
  })

const judged = (findings: number) => (findings === 0 ? Effect.void : setStatus(BROKEN))

const watch = Effect.fnUntraced(function* (flags: Extract<Flags, { readonly mode: "watch" }>) {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    yield* Console.error("There is no terminal here, so this is the plain transcript.")
    return yield* Effect.flatMap(runHeadless(flags), judged)
  }
  const bench = yield* openLiveBench(flags)
  // Only those who watch need a screen.
  const { run } = yield* Effect.promise(() => import("./ui/App.tsx"))
  yield* Effect.promise((signal) => run(bench, signal))
}, Effect.scoped)

const main = Effect.gen(function* () {
  const flags = readFlags(process.argv.slice(2))
  if (Result.isFailure(flags)) {
    yield* Console.error(`${flags.failure}\nRun \`npm run bench -- --help\` for what there is.`)
    return yield* setStatus(WRONG_FLAGS)
  }
  const wanted = flags.success
  switch (wanted.mode) {
    case "help":
      return yield* Console.log(HELP)
    case "headless":
      return yield* Effect.flatMap(runHeadless(wanted), judged)
    case "soak":
      return yield* Effect.flatMap(soak(wanted.crowd, wanted.seed), judged)
    case "watch":
      return yield* watch(wanted)
  }
}).pipe(
  Effect.tapCause((cause) => Console.error(`The bench stopped: ${String(cause)}`)),
  Effect.onInterrupt(() => Console.error("Stopped."))
)

/** The status that was set, where nothing worse happened. */
NodeRuntime.runMain(main, { disableErrorReporting: true })
