// The data directory of an embedded database, and its superuser's password. An interrupted start leaves no partial database.
import { createHash, randomBytes } from "node:crypto"
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile
} from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { Launcher } from "./Launcher.ts"
import { isThere } from "./SystemCommand.ts"

export interface Superuser {
  readonly name: string
  readonly password: string
}

const unlessThere = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "EEXIST") throw error
}

/**
 * Makes a directory and those above it. `mkdir` does this by itself, but tries for ever in a directory that is there and has no room for any,
 * such as `/proc`, and a process that waits for it ignores every signal.
 */
export const makeDirectory = async (path: string): Promise<void> => {
  const parent = dirname(path)
  const make = () => mkdir(path).catch(unlessThere)
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" || (await isThere(parent))) throw error
    await makeDirectory(parent)
    await make()
  })
}

/** The superuser's password, in a file beside the data that only the service's user can read. */
export const passwordIn = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, "postgres.password")
  // Only the first start writes; later starts, and a concurrent one, read the existing file.
  const fresh = randomBytes(24).toString("base64url")
  await writeFile(file, fresh, { mode: 0o600, flag: "wx", flush: true }).catch(unlessThere)
  return (await readFile(file, "utf8")).trim()
}

const DRAFT = ".draft-"

const isMade = (pgdata: string): Promise<boolean> => isThere(join(pgdata, "PG_VERSION"))

/** Removes the drafts of killed starts. A concurrent start that loses its draft here uses the database that is in place by then. */
const removeDrafts = async (pgdata: string): Promise<void> => {
  const [parent, prefix] = [dirname(pgdata), `${basename(pgdata)}${DRAFT}`]
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

/**
 * Initialises a draft beside `pgdata` and renames it when it is complete, so that a crash leaves no partial database. The draft's
 * folder has a random name, because process ids repeat in containers. It belongs to root: the system user writes only below `data`.
 */
const initialise = async (
  { run, user }: Launcher,
  pgdata: string,
  superuser: Superuser,
  flags: ReadonlyArray<string>
) => {
  if (await isMade(pgdata)) return
  const draft = await mkdtemp(`${pgdata}${DRAFT}`)
  const [data, passwordFile] = [join(draft, "data"), join(draft, "password")]
  try {
    await mkdir(data, { mode: 0o700 })
    await writeFile(passwordFile, superuser.password, { mode: 0o600 })
    if (user !== null) {
      await chmod(draft, 0o755)
      for (const path of [data, passwordFile]) await lchown(path, user.uid, user.gid)
    }
    const credentials = [`--username=${superuser.name}`, "--pwfile=password", "--auth=scram-sha-256"]
    const language = ["--encoding=UTF8", "--locale=C"]
    await run("initdb", draft, "--pgdata=data", ...credentials, ...language, "--no-instructions", ...flags)
    await rename(data, pgdata)
  } catch (error) {
    // A concurrent start may have been faster: then its database is used.
    if (!(await isMade(pgdata))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await removeDrafts(pgdata)
}

const refuseDanglingLink = async (pgdata: string): Promise<void> => {
  const found = await lstat(pgdata).catch(() => null)
  if (found === null || !found.isSymbolicLink() || (await isMade(pgdata))) return
  const target = await readlink(pgdata)
  throw new Error(
    `${pgdata} points to ${target}, where no database is. Restore it, or remove the link to begin with an empty one.`
  )
}

/** Returns the path in `state` for a database that the system user cannot reach at its own path. Moves an existing database there. */
const moveTo = async (state: string, pgdata: string): Promise<string> => {
  const place = join(state, `data-${createHash("sha256").update(pgdata).digest("hex").slice(0, 16)}`, "postgres")
  await makeDirectory(dirname(place))
  await chmod(dirname(place), 0o755)
  if (await isMade(pgdata)) {
    // A rename is atomic, and fails across file systems: existing data on a volume stays there.
    await rename(await realpath(pgdata), place).catch((cause: Error) => {
      const wayOut = "Move DATA_DIR to a directory that every user can enter."
      throw new Error(`The data cannot be moved to where the system user reaches it (${cause.message}). ${wayOut}`, {
        cause
      })
    })
    await rm(pgdata, { force: true })
  }
  return place
}

/** Initialises the database if there is none. Must not be called while a postmaster runs there. */
export const prepareDataDirectory = async (
  launcher: Launcher,
  pgdata: string,
  superuser: Superuser,
  ...flags: ReadonlyArray<string>
): Promise<void> => {
  await refuseDanglingLink(pgdata)
  const { access } = launcher
  if (access._tag !== "Copied" || !access.data) return initialise(launcher, pgdata, superuser, flags)
  const place = await moveTo(access.state, pgdata)
  await initialise(launcher, place, superuser, flags)
  await symlink(place, pgdata).catch(unlessThere)
}
