// A test file says in its name what it needs beside memory and loopback: `*.pg.test.ts` PostgreSQL, `*.process.test.ts`
// programs that it starts, or a terminal. `npm test` runs the short part (`--mode short`): the files that need neither, and one short pass over
// PostgreSQL. `npm run test:rest` runs the others but the switch-overs of a database, which `npm run test:switch-overs` runs; `npm run test:full`
// runs all but that short pass, whose suites are among the others too. A file that is named on the command line runs in any mode.
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { LongFilesFirst } from "#test/runner/LongFilesFirst.ts"
import { RunSummary } from "#test/runner/RunSummary.ts"

const ALL = ["test/**/*.test.{ts,tsx}"]
const LONG = ["test/**/*.{pg,process}.test.ts"]
const SHORT_PASS = "test/adapters/postgres/ShortPass.pg.test.ts"
/** Two servers each, of which one takes over from the other. */
const SWITCH_OVERS = ["FailOver", "SwitchOver", "UnfencedPrimary"].map(
  (name) => `test/adapters/postgres/${name}.pg.test.ts`
)

const { CI } = process.env

const PARTS: Readonly<Record<string, { include: Array<string>; exclude: Array<string> }>> = {
  // CI runs the rest, too, and so needs no short pass over PostgreSQL.
  short: {
    include: ALL,
    exclude: [CI === "true" ? "test/**/*.pg.test.ts" : "test/**/!(ShortPass).pg.test.ts", "test/**/*.process.test.ts"]
  },
  rest: { include: LONG, exclude: [SHORT_PASS, ...SWITCH_OVERS] },
  "switch-overs": { include: SWITCH_OVERS, exclude: [] }
}
const FULL = { include: ALL, exclude: [SHORT_PASS] }

const namesFiles = process.argv.slice(2).some((argument) => argument.startsWith("test/"))

export default defineConfig(({ mode }) => ({
  test: {
    ...(namesFiles ? { include: ALL } : (PARTS[mode] ?? FULL)),
    // Ends a test that hangs, but not one that is slow because the machine is busy.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Threads that keep loaded modules from file to file halve the time of a run. Tests build their own layers and keep no state in modules.
    pool: "threads",
    isolate: false,
    // One more than CI has cores, because many tests wait for a database, a program or a timeout.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    env: {
      // Programs that tests start load their compiled modules from here, which saves a third of the start.
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/node", import.meta.url)),
      // A property tries fewer cases in the short part; in CI it tries at least 1,000 in every part.
      PROPERTY_RUNS: process.env["PROPERTY_RUNS"] ?? (mode === "short" ? "200" : "")
    },
    reporters: ["default", new RunSummary()]
  }
}))
