// The database process of one data directory: whether it runs and at which port, by the file that PostgreSQL itself keeps
// there; starting and stopping it.
import { spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { open, readFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Binaries, RunAs } from "./Binaries.ts"

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

/** What runs in the directory now. A file left over from a crash names a process that is gone, or is no database. */
export const findPostmaster = async (pgdata: string): Promise<Postmaster | null> => {
  const text = await readFile(join(pgdata, "postmaster.pid"), "utf8").catch(() => "")
  const [pid = "", , , port = "", , , , status = ""] = text.split("\n")
  if (pid === "" || port === "" || !isAlive(Number(pid)) || !(await isPostgres(Number(pid)))) return null
  return { pid: Number(pid), port: Number(port), ready: status.trim() === "ready" }
}

/** Guards against a process id that was given to somebody else. Where the system does not tell, it is believed. */
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

/** Below those that systems hand out to whoever asks for just any: who starts slowly, or again, finds it as free as it was. */
const FIRST_PORT = 20_000
const LAST_PORT = 31_999

/** Where nobody on this machine listens now, and nobody is sent by chance. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await listensAt(port)) return port
  }
}

const LOOK_EVERY_MS = 50
const STARTS_WITHIN_MS = 60_000

/** Waits for one that is on its way up; gives up when `gone` says that nobody is. */
export const awaitPostmaster = async (pgdata: string, gone: () => boolean = () => false): Promise<Postmaster> => {
  for (const until = Date.now() + STARTS_WITHIN_MS; Date.now() < until; await sleep(LOOK_EVERY_MS)) {
    const found = await findPostmaster(pgdata)
    if (found?.ready) return found
    if (gone() && found === null) break
  }
  throw new Error(`PostgreSQL did not start; see ${join(pgdata, "server.log")}`)
}

/** In a session of its own, so that Ctrl-C reaches the service alone, which then stops the database last. */
export const startPostmaster = async (
  binaries: Binaries,
  pgdata: string,
  as: RunAs,
  port: number
): Promise<Postmaster> => {
  const log = await open(join(pgdata, "server.log"), "a")
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories="]
  const args = ["-D", pgdata, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]
  const child = spawn(binaries.postgres, args, { ...as, detached: true, stdio: ["ignore", log.fd, log.fd] })
  let gone = false
  child.once("error", () => {
    gone = true
  })
  child.once("exit", () => {
    gone = true
  })
  child.unref()
  try {
    return await awaitPostmaster(pgdata, () => gone)
  } finally {
    await log.close()
  }
}

/**
 * Lets nobody wait: open transactions are rolled back, everything that was committed is on disk. Looked for again, because one that
 * has gone by itself needs no stopping, and its process id may be somebody else's by now.
 */
export const stopPostmaster = async (pgdata: string): Promise<void> => {
  const running = await findPostmaster(pgdata)
  if (running === null) return
  process.kill(running.pid, "SIGINT")
  while (isAlive(running.pid)) await sleep(LOOK_EVERY_MS)
}
