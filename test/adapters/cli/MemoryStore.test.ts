// Commands about what a store keeps, against a service whose store keeps nothing.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { refusal, succeed } from "./RunCommand.ts"

layer(operatorService(), { excludeTestServices: true })("with STORE=memory", (it) => {
  it.effect("no backup is taken", () =>
    Effect.gen(function* () {
      expect(yield* refusal("backup", "/tmp/never.backup")).toContain("nothing was backed up. (backup_unsupported)")
    })
  )

  it.effect("no signing key needs another encryption key", () =>
    Effect.gen(function* () {
      expect(yield* succeed("encryption")).toBe(
        "0 signing keys sealed under ENCRYPTION_KEY, 0 under ENCRYPTION_KEY_PREVIOUS or in an earlier format, 0 under neither."
      )
    })
  )
})
