// The encryption key in the data directory: created once, readable by its owner only, and never replaced when damaged.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Exit, Redacted } from "effect"
import { describe, expect } from "vitest"
import { encryptionKey } from "#adapters/config/EncryptionKey.ts"
import { settings } from "#adapters/config/Settings.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "key-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const keyIn = (DATA_DIR: string) =>
  Effect.flatMap(settings.parse(ConfigProvider.fromUnknown({ DATA_DIR, STORE: "embedded" })), encryptionKey)

describe("the key of an embedded store", () => {
  it.effect("is created once, readable by its owner only", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const first = Redacted.value(yield* keyIn(path))
      expect(Buffer.from(first, "base64")).toHaveLength(32)
      expect(Redacted.value(yield* keyIn(path))).toBe(first)
      expect(statSync(join(path, "encryption.key")).mode & 0o777).toBe(0o600)
    })
  )

  it.effect.each(["", "half of a ke"])(
    "with the content %j stops the start, is named in the error, and stays unchanged",
    (text) =>
      Effect.gen(function* () {
        const path = yield* folder
        const file = join(path, "encryption.key")
        writeFileSync(file, text)
        const exit = yield* Effect.exit(keyIn(path))
        expect(Exit.isFailure(exit) && String(Cause.squash(exit.cause))).toContain(`${file} does not hold 32 bytes`)
        expect(readFileSync(file, "utf8")).toBe(text)
      })
  )
})
