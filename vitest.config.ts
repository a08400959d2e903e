import { defineConfig } from "vitest/config"
import { PlainSummary } from "./test/reporters/PlainSummary.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Threads that keep loaded modules from file to file halve the time of a run. Tests make their own layers and keep no state in modules.
    pool: "threads",
    isolate: false,
    maxWorkers: 2,
    reporters: ["default", new PlainSummary()]
  }
})
