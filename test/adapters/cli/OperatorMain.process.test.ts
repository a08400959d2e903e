// The operator process: exit status, both outputs, and a closed pipe.
import { spawn } from "node:child_process"
import { dirname } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { it, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { expect } from "vitest"
import { operatorService, TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { compileCache } from "#test/CompileCache.ts"
import { outputOf } from "#test/ProgramOutput.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { sitesCsv } from "./ImportFiles.ts"
import { file } from "./RunCommand.ts"

const MAIN = fileURLToPath(new URL("../../../adapters/operatorMain.ts", import.meta.url))

/** Runs to its end; `onOutput` is called on each output and may close the pipe. */
const run = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  onOutput: (out: Readable) => void = () => {}
) =>
  outputOf(() => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...compileCache, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.on("data", () => onOutput(child.stdout))
    return child
  })

layer(operatorService(), { excludeTestServices: true })("the process", (it) => {
  it.effect("prints the result and exits with 0", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN }
      const { code, out, err } = yield* run(
        ["import", "sites", yield* file("sites.csv", sitesCsv(1, 60)), "--json"],
        env
      )
      expect({ code, out, err }).toStrictEqual({ code: 0, out: '{"imported":60,"kind":"sites"}\n', err: "" })
    })
  )

  it.effect("resolves files against the directory npm was called from", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN }
      const INIT_CWD = dirname(yield* file("sites.csv", sitesCsv(101, 1)))
      const { code, err } = yield* run(["import", "sites", "sites.csv"], { ...env, INIT_CWD })
      expect({ code, err }).toStrictEqual({ code: 0, err: "" })
    })
  )

  it.effect("exits with 1 and a sentence on failure", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const { code, out, err } = yield* run(["queue"], { OPERATOR_URL: url })
      expect({ code, out }).toStrictEqual({ code: 1, out: "" })
      expect(err).toBe("OPERATOR_TOKEN is not set. Set it to the token that the service was started with.\n")
    })
  )

  it.effect("exits without an error when its reader closes the pipe", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN, OPERATOR_NAME: "Grace" }
      const { code, err } = yield* run(["events", "--json"], env, (out) => out.destroy()).pipe(
        Effect.raceFirst(Effect.forever(run(["switch", "auto"], env)))
      )
      expect({ code, err }).toStrictEqual({ code: 0, err: "" })
    })
  )
})

it.live("`events` ends with a sentence when the service stops", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const { url } = Context.get(yield* Scope.provide(Layer.build(operatorService()), scope), RunningService)
    const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN }
    let hasOutput = false
    const emitEvent = Effect.andThen(
      run(["switch", "auto"], env),
      Effect.sync(() => hasOutput)
    )
    const stopped = Effect.andThen(Effect.repeat(emitEvent, { until: (done) => done }), Scope.close(scope, Exit.void))
    const followed = run(["events", "--json"], env, () => {
      hasOutput = true
    })
    const [{ code, err }] = yield* Effect.all([followed, stopped], { concurrency: 2 })
    expect(code).toBe(1)
    expect(err).toContain("The service was stopped. Run the command again when it is back.")
    expect(err).toMatch(/Nothing is lost: resume with --after \S+/)
  })
)
