// Backups and restores that are refused, each with a sentence, and change nothing.
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, type Redacted, Stream } from "effect"
import { expect } from "vitest"
import { encodeBackup, readBackup } from "#adapters/backup/BackupFile.ts"
import { BASELINE, STEPS } from "#adapters/postgres/database/MigrationSteps.ts"
import type { BackupPart, SchemaStep } from "#core/domain/operations/Backup.ts"
import { databaseOfStep048 } from "#test/adapters/postgres/upgrade/Step048.ts"
import { call } from "#test/scenarios/HttpCalls.ts"
import { execute, freshDatabase } from "../TestDatabase.ts"
import { backedUp, backedUpService, backUp, directory, FULFILMENT_TOKEN, restoreInto, rowsIn } from "./BackupSteps.ts"

class Source extends Context.Service<
  Source,
  {
    readonly url: Redacted.Redacted
    readonly folder: string
    readonly file: string
    /** The lines of the backup, without compression. */
    readonly lines: ReadonlyArray<string>
  }
>()("backlinks/test/Source") {}

const source = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* directory
    const url = yield* databaseOfStep048
    const file = join(folder, "shop.backup")
    const made = Layer.effect(
      Source,
      Effect.gen(function* () {
        yield* backedUp(file)
        const text = gunzipSync(yield* Effect.promise(() => readFile(file))).toString()
        return { url, folder, file, lines: text.split("\n") }
      })
    )
    return Layer.provideMerge(made, backedUpService(url))
  })
)

/** A file with these bytes, or with these lines. */
const fileWith = Effect.fnUntraced(function* (name: string, contents: Buffer | ReadonlyArray<string>) {
  const path = join((yield* Source).folder, name)
  const bytes = Buffer.isBuffer(contents) ? contents : gzipSync(contents.join("\n"))
  yield* Effect.promise(() => writeFile(path, bytes))
  return path
})

/** Restores into an empty database, and expects a refusal; the database stays as empty as it was. */
const refusedBy = Effect.fnUntraced(function* (file: string) {
  const empty = yield* freshDatabase
  const { status, out, err } = yield* restoreInto(empty, file)
  expect({ status, out }).toEqual({ status: 1, out: "" })
  const rows = (yield* rowsIn(empty)).filter(([name, lines]) => name !== "shop" && lines.join("") !== "")
  expect(rows).toEqual([])
  return err
})

type Steps = ReadonlyArray<SchemaStep>

/** The backup with other parts, in a file that is complete and has the right checksum. */
const resealed = Effect.fnUntraced(function* (name: string, change: (part: BackupPart) => BackupPart) {
  const { file } = yield* Source
  const bytes = yield* Stream.runCollect(encodeBackup(Stream.map(readBackup(file), change)))
  return yield* fileWith(name, Buffer.concat(bytes))
})

const firstOf = (lines: ReadonlyArray<string>, part: string): number => lines.findIndex((line) => line.includes(part))

layer(source, { excludeTestServices: true })("a restore refuses", (it) => {
  it.effect("a file that was cut off, whole or between two lines", () =>
    Effect.gen(function* () {
      const { file, lines } = yield* Source
      const bytes = yield* Effect.promise(() => readFile(file))
      const half = yield* fileWith("half", bytes.subarray(0, bytes.length / 2))
      expect(yield* refusedBy(half)).toBe(
        `Nothing was restored. ${half} cannot be used. It is incomplete: its end is missing.`
      )
      const lastByte = yield* fileWith("last-byte", bytes.subarray(0, -1))
      expect(yield* refusedBy(lastByte)).toContain("It is incomplete")
      const endless = yield* fileWith("endless", [...lines.slice(0, -2), ""])
      expect(yield* refusedBy(endless)).toContain("It is incomplete")
    })
  )

  it.effect("a file that was altered, also behind a valid compression", () =>
    Effect.gen(function* () {
      const { file, lines } = yield* Source
      const bytes = yield* Effect.promise(() => readFile(file))
      const flipped = Buffer.from(bytes)
      const at = bytes.length >> 1
      flipped[at] = (flipped[at] ?? 0) ^ 1
      expect(yield* refusedBy(yield* fileWith("flipped", flipped))).toMatch(/altered|incomplete/)
      const account = firstOf(lines, '"table":"accounts"')
      const richer = lines.with(account, (lines[account] ?? "").replace(/"balance_cents":\d+/, '"balance_cents":99999'))
      expect(yield* refusedBy(yield* fileWith("richer", richer))).toContain("It was altered: its checksum is another.")
      const fewer = lines.toSpliced(firstOf(lines, '"table":"ledger"'), 1)
      expect(yield* refusedBy(yield* fileWith("fewer", fewer))).toContain("It was altered")
      expect(yield* refusedBy(yield* fileWith("longer", [...lines, lines[1] ?? "", ""]))).toContain("It was altered")
    })
  )

  it.effect("what is no backup, and what is not there", () =>
    Effect.gen(function* () {
      const { lines, folder } = yield* Source
      const next = lines.with(0, (lines[0] ?? "").replace("backlinks-backup/1", "backlinks-backup/2"))
      expect(yield* refusedBy(yield* fileWith("format", next))).toContain("It is no backup of this service.")
      expect(yield* refusedBy(yield* fileWith("text", Buffer.from("id,domain")))).toContain(
        "is no backup of this service"
      )
      expect(yield* refusedBy(join(folder, "nowhere"))).toContain("It does not exist.")
    })
  )

  it.effect("a backup of another version", () =>
    Effect.gen(function* () {
      const last = { step: STEPS.at(-1) ?? BASELINE.step, sha256: "other" }
      const withSteps = (name: string, change: (steps: Steps) => Steps) =>
        resealed(name, (part) => (part._tag === "Schema" ? { ...part, steps: change(part.steps) } : part))
      expect(yield* refusedBy(yield* withSteps("older", (steps) => steps.slice(0, -1)))).toContain(
        `The backup was made by another version: it lacks the step ${last.step}. Restore it with the version that made it`
      )
      const newer = [{ step: "999_of_tomorrow", sha256: "hash" }]
      expect(yield* refusedBy(yield* withSteps("newer", (steps) => [...steps, ...newer]))).toContain(
        "it has the step 999_of_tomorrow, which this version does not know"
      )
      expect(yield* refusedBy(yield* withSteps("other", (steps) => [...steps.slice(0, -1), last]))).toContain(
        `its step ${last.step} has another text`
      )
    })
  )

  it.effect("rows that the database does not take, or takes as others", () =>
    Effect.gen(function* () {
      const changed = (name: string, change: (json: string) => string) =>
        resealed(name, (part) =>
          part._tag === "Rows" && part.table === "accounts" ? { ...part, json: change(part.json) } : part
        )
      const negative = changed("negative", (json) => json.replace(/"held_cents":\d+/, '"held_cents":-5'))
      expect(yield* refusedBy(yield* negative)).toContain("The database refused the rows of the backup: ")
      const renamed = changed("renamed", (json) => json.replace(/"name":"/, '"name":"x'))
      expect(yield* refusedBy(yield* renamed)).toContain("The rows in the database are not those of the backup.")
    })
  )

  it.effect("a database that has rows, and leaves it at the version that it had", () =>
    Effect.gen(function* () {
      const { file } = yield* Source
      const url = yield* databaseOfStep048
      const before = yield* rowsIn(url)
      expect((yield* restoreInto(url, file)).err).toBe(
        "Nothing was restored. The database is not empty: the table accounts has rows."
      )
      expect(yield* rowsIn(url)).toEqual(before)
    })
  )

  it.effect("a database that a service uses", () =>
    Effect.gen(function* () {
      const { file, url } = yield* Source
      expect((yield* restoreInto(url, file)).err).toBe(
        "Nothing was restored. A service uses this database. Stop every instance first."
      )
    })
  )
})

layer(source, { excludeTestServices: true })("a backup is refused", (it) => {
  it.effect("to every role but admin, and leaves no file", () =>
    Effect.gen(function* () {
      const { folder } = yield* Source
      const { status, err } = yield* backUp(join(folder, "ben.backup"), FULFILMENT_TOKEN)
      expect({ status, err }).toMatchObject({
        status: 1,
        err: expect.stringContaining("backup requires the role admin")
      })
      const without = yield* call("POST", "/operator/backup")
      expect(without.status).toBe(401)
      expect(yield* Effect.promise(() => readdir(folder))).toEqual(["shop.backup"])
    })
  )

  it.effect("over a file that exists", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* Source
      const before = yield* Effect.promise(() => readFile(file))
      const { status, err } = yield* backUp(file)
      expect({ status, err }).toEqual({ status: 1, err: `${file} exists, and a backup overwrites no file.` })
      expect(yield* Effect.promise(() => readFile(file))).toEqual(before)
      expect(yield* Effect.promise(() => readdir(folder))).toEqual(["shop.backup"])
    })
  )

  it.effect("where nothing can be written", () =>
    Effect.gen(function* () {
      const { folder } = yield* Source
      const { status, err } = yield* backUp(join(folder, "nowhere", "shop.backup"))
      expect({ status, err }).toMatchObject({ status: 1, err: expect.stringContaining("could not be written") })
    })
  )

  it.effect("when its connection to the database is lost half way, and leaves no file", () =>
    Effect.gen(function* () {
      const { url, folder } = yield* Source
      // Large enough that the session is found while it is read.
      yield* execute(
        url,
        "CREATE TABLE zz_last (word text)",
        "INSERT INTO zz_last SELECT repeat(md5(n::text), 1000) FROM generate_series(1, 2000) n"
      )
      const ended = execute(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'FETCH%'"
      )
      const outcome = yield* Effect.forkChild(backUp(join(folder, "lost.backup")), { startImmediately: true })
      yield* Effect.repeat(ended, { until: ([rows]) => (rows?.length ?? 0) > 0 })
      expect(yield* Fiber.join(outcome)).toMatchObject({
        status: 1,
        err: expect.stringContaining("The service ended the connection before the end of the backup.")
      })
      expect(yield* Effect.promise(() => readdir(folder))).toEqual(["shop.backup"])
      yield* execute(url, "DROP TABLE zz_last")
    })
  )
})
