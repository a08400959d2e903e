// The service starts wherever its project lies, for root and for ordinary users, with whatever permissions a container leaves to
// root; and the database gets neither root's capabilities nor the service's secrets. Each start has its own mounts, in which the
// project appears at another path, and the system's state directory is a fresh one.
import { spawnSync } from "node:child_process"
import { chmod, chown, mkdir, readFile, stat } from "node:fs/promises"
import { userInfo } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { findPostmaster } from "#adapters/postgres/embedded/Postmaster.ts"
import { temporaryFolder } from "#test/programs/load/DatabaseServer.ts"
import { type ServiceProcess, serviceProcess } from "./ServiceProcess.ts"

/** Root in a container may lack the permission. */
const canMount = userInfo().uid === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0

/** The capabilities of a container by default. */
const CONTAINER =
  "chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,sys_chroot,mknod,setfcap"
const capabilities = (kept: string) => {
  const bounds = kept === "" ? "-all" : `-all,${kept.split(",").map((name) => `+${name}`)}`
  return ["setpriv", `--bounding-set=${bounds}`, "--inh-caps=-all"]
}
/** Drops the bounding set, which an ordinary user keeps but cannot use, so that one check fits all. */
const ordinaryUser = [
  "setpriv",
  "--bounding-set=-all",
  "--reuid=65534",
  "--regid=65534",
  "--clear-groups",
  "--inh-caps=-all"
]

const SETUP =
  'mount --bind . "$0" && mount -t tmpfs -o "mode=$1" tmpfs /var/lib && cd "$0" && shift && PATH="$PWD/node_modules/.bin:$PATH" && exec "$@"'

interface Start {
  /** What the service is started with. */
  readonly as: ReadonlyArray<string>
  /** Permissions of the system's state directory. */
  readonly state?: "0700" | "0755"
}

/** The service of the project at the path. */
const serviceAt = (project: string, dataDir: string, { as, state = "0755" }: Start) => {
  const command = ["unshare", "--mount", "sh", "-c", SETUP, project, state, ...as, "node"]
  return serviceProcess(dataDir, command, { SECRET_OF_THE_SERVICE: "secret" })
}

/** A path to the project in a folder that only root may enter. */
const rootOnly = (name: string) =>
  Effect.flatMap(temporaryFolder, (folder) =>
    Effect.promise(async () => {
      const project = join(folder, "of root", name)
      await mkdir(project, { recursive: true })
      await chmod(join(folder, "of root"), 0o700)
      return { blockedBy: join(folder, "of root"), project, dataDir: join(folder, "of root", "data") }
    })
  )

const statusOf = (pid: number) => readFile(`/proc/${pid}/status`, "utf8")

const childrenOf = async (pid: number): Promise<ReadonlyArray<number>> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ").map(Number)

/** The file of the database in the folder: its process id, as its container counts, and whether it is ready. */
const postmasterFile = (folder: string) => readFile(join(folder, "postgres", "postmaster.pid"), "utf8").catch(() => "")

const NO_CAPABILITY = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((set) => `${set}:\t0000000000000000`)

/** Nearly as long as a test may take. */
const PATIENCE = { timeout: 200_000 }

/** Until the process has ended. The first process of a container may leave it a zombie. */
const untilGone = (pid: number) =>
  expect.poll(() => statusOf(pid).catch(() => "State:\tX (dead)"), PATIENCE).toMatch(/^State:\t[XZ]/m)

/** Fails with what the service printed if it ends meanwhile. */
const whileItRuns = async (service: ServiceProcess, awaited: Promise<unknown>) => {
  const ended = service.ended.then(async () => {
    throw new Error(`The service has ended: ${await service.stderr}`)
  })
  await Promise.race([awaited, ended])
}

/** Names that a shell sets are among them, because a shell makes the mounts. */
const ALLOWED_NAMES = /^(PATH|PWD|OLDPWD|_|SHLVL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|)$/

/** Checks the database of a service that listens, stops the service, and returns what it printed on standard error. */
const checkAndStop = async ({ announced, pid, kill, stderr, ended }: ServiceProcess) => {
  if (announced.length === 0) throw new Error(await stderr)
  const [postmaster = 0, ...others] = await childrenOf(pid)
  expect(others).toEqual([])
  const processes = [postmaster, ...(await childrenOf(postmaster))]
  expect(processes.length).toBeGreaterThan(3)
  for (const status of await Promise.all(processes.map(statusOf))) {
    expect(status.split("\n").filter((line) => line.startsWith("Cap"))).toEqual(NO_CAPABILITY)
  }
  const environment = (await readFile(`/proc/${postmaster}/environ`, "utf8")).split("\0")
  expect(environment.filter((entry) => !ALLOWED_NAMES.test(entry.split("=")[0] ?? ""))).toEqual([])
  kill("SIGTERM")
  expect(await ended).toEqual([0, null])
  await untilGone(postmaster)
  return stderr
}

describe.skipIf(!canMount)("for root, the service", () => {
  it.live("starts from a folder that only root may enter, with spaces and accents in its path", () =>
    Effect.gen(function* () {
      const { project, dataDir } = yield* rootOnly("Übungs projekt (été)")
      yield* Effect.promise(async () => {
        const service = await serviceAt(project, dataDir, { as: [] })
        expect(await checkAndStop(service)).toBe("")
        expect((await stat(join(dataDir, "postgres"))).isDirectory()).toBe(true)
      })
    }).pipe(Effect.scoped)
  )

  it.live("starts in a container that may not mount, from copies, and says so", () =>
    Effect.gen(function* () {
      const { blockedBy, project, dataDir } = yield* rootOnly("project")
      yield* Effect.promise(async () => {
        const service = await serviceAt(project, dataDir, { as: capabilities(CONTAINER) })
        const output = await checkAndStop(service)
        expect(output).toContain("The database runs from copies")
        expect(output).toContain(`"directory":"${blockedBy}"`)
        expect(output.trim().split("\n").length).toBe(1)
      })
    }).pipe(Effect.scoped)
  )

  it.live("names the directory that cannot be entered, and the ways out, when it may neither mount nor copy", () =>
    Effect.gen(function* () {
      const { blockedBy, project, dataDir } = yield* rootOnly("project")
      yield* Effect.promise(async () => {
        const service = await serviceAt(project, dataDir, { as: capabilities(CONTAINER), state: "0700" })
        expect(await service.ended).toEqual([1, null])
        const output = await service.stderr
        expect(output).toContain(`cannot enter ${blockedBy}.`)
        expect(output).toContain("cannot enter /var/lib)")
        expect(output).toContain(`chmod o+x '${blockedBy}'`)
        expect(output).toContain("set DATABASE_URL to a database elsewhere")
      })
    }).pipe(Effect.scoped)
  )

  it.live("says that root without any capability may not become another user", () =>
    Effect.gen(function* () {
      const { project, dataDir } = yield* rootOnly("project")
      yield* Effect.promise(async () => {
        const service = await serviceAt(project, dataDir, { as: capabilities("") })
        expect(await service.ended).toEqual([1, null])
        expect(await service.stderr).toContain("root may not become user")
      })
    }).pipe(Effect.scoped)
  )
})

describe.skipIf(!canMount)("a service that was killed in a folder that only root may enter", () => {
  it.live("leaves a database that the next start takes over, and stops", () =>
    Effect.gen(function* () {
      const { project, dataDir } = yield* rootOnly("project")
      yield* Effect.promise(async () => {
        const killed = await serviceAt(project, dataDir, { as: [] })
        const [postmaster = 0] = await childrenOf(killed.pid)
        killed.kill("SIGKILL")
        await killed.ended
        const next = await serviceAt(project, dataDir, { as: [] })
        expect(await childrenOf(next.pid)).not.toContain(postmaster)
        expect((await findPostmaster(join(dataDir, "postgres")))?.pid).toBe(postmaster)
        next.kill("SIGTERM")
        expect(await next.ended).toEqual([0, null])
        await untilGone(postmaster)
      })
    }).pipe(Effect.scoped)
  )
})

describe.skipIf(!canMount)("a service that is the first process of a container, which reaps no orphans", () => {
  it.live("starts a killed database again", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.promise(async () => {
        const container = await serviceProcess(folder, ["unshare", "--pid", "--fork", "--mount-proc", process.execPath])
        const [service = 0] = await childrenOf(container.pid)
        const [postmaster = 0] = await childrenOf(service)
        const [id] = (await postmasterFile(folder)).split("\n")
        process.kill(postmaster, "SIGKILL")
        const anotherReady = new RegExp(`^(?!${id}\n).*ready`, "s")
        await whileItRuns(container, expect.poll(() => postmasterFile(folder), PATIENCE).toMatch(anotherReady))
        process.kill(service, "SIGTERM")
        expect(await container.ended).toEqual([0, null])
      })
    }).pipe(Effect.scoped)
  )
})

describe.skipIf(!canMount)("for an ordinary user, the service", () => {
  it.live("starts, with data in a folder of that user alone", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [project, dataDir] = [join(folder, "Übungs projekt (été)"), join(folder, "$HOME", "data")]
      yield* Effect.promise(async () => {
        await mkdir(project)
        await mkdir(join(folder, "$HOME"), { mode: 0o700 })
        await chown(join(folder, "$HOME"), 65_534, 65_534)
        const service = await serviceAt(project, dataDir, { as: ordinaryUser })
        await checkAndStop(service)
        expect((await stat(join(dataDir, "postgres"))).uid).toBe(65_534)
      })
    }).pipe(Effect.scoped)
  )
})
