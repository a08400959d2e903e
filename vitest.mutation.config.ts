// The tests that a mutation run repeats for every mutant: those of the rules alone, with a fixed seed, so that a score can be
// compared with the one before.
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/core/domain/**/*.test.ts", "test/adapters/client/WebhookSignature.test.ts"],
    env: { PROPERTY_RUNS: "200", PROPERTY_SEED: "1" },
    testTimeout: 60_000
  }
})
