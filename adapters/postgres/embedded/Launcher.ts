// Runs PostgreSQL's programs. For root, they run as a system user without capabilities, which reaches its files as `FileAccess` decides.
import { realpath, stat } from "node:fs/promises"
import { userInfo } from "node:os"
import { dirname, join } from "node:path"
import { copyBinaries, findBinaries, linkLibraries, shareBinaries } from "./Binaries.ts"
import { decideFileAccess, type Facts, type FileAccess } from "./FileAccess.ts"
import { type Command, run, runSystemCommand, spawnDetached } from "./SystemCommand.ts"

/** Holds copies of what the system user cannot reach. */
const STATE_DIRECTORY = "/var/lib/backlinks-ordering-service"

/** Where the programs and the data appear to a database in its mount namespace. Empty to every other process. */
const MOUNT_POINTS = {
  programs: "/run/backlinks-ordering-service/programs",
  data: "/run/backlinks-ordering-service/data"
}

const MOUNT_AND_RUN = `mount --bind -o ro "$0" ${MOUNT_POINTS.programs} && mount --bind "$1" ${MOUNT_POINTS.data} && cd ${MOUNT_POINTS.data} && shift && exec "$@"`

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

export interface Launcher {
  /** The owner of the database's files and processes; null where it is the service's own user. */
  readonly user: SystemUser | null
  readonly access: Exclude<FileAccess, { readonly _tag: "Refused" }>
  /** Runs a program with `directory` as its working directory, to which paths among the arguments are relative. */
  readonly run: (program: "initdb" | "pg_ctl", directory: string, ...args: ReadonlyArray<string>) => Promise<string>
  /** Starts a process in a new session. */
  readonly spawn: (
    program: "postgres",
    directory: string,
    ...args: ReadonlyArray<string>
  ) => ReturnType<typeof spawnDetached>
}

/** The owner of existing data, otherwise the system user `postgres`, which is created if it is missing. */
const systemUser = async (pgdata: string): Promise<SystemUser> => {
  const owner = await stat(pgdata).catch(() => null)
  if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const id = (flag: string) => runSystemCommand("id", flag, "postgres")
  await id("-u").catch(() => runSystemCommand("useradd", "--system", "--user-group", "postgres"))
  return { uid: Number(await id("-u")), gid: Number(await id("-g")) }
}

/** Prefix of a command line: runs the rest as the user, without capabilities and without a way to regain any. */
const asUser = ({ uid, gid }: SystemUser): ReadonlyArray<string> => [
  ...["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"],
  ...["--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"]
]

const withMounts = (programs: string, data: string): ReadonlyArray<string> => [
  // A slave namespace follows when the system unmounts something, and keeps no file system busy.
  ...["unshare", "--mount", "--propagation", "slave", "sh", "-c", MOUNT_AND_RUN],
  ...[programs, data]
]

const ancestorsOf = (path: string): ReadonlyArray<string> =>
  path === dirname(path) ? [path] : [...ancestorsOf(dirname(path)), path]

/** The first directory from the root down to `path` that the user cannot enter. */
const firstBlocked = async (user: SystemUser, path: string): Promise<string | null> => {
  const probe = 'for directory do [ -x "$directory" ] || { printf %s "$directory"; exit; }; done'
  return (await runSystemCommand(...asUser(user), "sh", "-c", probe, "sh", ...ancestorsOf(path))) || null
}

const faultOf = (action: Promise<unknown>): Promise<string | null> =>
  action.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error))
  )

/** Creates directories that the user can enter, regardless of the umask. */
const makeEnterable = async (user: SystemUser, ...paths: ReadonlyArray<string>): Promise<void> => {
  await runSystemCommand("sh", "-c", 'umask 022 && mkdir -p "$@"', "sh", ...paths)
  for (const path of paths) {
    const blockedBy = await firstBlocked(user, path)
    if (blockedBy !== null) throw new Error(`user ${user.uid} cannot enter ${blockedBy}`)
  }
}

const tryMounts = async (user: SystemUser, binaries: string, dataDir: string): Promise<void> => {
  await makeEnterable(user, MOUNT_POINTS.programs, MOUNT_POINTS.data)
  const probe = ["test", "-x", join(MOUNT_POINTS.programs, "bin", "postgres")]
  await runSystemCommand(...withMounts(binaries, dataDir), ...asUser(user), ...probe)
}

/** Mounts and copies are tried only where they are needed. */
const gatherFacts = async (user: SystemUser, binaries: string, pgdata: string): Promise<Facts> => {
  const dataDir = await realpath(pgdata).then(dirname, () => realpath(dirname(pgdata)))
  const userFault = await faultOf(runSystemCommand(...asUser(user), "true"))
  const blockedBy = async (path: string) => (userFault === null ? await firstBlocked(user, path) : null)
  const [programsBlockedBy, dataBlockedBy] = [await blockedBy(join(binaries, "bin")), await blockedBy(dataDir)]
  const isBlocked = programsBlockedBy !== null || dataBlockedBy !== null
  const mountFault = isBlocked ? await faultOf(tryMounts(user, binaries, dataDir)) : null
  const stateFault = mountFault === null ? null : await faultOf(makeEnterable(user, STATE_DIRECTORY))
  return { uid: user.uid, userFault, programsBlockedBy, dataBlockedBy, mountFault, state: STATE_DIRECTORY, stateFault }
}

type CommandFor = (program: string, directory: string, ...args: ReadonlyArray<string>) => Command

const launcher = (user: SystemUser | null, access: Launcher["access"], commandFor: CommandFor): Launcher => ({
  user,
  access,
  run: (...command) => run(commandFor(...command)),
  spawn: (...command) => spawnDetached(commandFor(...command))
})

/** For an existing or a new database in `pgdata`. Fails with a sentence for the operator. */
export const openLauncher = async (pgdata: string): Promise<Launcher> => {
  const binaries = findBinaries()
  await linkLibraries(binaries)
  if (userInfo().uid !== 0) {
    const here: CommandFor = (program, cwd, ...args) => ({ cwd, line: [join(binaries, "bin", program), ...args] })
    return launcher(null, { _tag: "Direct" }, here)
  }
  await shareBinaries(binaries)
  const user = await systemUser(pgdata)
  const access = decideFileAccess(await gatherFacts(user, binaries, pgdata))
  if (access._tag === "Refused") throw new Error(access.reason)
  if (access._tag === "Mounted") {
    return launcher(user, access, (program, directory, ...args) => {
      const mounted = join(MOUNT_POINTS.programs, "bin", program)
      return { cwd: "/", line: [...withMounts(binaries, directory), ...asUser(user), mounted, ...args] }
    })
  }
  const isCopied = access._tag === "Copied" && access.programs
  const programs = join(isCopied ? await copyBinaries(binaries, access.state) : binaries, "bin")
  return launcher(user, access, (program, cwd, ...args) => ({
    cwd,
    line: [...asUser(user), join(programs, program), ...args]
  }))
}
