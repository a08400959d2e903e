// The command line of `npm run kills`: help, mistakes, and the choice of parts.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Result } from "effect"
import { expect, it } from "vitest"
import { HANG_TIMEOUT_MS } from "#test/HangTimeout.ts"
import { optionsFrom, PARTS, USAGE } from "./Options.ts"

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url))

const run = (...args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: "utf8",
    timeout: HANG_TIMEOUT_MS
  })
  return { status, stdout, stderr }
}

it("prints the usage for --help", () => {
  expect(run("--help")).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Usage: npm run kills -- \[kills\] .*--kills 200.*\n$/),
    stderr: ""
  })
})

it("exits with status 1 and one line for a mistake", () => {
  const { status, stdout, stderr } = run("--kill", "4")
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" })
  expect(stderr).toMatch(/^Unknown option '--kill'.*\nUsage: npm run kills -- .*\n$/)
})

it.each([
  [["kill"], "kill is none of kills, duplicates, interruptions, deliveries, invoices, people"],
  [["--kills", "four"], "--kills four is no number from 1"],
  [["kills", "--seed=-1"], "--seed -1 is no number from 0"]
])("refuses %j", (args, sentence) => {
  expect(optionsFrom(args, 7)).toEqual(Result.fail(`${sentence}\n${USAGE}`))
})

it("runs the named parts in their fixed order, or all", () => {
  const parts = (...args: ReadonlyArray<string>) =>
    Result.map(optionsFrom(args, 7), (read) => read !== "help" && read.parts)
  expect(parts()).toEqual(Result.succeed(PARTS))
  expect(parts("deliveries", "kills", "--kills", "4")).toEqual(Result.succeed(["kills", "deliveries"]))
})
