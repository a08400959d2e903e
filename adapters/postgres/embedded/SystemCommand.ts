// Runs commands of the system and of PostgreSQL, with an environment that holds no secret of the service.
import { execFile, spawn } from "node:child_process"
import { stat } from "node:fs/promises"
import { delimiter, isAbsolute } from "node:path"
import { promisify } from "node:util"

const PASSED_ON = /^(LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|SystemRoot)$/i

/** Leaves out relative entries: commands of root run in a directory that belongs to another user. */
const inheritedPath = (process.env["PATH"] ?? "").split(delimiter).filter((directory) => isAbsolute(directory))

/** The system's own commands first: the search paths of `su` and cron lack `/usr/sbin`. */
const PATH = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", ...inheritedPath].join(delimiter)

const minimalEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))),
  PATH
})

/** A command line, and the directory to run it in. */
export interface Command {
  readonly cwd: string
  readonly line: ReadonlyArray<string>
}

/** Returns what the command printed, without the final line break. Fails with what it printed on standard error. */
export const run = async ({ cwd, line: [file = "", ...args] }: Command): Promise<string> => {
  try {
    return (await promisify(execFile)(file, args, { cwd, env: minimalEnvironment() })).stdout.trimEnd()
  } catch (error) {
    const printed = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : ""
    throw printed === "" ? error : new Error(printed, { cause: error })
  }
}

export const runSystemCommand = (...line: ReadonlyArray<string>): Promise<string> => run({ cwd: "/", line })

/** Starts a process in a new session; only its standard error is piped. */
export const spawnDetached = ({ cwd, line: [file = "", ...args] }: Command) =>
  spawn(file, args, { cwd, env: minimalEnvironment(), detached: true, stdio: ["ignore", "ignore", "pipe"] })

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )
