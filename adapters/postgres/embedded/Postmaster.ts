// Starts, finds and stops the postmaster, PostgreSQL's first process, of one data directory.
import { randomInt } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Launcher } from "./Launcher.ts"

export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** Whether it takes connections. */
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

/** The running postmaster. The file that a crash leaves names a process that has ended, or is no database. */
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

const listensAt = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error)
    )
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })

/** Below the ports that systems assign by themselves, so that a port is still free for a slow start or a restart. */
const FIRST_PORT = 20_000
const LAST_PORT = 31_999

/** A port on which no process of this machine listens. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await listensAt(port)) return port
  }
}

const LOOK_EVERY_MS = 50
const STARTS_WITHIN_MS = 60_000
const STOPS_WITHIN_S = 3600

/** Beside the data. PostgreSQL opens it itself: root must open no file in a directory that belongs to another user. */
const LOG_FILE = "postgres.log"

const alwaysSet = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  logging_collector: "on",
  log_directory: ".",
  log_filename: LOG_FILE,
  log_rotation_age: "0",
  log_rotation_size: "0"
}

/**
 * The postmaster of the directory, once it takes connections; null when there is none. One that is not there yet is waited for
 * until `gone`.
 */
export const awaitPostmaster = async (pgdata: string, gone = () => true): Promise<Postmaster | null> => {
  for (const until = Date.now() + STARTS_WITHIN_MS; Date.now() < until; await sleep(LOOK_EVERY_MS)) {
    const found = await findPostmaster(pgdata)
    if (found === null ? gone() : found.ready) return found
  }
  throw new Error(`PostgreSQL takes no connections; see ${join(pgdata, LOG_FILE)}`)
}

/**
 * Starts `postgres` itself instead of `pg_ctl start`: as a child of the service it is reaped when it crashes, also where the first
 * process of a container reaps no orphans, and a new one refuses to start beside a process id that still exists. In a session of
 * its own, so that Ctrl-C reaches the service alone, which then stops the database last.
 */
export const startPostmaster = async (
  launcher: Launcher,
  pgdata: string,
  port: number,
  settings: Readonly<Record<string, string>> = {}
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
  // Another start may have been faster: then that one's postmaster is used.
  const started = await awaitPostmaster(pgdata, () => ended).finally(() => child.stderr.destroy())
  if (started === null) throw new Error(`PostgreSQL did not start; see ${join(pgdata, LOG_FILE)} (${printed.trim()})`)
  return started
}

/**
 * Without waiting for clients: `fast` rolls back what is open, `immediate` leaves recovery to the next start. A postmaster that has
 * ended by itself needs no stopping.
 */
export const stopPostmaster = async (
  launcher: Launcher,
  pgdata: string,
  mode: "fast" | "immediate" = "fast"
): Promise<void> => {
  if ((await findPostmaster(pgdata)) === null) return
  const limits = ["-s", "-w", "-t", String(STOPS_WITHIN_S)]
  await launcher.run("pg_ctl", pgdata, "stop", "-D", ".", "-m", mode, ...limits).catch(async (error) => {
    if ((await findPostmaster(pgdata)) !== null) throw error
  })
}
