// Starts the bench. On a terminal it shows how orders live; elsewhere, or with `--headless`, it prints a transcript and checks every
// invariant. Exit status: 0 all invariants hold, 1 a violation was found, 2 wrong flags, 3 the deployment cannot be joined, 4 the
// output cannot be written.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Option } from "effect"
import { openAttachedBench } from "./attached/AttachedBench.ts"
import { readToken } from "./attached/OperatorToken.ts"
import { type Mode, readFlags } from "./BenchCommand.ts"
import type { BenchSession } from "./events/BenchSession.ts"
import { printDeployment, runHeadless } from "./headless/Headless.ts"
import { soak } from "./headless/Soak.ts"
import { openLiveBench } from "./live/LiveBench.ts"

const VIOLATED = 1
const WRONG_FLAGS = 2
const NOT_JOINED = 3
const UNWRITTEN = 4

const setStatus = (status: number) =>
  Effect.sync(() => {
    process.exitCode = status
  })

const stopWith = (status: number) => (message: string) => Effect.andThen(Console.error(message), setStatus(status))

const report = (violations: number) => (violations === 0 ? Effect.void : setStatus(VIOLATED))

/** A dumb terminal cannot move its cursor, so it gets the transcript. */
const hasTerminal = () => process.stdin.isTTY && process.stdout.isTTY && process.env["TERM"] !== "dumb"

/** Node strips types, and compiles no elements of React. */
const loadApp = async () => {
  const { register } = await import("tsx/esm/api")
  register()
  return await import("./ui/App.tsx")
}

/** Resolves when the person quits. React, and what compiles its elements, are loaded only where there is a screen. */
const show = (session: BenchSession) =>
  Effect.flatMap(Effect.promise(loadApp), ({ run }) => Effect.promise((signal) => run(session, signal)))

const attach = ({ url, tokenFile, headless }: Extract<Mode, { readonly _tag: "Attach" }>) =>
  Effect.gen(function* () {
    const session = yield* openAttachedBench({ url, token: yield* readToken(tokenFile) })
    yield* headless || !hasTerminal() ? printDeployment(session) : show(session)
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      CannotJoin: ({ reason }) => stopWith(NOT_JOINED)(reason),
      NoToken: ({ message }) => stopWith(WRONG_FLAGS)(message)
    })
  )

const run = (mode: Mode) => {
  switch (mode._tag) {
    case "Headless":
      return Effect.flatMap(runHeadless(mode), report)
    case "Soak":
      return Effect.flatMap(soak(mode.size, mode.seed), report)
    case "Attach":
      return attach(mode)
    case "Watch":
      return hasTerminal()
        ? Effect.scoped(Effect.flatMap(openLiveBench(mode), show))
        : Console.error("There is no terminal here, so this is the plain transcript.").pipe(
            Effect.andThen(runHeadless(mode)),
            Effect.flatMap(report)
          )
  }
}

// npm changes to the project's folder; files are named from where it was called.
const { INIT_CWD } = process.env
if (INIT_CWD !== undefined) process.chdir(INIT_CWD)

const main = readFlags(process.argv.slice(2)).pipe(
  Effect.provide(NodeServices.layer),
  Effect.flatMap((mode) => (Option.isSome(mode) ? run(mode.value) : Effect.void)),
  Effect.catchTag("WrongFlags", ({ message }) =>
    stopWith(WRONG_FLAGS)(`${message}\nRun \`npm run bench -- --help\` for what there is.`)
  ),
  Effect.tapCause((cause) => Console.error(`The bench stopped: ${String(cause)}`)),
  Effect.onInterrupt(() => Console.error("Stopped."))
)

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure. A full disk is one.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") process.exit()
  process.stderr.write(`The transcript cannot be written: ${message}\n`)
  process.exit(UNWRITTEN)
})

NodeRuntime.runMain(main, { disableErrorReporting: true })
