// The installed programs run for every user, even if npm ran no install scripts or root installed them with a strict umask.
import { execFile } from "node:child_process"
import { cp, readdir, readlink, rm } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { findBinaries, linkLibraries, shareBinaries } from "#adapters/postgres/embedded/Binaries.ts"
import { temporaryFolder } from "#test/programs/load/DatabaseServer.ts"

const run = promisify(execFile)

/** A copy of the installed programs, in a folder of the name that the list of links expects. */
const copyOfPrograms = Effect.flatMap(temporaryFolder, (folder) =>
  Effect.promise(async () => {
    const copy = join(folder, "native")
    await cp(findBinaries(), copy, { recursive: true, verbatimSymlinks: true })
    return copy
  })
)

const linksIn = async (programs: string): Promise<Record<string, string>> => {
  const entries = await readdir(join(programs, "lib"), { withFileTypes: true })
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
  return Object.fromEntries(
    await Promise.all(links.map(async (name) => [name, await readlink(join(programs, "lib", name))] as const))
  )
}

describe("the installed programs", () => {
  it.live(
    "get the library links that npm makes, where it ran no install scripts, and lose none at the next start",
    () =>
      Effect.gen(function* () {
        const programs = yield* copyOfPrograms
        yield* Effect.promise(async () => {
          await linkLibraries(findBinaries())
          const installed = await linksIn(findBinaries())
          for (const name of Object.keys(installed)) await rm(join(programs, "lib", name), { force: true })
          expect(await linksIn(programs)).toEqual({})
          for (const _start of [1, 2]) {
            await linkLibraries(programs)
            expect(await linksIn(programs)).toEqual(installed)
          }
          expect((await run(join(programs, "bin", "postgres"), ["--version"])).stdout).toContain("PostgreSQL")
        })
      }).pipe(Effect.scoped)
  )

  it.live.skipIf(userInfo().uid !== 0)("can be run by every user, though root installed them with a strict umask", () =>
    Effect.gen(function* () {
      const programs = yield* copyOfPrograms
      yield* Effect.promise(async () => {
        await run("chmod", ["-R", "go=", programs])
        const version = () => run(join(programs, "bin", "postgres"), ["--version"], { uid: 65_534, gid: 65_534 })
        await expect(version()).rejects.toThrow("EACCES")
        await shareBinaries(programs)
        expect((await version()).stdout).toContain("PostgreSQL")
      })
    }).pipe(Effect.scoped)
  )
})
