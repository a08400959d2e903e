// A terminal in memory: takes key presses, records the output, and can be resized.
import { Console } from "node:console"
import { PassThrough } from "node:stream"
import { stripVTControlCharacters } from "node:util"
import { vi } from "vitest"
import { HANG_TIMEOUT_MS } from "#test/HangTimeout.ts"

// Ink creates a console while it draws; the test's console lacks the class for that.
Object.assign(console, { Console })

const ESC = "\u001b"

export const makeTerminal = (columns: number, rows: number) => {
  const raw: Array<boolean> = []
  const written: Array<string> = []
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => raw.push(isRaw),
    ref: () => undefined,
    unref: () => undefined
  })
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows })
  stdout.on("data", (chunk) => written.push(String(chunk)))
  /** The length of the output at the last key press or resize. */
  let before = 0
  const everything = (): string => written.join("")
  return {
    streams: { stdin, stdout, colour: false },
    press: (keys: string): void => {
      before = written.length
      stdin.write(keys)
    },
    resize: (columns: number, rows: number): void => {
      before = written.length
      Object.assign(stdout, { columns, rows })
      stdout.emit("resize")
    },
    /** Resolves when the words were written since the last key press or resize. */
    shows: async (words: string): Promise<void> => {
      await vi.waitUntil(() => stripVTControlCharacters(written.slice(before).join("")).includes(words), {
        timeout: HANG_TIMEOUT_MS,
        interval: 5
      })
    },
    everything,
    isRaw: (): boolean => raw.at(-1) === true,
    /** Whether the alternate screen is shown. */
    isAlternate: (): boolean => everything().lastIndexOf(`${ESC}[?1049h`) > everything().lastIndexOf(`${ESC}[?1049l`),
    showsCursor: (): boolean => everything().lastIndexOf(`${ESC}[?25h`) >= everything().lastIndexOf(`${ESC}[?25l`)
  }
}

export const KEYS = { ctrlC: "\u0003", escape: ESC, up: `${ESC}[A`, down: `${ESC}[B`, tab: "\t" } as const
