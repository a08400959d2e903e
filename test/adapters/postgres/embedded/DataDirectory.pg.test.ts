// Data directories as earlier versions and other permissions left them.
import { readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { prepareDataDirectory } from "#adapters/postgres/embedded/DataDirectory.ts"
import { embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import { type Launcher, openLauncher } from "#adapters/postgres/embedded/Launcher.ts"
import { runSystemCommand } from "#adapters/postgres/embedded/SystemCommand.ts"
import { temporaryFolder } from "#test/programs/load/DatabaseServer.ts"
import { execute } from "../TestDatabase.ts"

const isRoot = userInfo().uid === 0

const superuser = { name: "backlinks", password: "secret" }

/** Runs the statement on the database of the folder. */
const once = (folder: string, statement: string) =>
  Effect.scoped(Effect.flatMap(embeddedServer(folder), (url) => execute(url, statement)))

describe("a data directory", () => {
  it.live.skipIf(!isRoot)("with a log that an earlier version wrote as root is taken over", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* once(folder, "CREATE TABLE kept AS SELECT 1 AS one")
      yield* Effect.promise(() => writeFile(join(folder, "postgres", "server.log"), "LOG: earlier\n"))
      expect(yield* once(folder, "SELECT one FROM kept")).toEqual([[{ one: 1 }]])
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!isRoot)("that belongs to an ordinary user is run as that user", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* once(folder, "CREATE TABLE kept AS SELECT 1 AS one")
      yield* Effect.promise(() => runSystemCommand("chown", "-R", "65534:65534", join(folder, "postgres")))
      expect(yield* once(folder, "SELECT one FROM kept")).toEqual([[{ one: 1 }]])
      expect((yield* Effect.promise(() => stat(join(folder, "postgres", "PG_VERSION")))).uid).toBe(65_534)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!isRoot)("whose log is a link to a file of root leaves that file as it is", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* once(folder, "SELECT")
      const secret = join(folder, "of-root")
      yield* Effect.promise(async () => {
        await writeFile(secret, "untouched", { mode: 0o600 })
        for (const name of ["server.log", "postgres.log"]) {
          await rm(join(folder, "postgres", name), { force: true })
          await symlink(secret, join(folder, "postgres", name))
        }
      })
      const { reason } = yield* Effect.flip(Effect.scoped(embeddedServer(folder)))
      expect(reason).toContain("could not open log file")
      expect(yield* Effect.promise(() => readFile(secret, "utf8"))).toBe("untouched")
    }).pipe(Effect.scoped)
  )

  it.live("that the system user can no longer reach is moved to the state directory, with a link in its place", () =>
    Effect.gen(function* () {
      const [folder, state] = [yield* temporaryFolder, yield* temporaryFolder]
      yield* once(folder, "CREATE TABLE kept AS SELECT 1 AS one")
      const pgdata = join(folder, "postgres")
      yield* Effect.promise(async () => {
        const direct = await openLauncher(pgdata)
        const access = { _tag: "Copied", programs: false, data: true, state, blockedBy: folder } as const
        const copied: Launcher = { ...direct, access }
        await prepareDataDirectory(copied, pgdata, superuser)
        expect((await readlink(pgdata)).startsWith(state)).toBe(true)
        await prepareDataDirectory(copied, pgdata, superuser)
      })
      expect(yield* once(folder, "SELECT one FROM kept")).toEqual([[{ one: 1 }]])
    }).pipe(Effect.scoped)
  )

  it.live("whose link points to nothing is refused, because a fresh database would hide the loss", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.promise(() => symlink(join(folder, "gone"), join(folder, "postgres")))
      const { reason } = yield* Effect.flip(Effect.scoped(embeddedServer(folder)))
      expect(reason).toContain(`${join(folder, "postgres")} points to ${join(folder, "gone")}, where no database is`)
    }).pipe(Effect.scoped)
  )
})
