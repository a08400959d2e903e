// The file of a backup: what was written is read, and nothing less.
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { expect } from "vitest"
import { checkBackup, encodeBackup, readBackup } from "#adapters/backup/BackupFile.ts"
import type { BackupPart } from "#core/domain/operations/Backup.ts"

const rows = (table: string, values: ReadonlyArray<unknown>): BackupPart => ({
  _tag: "Rows",
  table,
  count: values.length,
  digest: 2n ** 60n + BigInt(values.length),
  json: JSON.stringify(values)
})

/** Digests beyond the integers of JavaScript, an empty table, separators that regular expressions treat as line ends, long rows. */
const PARTS: ReadonlyArray<BackupPart> = [
  { _tag: "Schema", steps: [{ step: "001_first", sha256: "ab" }] },
  rows("accounts", [{ name: 'a "b" \u2028 \u2029 \n 😀' }, { name: "]}" }]),
  rows("accounts", [{ name: "x".repeat(300_000) }]),
  rows("nothing", [])
]

const withFile = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "backlinks-file-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true }))
  )
  const file = join(folder, "a.backup")
  yield* Effect.promise(() => writeFile(file, bytes))
  return file
})

const encoded = Effect.map(Stream.runCollect(encodeBackup(Stream.fromIterable(PARTS))), (chunks) =>
  Buffer.concat(chunks)
)

describe("the file of a backup", () => {
  it.effect("is read part by part as it was written", () =>
    Effect.gen(function* () {
      const file = yield* withFile(yield* encoded)
      expect(yield* Stream.runCollect(readBackup(file))).toEqual(PARTS)
      const { steps, totals } = yield* checkBackup(file)
      expect(steps).toEqual([{ step: "001_first", sha256: "ab" }])
      expect([...totals]).toEqual([
        ["accounts", { rows: 3, digest: 2n ** 61n + 3n }],
        ["nothing", { rows: 0, digest: 2n ** 60n }]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("is refused without any of its lines, and with any of them twice", () =>
    Effect.gen(function* () {
      const lines = gunzipSync(yield* encoded)
        .toString()
        .split("\n")
        .slice(0, -1)
      expect(lines.length).toBe(PARTS.length + 1)
      for (const at of lines.keys()) {
        for (const changed of [lines.toSpliced(at, 1), lines.toSpliced(at, 0, lines[at] ?? "")]) {
          const file = yield* withFile(gzipSync(`${changed.join("\n")}\n`))
          expect(yield* Effect.flip(checkBackup(file))).toMatchObject({ _tag: "BackupUnreadable" })
        }
      }
    }).pipe(Effect.scoped)
  )
})
