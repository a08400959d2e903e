import { defineConfig } from "vitest/config"
import { PlainSummary } from "./test/reporters/PlainSummary.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    // Ends what hangs, and nothing that is only slow on a machine that has much else to do.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Threads that keep loaded modules from file to file halve the time of a run. Tests make their own layers and keep no state in modules.
    pool: "threads",
    isolate: false,
    maxWorkers: 2,
    reporters: ["default", new PlainSummary()]
  }
})
