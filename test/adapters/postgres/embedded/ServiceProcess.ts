// A service in its own process, with the embedded database of a folder.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"

export interface ServiceProcess {
  readonly pid: number
  readonly kill: (signal: NodeJS.Signals) => boolean
  /** The lines on standard output up to the one that says where the service listens, or all when it ends. */
  readonly announced: ReadonlyArray<string>
  /** Everything on standard error, once the service has ended. */
  readonly stderr: Promise<string>
  /** Exit code and signal. */
  readonly ended: Promise<ReadonlyArray<unknown>>
}

/** Resolves when the service listens or has ended. `command` runs it: a program and its first arguments. */
export const serviceProcess = async (
  dataDir: string,
  command: ReadonlyArray<string> = [process.execPath],
  more: Readonly<Record<string, string>> = {}
): Promise<ServiceProcess> => {
  const { NODE_ENV: _, DATABASE_URL: __, ...env } = process.env
  const settings = { STORE: "embedded", DATA_DIR: dataDir, PORT: "0", ...more }
  const [program = "", ...args] = [...command, "adapters/main.ts"]
  const service = spawn(program, args, { env: { ...env, ...settings }, stdio: ["ignore", "pipe", "pipe"] })
  const stderr = text(service.stderr)
  const ended = once(service, "exit")
  const announced: Array<string> = []
  for await (const line of createInterface(service.stdout)) {
    announced.push(line)
    if (line.startsWith("listening on ")) break
  }
  return { pid: service.pid ?? 0, kill: (signal) => service.kill(signal), announced, stderr, ended }
}
