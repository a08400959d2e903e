// The operator's commands in adapters/cli/README.md, run by a shell against an empty service; only the address and the file's path differ.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { operatorService, TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { outputOf } from "#test/ProgramOutput.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { file } from "./RunCommand.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

const section = (title: string): string =>
  (readFileSync(`${root}adapters/cli/README.md`, "utf8").split(`\n## ${title}\n`)[1] ?? "").split("\n## ")[0] ?? ""

const blocks = [...section("From an account to a published link").matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, commands = ""]) => commands
)

const shell = (script: string, env: Readonly<Record<string, string | undefined>>) =>
  outputOf(() =>
    spawn("bash", ["-euo", "pipefail", "-c", script], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] })
  )

layer(operatorService(), { excludeTestServices: true })("the operator's section of the README", (it) => {
  it.effect("runs as pasted", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const script = blocks
        .join("\n")
        .replaceAll("http://127.0.0.1:3000", url)
        .replaceAll(" sites.csv", ` ${yield* file("sites.csv", "")}`)
      const { code, out, err } = yield* shell(script, { ...process.env, OPERATOR_URL: url, OPERATOR_TOKEN: TOKEN })
      expect(code, err).toBe(0)
      expect(out).toContain("Imported 1 site from ")
      expect(out).toMatch(/status +completed/)
      expect(out).toMatch(/lnk_\w+ +verified +Corail +moss-notes.example/)
      expect(out).toContain("All of it agrees.")
    })
  )
})
