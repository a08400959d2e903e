// The real process: its exit status, its two outputs, and its end when its reader goes.
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { openShop, TOKEN } from "#test/adapters/operator/Desk.ts"
import { Shop } from "#test/scenarios/Shop.ts"
import { file } from "./Operating.ts"
import { sitesCsv } from "./Wares.ts"

const MAIN = fileURLToPath(new URL("../../../../adapters/operatorMain.ts", import.meta.url))

/** Runs to its end; `lines` is how much of standard output is read before it is closed. */
const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>, readAll = true) =>
  Effect.callback<{ readonly code: number | null; readonly out: string; readonly err: string }>((resume) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    child.stdout.on("data", (text) => {
      out.push(String(text))
      if (!readAll) child.stdout.destroy()
    })
    child.stderr.on("data", (text) => err.push(String(text)))
    child.on("close", (code) => resume(Effect.succeed({ code, out: out.join(""), err: err.join("") })))
    return Effect.sync(() => child.kill())
  })

layer(openShop(), { excludeTestServices: true })("the process", (it) => {
  it.effect("does what it is told and exits with 0", () =>
    Effect.gen(function* () {
      const { url } = yield* Shop
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN }
      const { code, out, err } = yield* run(
        ["import", "sites", yield* file("sites.csv", sitesCsv(1, 60)), "--json"],
        env
      )
      expect({ code, out, err }).toStrictEqual({ code: 0, out: '{"imported":60,"kind":"sites"}\n', err: "" })
    })
  )

  it.effect("exits with 1 and a sentence where it cannot", () =>
    Effect.gen(function* () {
      const { url } = yield* Shop
      const { code, out, err } = yield* run(["queue"], { OPERATOR_URL: url })
      expect({ code, out }).toStrictEqual({ code: 1, out: "" })
      expect(err).toBe("OPERATOR_TOKEN is not set. Set it to the token that the service was started with.\n")
    })
  )

  it.effect("ends quietly when its reader has seen enough", () =>
    Effect.gen(function* () {
      const { url } = yield* Shop
      const env = { OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN, OPERATOR_NAME: "Grace" }
      const { code, err } = yield* run(["events", "--json"], env, false).pipe(
        Effect.raceFirst(Effect.forever(run(["switch", "auto"], env)))
      )
      expect({ code, err }).toStrictEqual({ code: 0, err: "" })
    })
  )
})
