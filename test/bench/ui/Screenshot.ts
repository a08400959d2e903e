// `node test/bench/ui/Screenshot.ts FOLDER`: a picture of the bench on a terminal, `bench.png`, for the READMEs.
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"
import { browser } from "#test/adapters/web/Browser.ts"
import { openTerminal, type Terminal } from "./Tmux.ts"

const COLUMNS = 120
const ROWS = 40
/** A busy machine plays slowly. */
const PATIENCE_MS = 600_000

/** The project's own font, so that frames join on every machine. */
const font = (name: string) =>
  readFile(new URL(`../../../node_modules/dejavu-fonts-ttf/ttf/${name}.ttf`, import.meta.url), "base64")

/** The codes of a style that the bench uses, as CSS. */
const STYLES: Readonly<Record<string, string>> = {
  "1": "font-weight: bold",
  "2": "opacity: 0.6",
  "7": "background: #d6deeb; color: #0d1720",
  "31": "color: #ff7b72",
  "32": "color: #56d364",
  "33": "color: #e3b341",
  "36": "color: #56c8d8"
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** The codes in force after another one: the ends of a style take its codes away. */
const after = (codes: ReadonlyArray<string>, code: string): ReadonlyArray<string> => {
  if (code === "" || code === "0") return []
  if (code === "22") return codes.filter((one) => one !== "1" && one !== "2")
  if (code === "27") return codes.filter((one) => one !== "7")
  if (code === "39") return codes.filter((one) => !/^3\d$/.test(one))
  return [...codes, code]
}

/** What tmux painted, as spans. */
const htmlFrom = (painted: string): string => {
  let codes: ReadonlyArray<string> = []
  return painted
    .split("\u001b[")
    .map((part, index) => {
      const [, named = "", text = part] = index === 0 ? [] : (/^([\d;]*)m([\s\S]*)$/.exec(part) ?? [])
      if (index > 0) codes = named.split(";").reduce(after, codes)
      const style = codes.flatMap((code) => STYLES[code] ?? []).join("; ")
      return text === "" ? "" : `<span style="${style}">${escaped(text.replaceAll("\u000f", ""))}</span>`
    })
    .join("")
}

const MOST_PRESSES = 30
const REDRAW_MS = 500

/** Presses the key until the screen shows the words. */
const pressUntil = async (terminal: Terminal, key: string, words: string): Promise<void> => {
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    terminal.press(key)
    await setTimeout(REDRAW_MS)
    if (terminal.screen().includes(words)) return
  }
  throw new Error(`${key} does not lead to "${words}":\n${terminal.screen()}`)
}

/** Rush hour, stopped once two humans gave up, with an order selected that is online in part, and a wallet that paid something. */
const paint = async (): Promise<string> => {
  const flags = "--scenario rush-hour --seed 1 --speed 1000"
  const terminal = openTerminal(COLUMNS, ROWS, flags, {}, PATIENCE_MS)
  try {
    await terminal.shows("2 abandoned")
    terminal.press("Space")
    await terminal.shows("Time stands still.")
    await pressUntil(terminal, "j", " published: ")
    await pressUntil(terminal, "l", " capture ")
    return terminal.painted()
  } finally {
    terminal.close()
  }
}

const take = (folder: string) =>
  Effect.gen(function* () {
    const opened = yield* browser
    yield* Effect.promise(async () => {
      const [regular, bold] = await Promise.all(["DejaVuSansMono", "DejaVuSansMono-Bold"].map(font))
      const face = (weight: string, data = "") =>
        `@font-face { font-family: bench; font-weight: ${weight}; src: url(data:font/ttf;base64,${data}) }`
      const page = await opened.newPage({ deviceScaleFactor: 1 })
      await page.setContent(`<style>${face("normal", regular)} ${face("bold", bold)}
        pre { font: 14px/16px bench; display: inline-block; margin: 0; padding: 12px; background: #0d1720; color: #d6deeb }
        </style><pre>${htmlFrom(await paint())}</pre>`)
      await page.evaluate("document.fonts.ready")
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, "bench.png"), await page.locator("pre").screenshot())
    })
  }).pipe(Effect.scoped)

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error("Name the folder of the picture.")
  process.exitCode = 1
} else await Effect.runPromise(take(folder))
