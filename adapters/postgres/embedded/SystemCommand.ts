// Runs commands of the system and of PostgreSQL, with an environment that holds no secret of the service.
import { execFile, spawn } from "node:child_process"
import { stat } from "node:fs/promises"
import { delimiter } from "node:path"
import { promisify } from "node:util"

const PASSED_ON = /^(LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|SystemRoot)$/i

/** The system's own commands first. Those of administrators are missing from the search path of `su` and cron. */
const PATH = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", process.env["PATH"]].join(delimiter)

const minimalEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))),
  PATH
})

/** A command line, and the directory to run it in. */
export interface Command {
  readonly cwd: string
  readonly line: ReadonlyArray<string>
}

/** What the command printed, without the last line break. Fails with what it printed on standard error. */
export const run = async ({ cwd, line: [file = "", ...args] }: Command): Promise<string> => {
  try {
    return (await promisify(execFile)(file, args, { cwd, env: minimalEnvironment() })).stdout.trimEnd()
  } catch (error) {
    const printed = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : ""
    throw printed === "" ? error : new Error(printed, { cause: error })
  }
}

export const runSystemCommand = (...line: ReadonlyArray<string>): Promise<string> => run({ cwd: "/", line })

/** A process in a session of its own, of which only standard error is read. */
export const spawnDetached = ({ cwd, line: [file = "", ...args] }: Command) =>
  spawn(file, args, { cwd, env: minimalEnvironment(), detached: true, stdio: ["ignore", "ignore", "pipe"] })

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )
