// The program without a terminal: transcripts, exit statuses and messages.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { scenarios } from "#bench/scenarios/Scenarios.ts"

/** Programs start slowly on a busy machine. */
const LIMIT_MS = 600_000

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url))

const run = async (command: string, args: ReadonlyArray<string>, cwd: string) => {
  const env = { ...process.env, OPERATOR_TOKEN: "a-token-that-is-not-asked-for" }
  const program = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
  const status = new Promise<number | null>((resolve) => void program.once("close", resolve))
  const [transcript, complaints] = await Promise.all([text(program.stdout), text(program.stderr)])
  return { transcript, complaints, status: await status }
}

/** What `npm run bench` runs, without the start of npm. */
const runScenario = (...flags: ReadonlyArray<string>) => run(process.execPath, ["bench/main.ts", ...flags], PROJECT)

/** Runs the bench by npm, from another folder. */
const runFrom = (cwd: string, ...flags: ReadonlyArray<string>) =>
  run("npm", ["--prefix", PROJECT, "run", "--silent", "bench", "--", ...flags], cwd)

/** A new key finds, changes and cancels; the webhook gets what it missed, each event once and in the order in which they happened. */
const seesTheSecondWeek = (transcript: string) => {
  const [, story = ""] = transcript.split("── second-week")
  const [told = ""] = story.split("──")
  expect(told).toMatch(/rae-s-chat +→ 0 orders; 2 of other keys$/m)
  expect(told).toMatch(/rae-s-chat +✗ not_changeable: /)
  expect(told).toMatch(/rae-s-chat +→ 1 link cancelled; 1 kept: Work on it has begun/)
  const received = [...told.matchAll(/ receiver +(order\.\w+) (evt_…\w+).* answers 200$/gm)]
  const events = ["order.accepted", "order.accepted", "order.published", "order.published"]
  expect(received.map(([, event]) => event)).toEqual(events)
  expect(new Set(received.map(([, , id]) => id)).size).toBe(events.length)
}

it(
  "plays every scenario the same way twice, and finds nothing broken",
  async () => {
    const play = () => runScenario("--headless", "--scenario", "all", "--seed", "1")
    const [first, again] = await Promise.all([play(), play()])
    expect(first.complaints).toBe("")
    for (const { title } of scenarios) expect(first.transcript).toContain(title)
    expect(first.transcript).toMatch(/everything came out as it should\.\s*$/)
    expect(first.status).toBe(0)
    expect(again.transcript).toBe(first.transcript)
    seesTheSecondWeek(first.transcript)
  },
  LIMIT_MS
)

it("names a wrong flag, with status 2", async () => {
  const { transcript, complaints, status } = await runScenario("--scenario", "nonsense")
  expect(transcript).toBe("")
  expect(complaints).toContain('Invalid value for flag --scenario: "nonsense". Expected: "all"')
  expect(status).toBe(2)
})

it.skipIf(!existsSync("/dev/full"))("ends with status 4 where the output cannot be written", async () => {
  const line = "npm run --silent bench -- --help > /dev/full"
  const program = spawn("sh", ["-c", line], { stdio: ["ignore", "ignore", "pipe"] })
  const status = new Promise<number | null>((resolve) => void program.once("close", resolve))
  expect(await text(program.stderr)).toContain("The transcript cannot be written: ENOSPC")
  expect(await status).toBe(4)
})

it(
  "checks every invariant at the end of a soak",
  async () => {
    const { transcript, status } = await runScenario("--headless", "--actors", "4", "--orders", "12")
    expect(transcript).toMatch(/12 orders of 4 agents with seed 1: every invariant held/)
    expect(status).toBe(0)
  },
  LIMIT_MS
)

it(
  "soaks with one agent and one order",
  async () => {
    const { transcript } = await runScenario("--headless", "--actors", "1", "--orders", "1")
    expect(transcript).toMatch(/^1 order, .* 0 findings$/m)
    expect(transcript).toContain("1 order of 1 agent with seed 1: every invariant held")
  },
  LIMIT_MS
)

it(
  "says why a deployment cannot be joined, with status 3",
  async () => {
    const { transcript, complaints, status } = await runScenario("--attach", "http://127.0.0.1:1")
    expect(transcript).toBe("")
    expect(complaints).toContain("Cannot join http://127.0.0.1:1.")
    expect(complaints).not.toContain("a-token-that")
    expect(status).toBe(3)
  },
  LIMIT_MS
)

it(
  "finds files from where npm was called",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "bench-"))
    try {
      await writeFile(join(folder, "operator.token"), "a-token-that-is-in-a-file\n")
      const attach = ["--attach", "http://127.0.0.1:1", "--token-file"]
      const { complaints, status } = await runFrom(folder, ...attach, "operator.token")
      expect(complaints).toContain("Cannot join http://127.0.0.1:1.")
      expect(status).toBe(3)
      expect((await runFrom(folder, ...attach, "other.token")).complaints).toContain("other.token cannot be read.")
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  LIMIT_MS
)
