// Copies of the project on which recipes are followed, and what the compiler and the tests say of them.
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { apply, type Edit } from "./Edit.ts"

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url))

const COPIED = ["core", "adapters", "test", "package.json", "tsconfig.json", "vitest.config.ts"]

/** The service, and of the tests those that recipes edit: the compiler takes half the time. */
const COMPILED = {
  extends: "./tsconfig.json",
  compilerOptions: { incremental: false },
  include: ["core", "adapters", "test/adapters/contract", "test/core/ports/catalogue"]
}

/** A copy with these edits, until its scope closes. */
export const editedTree = (edits: ReadonlyArray<Edit>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const root = mkdtempSync(join(tmpdir(), "recipes-"))
      for (const name of COPIED) cpSync(join(PROJECT, name), join(root, name), { recursive: true })
      symlinkSync(join(PROJECT, "node_modules"), join(root, "node_modules"))
      writeFileSync(join(root, "tsconfig.recipes.json"), JSON.stringify(COMPILED))
      for (const edit of edits) apply(root, edit)
      return root
    }),
    (root) => Effect.sync(() => rmSync(root, { recursive: true }))
  )

// This test's own runner, colours and properties are not the copy's.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|PROPERTY_|FORCE_COLOR)/.test(name))
)

interface Outcome {
  readonly succeeded: boolean
  readonly output: string
}

const run = (root: string, ...args: ReadonlyArray<string>): Effect.Effect<Outcome> =>
  Effect.callback((resume) => {
    const options = { cwd: root, env: { ...env, NO_COLOR: "1" }, maxBuffer: 2 ** 26 }
    execFile(process.execPath, args, options, (error, out, err) =>
      resume(Effect.succeed({ succeeded: error === null, output: `${out}${err}` }))
    )
  })

/** One checker: several would each check the library's types again. */
export const compile = (root: string): Effect.Effect<Outcome> =>
  run(root, "node_modules/typescript/bin/tsc", "-p", "tsconfig.recipes.json", "--checkers", "1")

/** Runs those tests of the files that have one of these names. */
export const runTests = (root: string, files: Iterable<string>, names: Iterable<string>): Effect.Effect<Outcome> =>
  run(root, "node_modules/vitest/vitest.mjs", "run", ...new Set(files), "--testNamePattern", [...names].join("|"))
