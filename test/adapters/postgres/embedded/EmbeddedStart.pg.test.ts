// The start of an embedded database that cannot go on: it fails with a sentence, or ends when it is stopped.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Schedule } from "effect"
import { expect } from "vitest"
import { embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import { findPostmaster } from "#adapters/postgres/embedded/Postmaster.ts"
import { temporaryFolder } from "#test/programs/load/DatabaseServer.ts"
import { serviceProcess } from "./ServiceProcess.ts"

const soon = Schedule.spaced("20 millis")

const isThere = (path: string) => Effect.sync(() => existsSync(path))

/** A process that the directory names as its postmaster, and that accepts no connections yet. */
const startingPostmaster = (folder: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const pgdata = join(folder, "postgres")
      const child = spawn("sleep", ["300"], { argv0: "postgres" })
      await mkdir(pgdata)
      await writeFile(join(pgdata, "PG_VERSION"), "18\n")
      const lines = [child.pid, pgdata, 1_700_000_000, 1, "", "127.0.0.1", "", "starting", ""]
      await writeFile(join(pgdata, "postmaster.pid"), lines.join("\n"))
      return child
    }),
    (child) => Effect.sync(() => child.kill())
  )

describe("the start of an embedded database", () => {
  it.live("fails at once with a sentence where its directory cannot be made", () =>
    Effect.gen(function* () {
      // A directory in which the system says of every path that it does not exist.
      const folder = "/proc/nowhere/data"
      const limited = ["timeout", "--signal=KILL", "100", process.execPath]
      const { stderr, ended } = yield* Effect.promise(() => serviceProcess(folder, limited))
      expect(yield* Effect.promise(() => ended)).toEqual([1, null])
      const said = yield* Effect.promise(() => stderr)
      expect(said).toContain(
        `The service does not start. No database could be started in ${folder}: the directory cannot`
      )
      expect(said).toContain("Set DATA_DIR to a directory that the service may make, or write to.")
    })
  )

  for (const [when, there] of [
    ["waits for another one", true],
    ["starts the database", false]
  ] as const) {
    it.live(`ends when it is stopped while it ${when}, and leaves nothing running`, () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        if (there) yield* startingPostmaster(folder)
        const fiber = yield* Effect.forkChild(Effect.scoped(embeddedServer(folder)))
        const begun = join(folder, there ? "postgres.password" : "postgres/postmaster.pid")
        yield* Effect.repeat(isThere(begun), { until: (found) => found, schedule: soon })
        const stopped = yield* Effect.timeoutOption(Fiber.interrupt(fiber), "20 seconds")
        expect(Option.isSome(stopped)).toBe(true)
        if (!there) expect(yield* Effect.promise(() => findPostmaster(join(folder, "postgres")))).toBeNull()
      }).pipe(Effect.scoped)
    )
  }
})
