// Starting and stopping the postmaster where its usual means mislead or are missing.

import { existsSync, writeFileSync } from "node:fs"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { describe, expect, it } from "vitest"
import { prepareDataDirectory } from "#adapters/postgres/embedded/DataDirectory.ts"
import { type Launcher, openLauncher } from "#adapters/postgres/embedded/Launcher.ts"
import {
  findPostmaster,
  freePort,
  sharedBuffersMb,
  startPostmaster,
  stopPostmaster
} from "#adapters/postgres/embedded/Postmaster.ts"
import { PASSWORD, USER } from "../Credentials.ts"

const withDataDirectory = async (use: (launcher: Launcher, pgdata: string) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), "backlinks-postgres-"))
  await chmod(folder, 0o755)
  const pgdata = join(folder, "postgres")
  const launcher = await openLauncher(pgdata)
  try {
    await prepareDataDirectory(launcher, pgdata, { name: USER, password: PASSWORD }, "--auth=password", "--no-sync")
    await use(launcher, pgdata)
  } finally {
    await stopPostmaster(launcher, pgdata, "immediate")
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a postmaster with this process id left behind when it was killed. */
const leftBehind = (pid: number | undefined, pgdata: string): string =>
  [pid, pgdata, 1_700_000_000, 1, "", "127.0.0.1", "", "ready   ", ""].join("\n")

describe("the postmaster", () => {
  it("is awaited although a killed one with the same process id left its file", () =>
    withDataDirectory(async (launcher, pgdata) => {
      const spawn: Launcher["spawn"] = (...command) => {
        const child = launcher.spawn(...command)
        // On a busy machine the new one may have written its file first, which then has to stay.
        const file = join(pgdata, "postmaster.pid")
        if (!existsSync(file)) writeFileSync(file, leftBehind(child.pid, pgdata))
        return child
      }
      const port = await freePort()
      expect(await startPostmaster({ ...launcher, spawn }, pgdata, port)).toMatchObject({ port, ready: true })
    }))

  it("stops although pg_ctl has been removed", () =>
    withDataDirectory(async (launcher, pgdata) => {
      await startPostmaster(launcher, pgdata, await freePort())
      const run: Launcher["run"] = () => Promise.reject(new Error("spawn pg_ctl ENOENT"))
      await stopPostmaster({ ...launcher, run }, pgdata)
      expect(await findPostmaster(pgdata)).toBeNull()
    }))

  it.each([
    [0.5, 128],
    [1, 128],
    [2, 256],
    [4, 512],
    [64, 512]
  ])("of %s GB of memory takes %s MB for its shared buffers", (gigabytes, megabytes) => {
    expect(sharedBuffersMb(gigabytes * 2 ** 30)).toBe(megabytes)
  })

  it("is started with them", () =>
    withDataDirectory(async (launcher, pgdata) => {
      const { port } = await startPostmaster(launcher, pgdata, await freePort())
      const client = new Client({ host: "127.0.0.1", port, user: USER, password: PASSWORD, database: "postgres" })
      await client.connect()
      try {
        const { rows } = await client.query("SHOW shared_buffers")
        expect(rows).toEqual([{ shared_buffers: `${sharedBuffersMb()}MB` }])
      } finally {
        await client.end()
      }
    }))
})
