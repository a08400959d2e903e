// A program that a test runs to its end: its exit status and what it printed.
import type { ChildProcess } from "node:child_process"
import { Effect } from "effect"

export interface ProgramOutput {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Starts the program and waits for its end; an interruption kills it. */
export const outputOf = (start: () => ChildProcess): Effect.Effect<ProgramOutput> =>
  Effect.callback((resume) => {
    const child = start()
    const [out, err]: [Array<string>, Array<string>] = [[], []]
    child.stdout?.on("data", (text) => out.push(String(text)))
    child.stderr?.on("data", (text) => err.push(String(text)))
    child.on("close", (code) => resume(Effect.succeed({ code, out: out.join(""), err: err.join("") })))
    return Effect.sync(() => child.kill())
  })
