// A process that keeps one throw-away PostgreSQL that can be restarted in its place: same data, same port. Reads the mode of each
// restart, `fast` or `immediate`, from lines of its standard input; prints a line each time the server is down and when it takes
// connections. When the input ends, the server stops and its files are removed.
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { prepareDataDirectory } from "#adapters/postgres/embedded/DataDirectory.ts"
import { openLauncher } from "#adapters/postgres/embedded/Launcher.ts"
import { freePort, startPostmaster, stopPostmaster } from "#adapters/postgres/embedded/Postmaster.ts"
import { PASSWORD, USER } from "#test/adapters/postgres/Credentials.ts"

const settings = {
  max_connections: "200",
  // `durable`: answered orders survive a crash of the server. Otherwise a short run does not wait for the disk.
  fsync: process.argv[2] === "durable" ? "on" : "off"
}

const folder = await mkdtemp(join(tmpdir(), "backlinks-kills-"))
// Run as root, the database belongs to a system user, who must be able to enter.
await chmod(folder, 0o755)
const pgdata = join(folder, "postgres")

try {
  const launcher = await openLauncher(pgdata)
  await prepareDataDirectory(launcher, pgdata, { name: USER, password: PASSWORD }, "--no-sync")
  const port = await freePort()
  const up = async (): Promise<void> => {
    await startPostmaster(launcher, pgdata, port, settings)
    process.stdout.write(`up ${port}\n`)
  }
  await up()
  for await (const mode of createInterface({ input: process.stdin })) {
    await stopPostmaster(launcher, pgdata, mode === "immediate" ? "immediate" : "fast")
    process.stdout.write("down\n")
    await up()
  }
  await stopPostmaster(launcher, pgdata, "immediate")
} finally {
  await rm(folder, { recursive: true, force: true })
}
