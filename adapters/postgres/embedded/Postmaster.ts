// Starts, finds and stops the postmaster, PostgreSQL's first process, of one data directory.
import { randomInt } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { totalmem } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Launcher } from "./Launcher.ts"

export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** Whether it accepts connections. */
  readonly ready: boolean
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user cannot be signalled, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** The running postmaster, if any. After a crash, the file names a process that has ended, or the id of another program. */
export const findPostmaster = async (pgdata: string): Promise<Postmaster | null> => {
  const text = await readFile(join(pgdata, "postmaster.pid"), "utf8").catch(() => "")
  const [pid = "", , , port = "", , , , status = ""] = text.split("\n")
  if (pid === "" || port === "" || !isAlive(Number(pid)) || !(await isPostgres(Number(pid)))) return null
  return { pid: Number(pid), port: Number(port), ready: status.trim() === "ready" }
}

/** Guards against a process id that was given to another program. On systems without /proc the id is trusted. */
const isPostgres = async (pid: number): Promise<boolean> => {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => null)
  return command === null || command.includes("postgres")
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error)
    )
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })

/** Below the ephemeral ports, so that no outgoing connection takes the port before a slow start or a restart. */
const FIRST_PORT = 20_000
const LAST_PORT = 31_999

/** A port on which no process of this machine listens. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await isFree(port)) return port
  }
}

const POLL_INTERVAL_MS = 50
const STARTS_WITHIN_MS = 60_000
const STOPS_WITHIN_S = 3600

/** In the data directory. PostgreSQL itself opens it: root must not open files in another user's directory, where they may be links. */
const LOG_FILE = "postgres.log"

const BYTES_PER_MB = 2 ** 20
const PAGES_OF_A_MILLION_ORDERS_MB = 512
const POSTGRES_DEFAULT_MB = 128

/** The memory of the machine, or of the container if it is given less. */
const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * An eighth of the memory, up to what holds the pages that orders read and change when there are a million of them: each page beyond the
 * buffers is read again from the system, and another one written out to make room. At least PostgreSQL's default.
 */
export const sharedBuffersMb = (memoryBytes = availableMemory()): number =>
  Math.max(POSTGRES_DEFAULT_MB, Math.min(PAGES_OF_A_MILLION_ORDERS_MB, Math.floor(memoryBytes / BYTES_PER_MB / 8)))

const alwaysSet = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  logging_collector: "on",
  log_directory: ".",
  log_filename: LOG_FILE,
  log_rotation_age: "0",
  log_rotation_size: "0",
  // After a checkpoint the log has each page that is changed as a whole; compressed they take a third.
  wal_compression: "pglz",
  shared_buffers: `${sharedBuffersMb()}MB`
}

/**
 * Waits until the directory's postmaster accepts connections; one for which `isStale` returns true is still to write its file. While
 * there is none, waits until `gone` returns true, and then returns `null`. Fails once `signal` is aborted.
 */
export const awaitPostmaster = async (
  pgdata: string,
  gone = () => true,
  isStale: (found: Postmaster) => boolean = () => false,
  signal?: AbortSignal
): Promise<Postmaster | null> => {
  for (const until = Date.now() + STARTS_WITHIN_MS; Date.now() < until; await sleep(POLL_INTERVAL_MS)) {
    signal?.throwIfAborted()
    const found = await findPostmaster(pgdata)
    if (found === null ? gone() : found.ready && !isStale(found)) return found
  }
  throw new Error(`PostgreSQL accepts no connections; see ${join(pgdata, LOG_FILE)}`)
}

const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const

/**
 * Starts `postgres` directly instead of by `pg_ctl start`: as a child of the service, a crashed postmaster is reaped even in a
 * container whose first process reaps no orphans. Unreaped, its process id would keep a new one from starting. It runs in a
 * separate session, so that Ctrl-C reaches only the service, which stops the database last. Where `signal` is aborted first, it has ended.
 */
export const startPostmaster = async (
  launcher: Launcher,
  pgdata: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
  signal?: AbortSignal
): Promise<Postmaster> => {
  const flags = Object.entries({ ...alwaysSet, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const child = launcher.spawn("postgres", pgdata, "-D", ".", "-p", String(port), ...flags)
  let ended = false
  child.once("error", () => {
    ended = true
  })
  child.once("exit", () => {
    ended = true
  })
  let printed = ""
  child.stderr.on("data", (chunk) => {
    printed += chunk
  })
  child.unref()
  // A concurrent start may have been faster: then its postmaster is used. A file left by a killed postmaster may name the process id
  // of this one, since containers repeat them.
  const isLeftBehind = (found: Postmaster) => found.pid === child.pid && found.port !== port
  const started = await awaitPostmaster(pgdata, () => ended, isLeftBehind, signal)
    .catch(async (error: unknown) => {
      if (signal?.aborted === true && child.kill(SIGNALS.fast)) while (!ended) await sleep(POLL_INTERVAL_MS)
      throw error
    })
    .finally(() => child.stderr.destroy())
  if (started === null) throw new Error(`PostgreSQL did not start; see ${join(pgdata, LOG_FILE)} (${printed.trim()})`)
  return started
}

/**
 * Does not wait for clients: `fast` rolls back open transactions, `immediate` leaves recovery to the next start. Succeeds if the
 * postmaster has already ended. If pg_ctl cannot run, because it was removed meanwhile, sends the signal that pg_ctl would send.
 */
export const stopPostmaster = async (
  launcher: Launcher,
  pgdata: string,
  mode: "fast" | "immediate" = "fast"
): Promise<void> => {
  if ((await findPostmaster(pgdata)) === null) return
  const limits = ["-s", "-w", "-t", String(STOPS_WITHIN_S)]
  await launcher.run("pg_ctl", pgdata, "stop", "-D", ".", "-m", mode, ...limits).catch(async () => {
    const found = await findPostmaster(pgdata)
    if (found !== null) process.kill(found.pid, SIGNALS[mode])
    while ((await findPostmaster(pgdata)) !== null) await sleep(POLL_INTERVAL_MS)
  })
}
