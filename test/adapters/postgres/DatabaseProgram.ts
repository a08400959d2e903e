// A program that keeps throw-away servers while its standard input is open, spoken to in lines.
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

export interface DatabaseProgram {
  readonly send: (line: string) => void
  /** The program's next line; rejects once the program has ended. */
  readonly next: () => Promise<string>
  /** Closes its input, and resolves once it has ended. */
  readonly stop: () => Promise<void>
}

export const startDatabaseProgram = (program: URL, ...args: ReadonlyArray<string>): DatabaseProgram => {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    // Survives a signal to the process group of the run, so that it can clean up.
    detached: true
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    send: (line) => void child.stdin.write(`${line}\n`),
    next: async () => {
      const line = await lines.next()
      if (line.done === true) throw new Error("PostgreSQL is gone")
      return line.value
    },
    stop: () => {
      child.stdin.end()
      return ended
    }
  }
}
