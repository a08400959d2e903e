// Runs pgbench, if the machine has it: the cost of a statement without a service.
import { execFile } from "node:child_process"
import { readdir } from "node:fs/promises"
import { promisify } from "node:util"
import { Redacted } from "effect"

const run = promisify(execFile)

/** On the path, or where Debian's packages put it, the newest first. */
const candidates = async (): Promise<ReadonlyArray<string>> => {
  const versions = await readdir("/usr/lib/postgresql").catch(() => [])
  const byNumber = versions.toSorted((a, b) => Number(b) - Number(a))
  return ["pgbench", ...byNumber.map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`)]
}

/** The first that runs; `null` if none does. */
export const findPgbench = async (): Promise<string | null> => {
  for (const program of await candidates()) {
    const runs = await run(program, ["--version"]).then(
      () => true,
      () => false
    )
    if (runs) return program
  }
  return null
}

export interface Bench {
  readonly program: string
  readonly url: Redacted.Redacted
  readonly file: string
  /** The number of statements in the file. */
  readonly statements: number
  readonly variables: Readonly<Record<string, number>>
  readonly clients: number
  readonly seconds: number
}

export interface Benched {
  readonly perSecond: number
  /** Statements in all. */
  readonly calls: number
}

/** Runs the file over and over. */
export const pgbench = async ({
  program,
  url,
  file,
  statements,
  variables,
  clients,
  seconds
}: Bench): Promise<Benched> => {
  const defined = Object.entries(variables).flatMap(([name, value]) => ["-D", `${name}=${value}`])
  const load = ["-M", "prepared", "-n", "-c", String(clients), "-j", "2", "-T", String(seconds)]
  const { stdout } = await run(program, [...load, ...defined, "-f", file, Redacted.value(url)])
  const [, tps] = /^tps = ([\d.]+)/m.exec(stdout) ?? []
  const [, processed] = /^number of transactions actually processed: (\d+)/m.exec(stdout) ?? []
  const [, failed] = /^number of failed transactions: (\d+)/m.exec(stdout) ?? []
  if (tps === undefined || Number(failed ?? 0) > 0) throw new Error(`pgbench printed: ${stdout}`)
  return { perSecond: Number(tps) * statements, calls: Number(processed) * statements }
}
