// The terminal bench: on a terminal it shows how orders live, elsewhere or with `--headless` it prints what happens and checks
// every invariant. Status 0 when everything held, 1 when something was found broken, 2 when the flags make no sense, 3 when a
// deployment cannot be joined, 4 when what was found cannot be written.
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Result } from "effect"
import { openAttachedBench } from "./attached/AttachedBench.ts"
import { readToken } from "./attached/OperatorToken.ts"
import { type Flags, HELP, readFlags } from "./BenchFlags.ts"
import type { Bench } from "./events/Command.ts"
import { printDeployment, runHeadless } from "./headless/Headless.ts"
import { soak } from "./headless/Soak.ts"
import { openLiveBench } from "./live/LiveBench.ts"

const BROKEN = 1
const WRONG_FLAGS = 2
const NOT_JOINED = 3
const UNWRITTEN = 4

const setStatus = (status: number) =>
  Effect.sync(() => {
    process.exitCode = status
  })

const judged = (findings: number) => (findings === 0 ? Effect.void : setStatus(BROKEN))

/** One that can be drawn on: a dumb one takes lines, and nothing else. */
const hasTerminal = () => process.stdin.isTTY && process.stdout.isTTY && process.env["TERM"] !== "dumb"

/** Until the person leaves. Only those who watch need a screen. */
const show = (bench: Bench) =>
  Effect.flatMap(
    Effect.promise(() => import("./ui/App.tsx")),
    ({ run }) => Effect.promise((signal) => run(bench, signal))
  )

const watch = Effect.fnUntraced(function* (flags: Extract<Flags, { readonly mode: "watch" }>) {
  if (!hasTerminal()) {
    yield* Console.error("There is no terminal here, so this is the plain transcript.")
    return yield* Effect.flatMap(runHeadless(flags), judged)
  }
  yield* Effect.flatMap(openLiveBench(flags), show)
}, Effect.scoped)

const stopWith = (status: number) => (sentence: string) => Effect.andThen(Console.error(sentence), setStatus(status))

const attach = Effect.fnUntraced(
  function* ({ url, tokenFile, headless }: Extract<Flags, { readonly mode: "attach" }>) {
    const bench = yield* openAttachedBench({ url, token: yield* readToken(tokenFile) })
    yield* headless || !hasTerminal() ? printDeployment(bench) : show(bench)
  },
  Effect.scoped,
  Effect.catchTag("CannotJoin", ({ reason }) => stopWith(NOT_JOINED)(reason)),
  Effect.catch(stopWith(WRONG_FLAGS))
)

// As the operator's command line does: npm goes to the project's folder first, and files are named from where it was called.
const { INIT_CWD } = process.env
if (INIT_CWD !== undefined) process.chdir(INIT_CWD)

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
    case "attach":
      return yield* attach(wanted)
  }
}).pipe(
  Effect.tapCause((cause) => Console.error(`The bench stopped: ${String(cause)}`)),
  Effect.onInterrupt(() => Console.error("Stopped."))
)

// Whoever reads the transcript may have seen enough, as `head` has; that is no failure of ours. A disk that is full is one.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit()
  process.stderr.write(`The transcript cannot be written: ${message}\n`)
  process.exit(UNWRITTEN)
})

/** The status that was set, where nothing worse happened. */
NodeRuntime.runMain(main, { disableErrorReporting: true })
