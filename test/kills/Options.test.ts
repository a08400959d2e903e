// What the kills say to whoever asks what there is, or asks for what there is not: a sentence, before anything is started.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Result } from "effect"
import { expect, it } from "vitest"
import { optionsFrom, PARTS, USAGE } from "./Options.ts"

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url))

const run = (...args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8", timeout: 30_000 })
  return { status, stdout, stderr }
}

it("tells what there is where it is asked to", () => {
  expect(run("--help")).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Usage: npm run kills -- \[siege\] .*--kills 200.*\n$/),
    stderr: ""
  })
})

it("ends with status 1 for a mistake, which it tells in a line", () => {
  const { status, stdout, stderr } = run("--kill", "4")
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" })
  expect(stderr).toMatch(/^Unknown option '--kill'.*\nUsage: npm run kills -- .*\n$/)
})

it.each([
  [["sieges"], "sieges is none of siege, twins, interruptions, deliveries"],
  [["--kills", "four"], "--kills four is no number from 1"],
  [["siege", "--seed=-1"], "--seed -1 is no number from 0"]
])("knows %j for a mistake", (args, sentence) => {
  expect(optionsFrom(args, 7)).toEqual(Result.fail(`${sentence}\n${USAGE}`))
})

it("plays the parts that are named, in the order in which they build on each other, and all of them else", () => {
  const parts = (...args: ReadonlyArray<string>) =>
    Result.map(optionsFrom(args, 7), (read) => read !== "help" && read.parts)
  expect(parts()).toEqual(Result.succeed(PARTS))
  expect(parts("deliveries", "siege", "--kills", "4")).toEqual(Result.succeed(["siege", "deliveries"]))
})
