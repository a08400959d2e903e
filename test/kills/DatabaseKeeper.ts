// A process that keeps one throw-away PostgreSQL that can be brought down and up again in its place: same data, same port. Told so
// by lines on its standard input, `fast` or `immediate`; prints a line each time the server is down and when it takes connections.
// When the input ends, whatever ended whoever held it, the server goes and leaves nothing behind.
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { findBinaries, runAs } from "#adapters/postgres/embedded/Binaries.ts"
import { findPostmaster, freePort } from "#adapters/postgres/embedded/Postmaster.ts"
import { PASSWORD, USER } from "#test/postgres/Credentials.ts"

/** What each way of going down is to PostgreSQL: sessions are cut and the rest is tidied up; or everything is dropped as it is. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = { fast: "SIGINT", immediate: "SIGQUIT" }

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  // What was answered must be there after a crash of the server itself, and a short run waits for no disk.
  fsync: process.argv[2] === "durable" ? "on" : "off"
}

const binaries = findBinaries()
const as = await runAs()
const port = await freePort()
const folder = await mkdtemp(join(tmpdir(), "backlinks-kills-"))
const data = join(folder, "data")

const initialise = async (): Promise<void> => {
  const passwordFile = join(folder, "password")
  await writeFile(passwordFile, PASSWORD)
  if (as.uid !== undefined && as.gid !== undefined) {
    await chown(folder, as.uid, as.gid)
    await chown(passwordFile, as.uid, as.gid)
  }
  const flags = [`--username=${USER}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--encoding=UTF8"]
  await promisify(execFile)(binaries.initdb, [`--pgdata=${data}`, ...flags, "--no-locale", "--no-sync"], as)
}

const up = async (): Promise<ChildProcess> => {
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = spawn(binaries.postgres, ["-D", data, "-p", String(port), ...flags], { ...as, stdio: "ignore" })
  while ((await findPostmaster(data))?.ready !== true) {
    if (server.exitCode !== null) throw new Error("PostgreSQL does not start")
    await sleep(20)
  }
  process.stdout.write(`up ${port}\n`)
  return server
}

const down = (server: ChildProcess, signal: NodeJS.Signals): Promise<void> =>
  new Promise((resolve) => {
    server.once("exit", () => resolve())
    server.kill(signal)
  })

try {
  await initialise()
  let server = await up()
  for await (const way of createInterface({ input: process.stdin })) {
    await down(server, SIGNALS[way] ?? "SIGINT")
    process.stdout.write("down\n")
    server = await up()
  }
  await down(server, "SIGQUIT")
} finally {
  await rm(folder, { recursive: true, force: true })
}
