// A process that keeps one throw-away PostgreSQL for as long as its standard input is open: whatever ends a test run, even a kill,
// ends the server too and leaves nothing behind. Prints the port once the server takes connections.
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { prepareDataDirectory } from "#adapters/postgres/embedded/DataDirectory.ts"
import { openLauncher } from "#adapters/postgres/embedded/Launcher.ts"
import { freePort, startPostmaster, stopPostmaster } from "#adapters/postgres/embedded/Postmaster.ts"
import { PASSWORD, USER } from "./Credentials.ts"

const settings = {
  max_connections: "200",
  // Nothing outlives the run, so nothing needs to reach the disk in time.
  fsync: "off",
  full_page_writes: "off",
  // It would look through hundreds of small databases all the time.
  autovacuum: "off",
  // Tests provoke conflicts, whose errors would fill the output.
  log_min_messages: "log"
}

const folder = await mkdtemp(join(tmpdir(), "backlinks-postgres-"))
// Run as root, the database belongs to a system user, who must be able to enter.
await chmod(folder, 0o755)
const pgdata = join(folder, "postgres")

/** The port of the server; it is stopped by `stop`. */
const start = async () => {
  const launcher = await openLauncher(pgdata)
  // The password is no secret, and thousands of connections prove it.
  const flags = ["--auth=password", "--set=scram_iterations=1", "--no-sync"]
  await prepareDataDirectory(launcher, pgdata, { name: USER, password: PASSWORD }, ...flags)
  const { port } = await startPostmaster(launcher, pgdata, await freePort(), settings)
  return { port, stop: () => stopPostmaster(launcher, pgdata) }
}

const ended = new Promise<void>((resolve) => process.stdin.once("end", resolve))
process.stdin.resume()
try {
  const { port, stop } = await start()
  process.stdout.write(`${port}\n`)
  await ended
  await stop()
} finally {
  await rm(folder, { recursive: true, force: true })
}
