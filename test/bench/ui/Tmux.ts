// The program in a tmux of its own, for tests on a real terminal.
import { execFileSync, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { vi } from "vitest"

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0

const TIMEOUT = { timeout: 60_000, interval: 100 } as const

export const openTerminal = (
  columns: number,
  rows: number,
  flags: string,
  env: Readonly<Record<string, string>> = {}
) => {
  const socket = `bench-${randomUUID()}`
  const tmux = (...args: ReadonlyArray<string>): string =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], { encoding: "utf8" })
  // tmux sets a TERM of its own, so the variables are set in its shell.
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value} `)
  // `cat` keeps the terminal open, with what the program left on the screen.
  const line = `${settings.join("")}npm run --silent bench -- ${flags}; echo "left with $?"; exec cat`
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), line)
  const screen = (): string => tmux("capture-pane", "-p")
  return {
    screen,
    /** With escape sequences for colours. */
    painted: (): string => tmux("capture-pane", "-p", "-e"),
    shows: async (words: string): Promise<void> => {
      await vi.waitUntil(() => screen().includes(words), TIMEOUT)
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
