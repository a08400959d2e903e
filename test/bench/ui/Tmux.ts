// The program in its own tmux, for tests on a real terminal and for pictures of it.
import { execFileSync, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { HANG_TIMEOUT_MS } from "#test/HangTimeout.ts"

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0

const INTERVAL_MS = 100

export const openTerminal = (
  columns: number,
  rows: number,
  flags: string,
  env: Readonly<Record<string, string>> = {},
  timeoutMs = HANG_TIMEOUT_MS
) => {
  const socket = `bench-${randomUUID()}`
  const tmux = (...args: ReadonlyArray<string>): string =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], { encoding: "utf8" })
  // tmux sets its own TERM, so the variables are set in its shell.
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value} `)
  // `cat` keeps the terminal open, with what the program left on the screen.
  const line = `${settings.join("")}npm run --silent bench -- ${flags}; echo "left with $?"; exec cat`
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), line)
  const screen = (): string => tmux("capture-pane", "-p")
  return {
    screen,
    /** The screen with escape sequences for colours. */
    painted: (): string => tmux("capture-pane", "-p", "-e"),
    shows: async (words: string | RegExp): Promise<void> => {
      const isShown = (text: string) => (typeof words === "string" ? text.includes(words) : words.test(text))
      for (const untilMs = performance.now() + timeoutMs; !isShown(screen()); await setTimeout(INTERVAL_MS))
        if (performance.now() > untilMs) throw new Error(`"${words}" is not on the screen:\n${screen()}`)
    },
    press: (...keys: ReadonlyArray<string>): void => void tmux("send-keys", ...keys),
    resize: (columns: number, rows: number): void =>
      void tmux("resize-window", "-x", String(columns), "-y", String(rows)),
    /** Whether the alternate screen is shown, and whether the cursor is. */
    state: () => {
      const [alternate, cursor] = tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").trim().split(" ")
      return { alternate: alternate === "1", cursor: cursor === "1" }
    },
    close: (): void => void spawnSync("tmux", ["-L", socket, "kill-server"])
  }
}

export type Terminal = ReturnType<typeof openTerminal>
