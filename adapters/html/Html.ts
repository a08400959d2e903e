// HTML as a tagged template that escapes every value except HTML, and times in it. Safe for element content and quoted attributes. A text with
// letters from right to left is isolated, so that it does not reorder the numbers and the words beside it.
import { timestamp } from "#adapters/contract/schema/Text.ts"
import { separated } from "#adapters/contract/shared/Counted.ts"
import { dayText, fullText, momentText, paperText, type Reader, utcText } from "./Times.ts"
import { UTC } from "./TimeZones.ts"

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | ReadonlyArray<Html>

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")

const write = (value: Value): string => {
  if (value instanceof Html) return value.text
  if (typeof value === "string") return escapeHtml(value)
  return typeof value === "number" ? String(value) : value.map(write).join("")
}

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const [ISOLATE, POP] = ["\u2068", "\u2069"]

/** A text of a person in a sentence that is text. In a template, it is isolated without this. */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `${ISOLATE}${text}${POP}` : text)

/** Elements whose content is text alone, and those that isolate it already. */
const HOLDS_TEXT = /^<(?:bdi|option|title|textarea)\b|^<[^>]*\sdir="auto"/

/** Whether a value stands in the content of an element, by what is before it; otherwise it is an attribute's. */
const isContent = (before: string): boolean => {
  const tag = before.slice(Math.max(0, before.lastIndexOf("<")))
  return !/="[^"]*$/.test(tag) && !HOLDS_TEXT.test(tag)
}

/** A number that people read; attributes and fields have it plainly. */
const isCount = (value: Value): value is number => typeof value === "number" && Math.abs(value) >= 1_000

const mayReorder = (value: Value): value is string =>
  typeof value === "string" && RIGHT_TO_LEFT.test(value) && !value.includes(ISOLATE)

export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html => {
  const written = values.map((value, index) => {
    if (!isCount(value) && !mayReorder(value)) return write(value)
    if (!isContent(strings.slice(0, index + 1).join(""))) return write(value)
    return isCount(value) ? separated(value) : `<bdi>${escapeHtml(value)}</bdi>`
  })
  return new Html(String.raw({ raw: strings }, ...written))
}

export const nothing = new Html("")

const time = (atMs: number, what: "moment" | "day"): Html =>
  html`<time class="${what}" datetime="${timestamp(atMs)}" title="${fullText(atMs, UTC)}">${utcText(atMs, what)}</time>`

/** A moment, "Fri 27 Nov 2026, 14:02 UTC"; `inZone` writes it for its reader. */
export const instant = (atMs: number): Html => time(atMs, "moment")

/** The day of a moment, "Fri 27 Nov 2026 UTC"; `inZone` writes it for its reader. */
export const dayOf = (atMs: number): Html => time(atMs, "day")

/** Only markup has such quotes: texts are escaped. */
const TIME = /<time class="(moment|day)" datetime="([^"]*)" title="[^"]*">[^<]*<\/time>/g

/** The same with each moment by the clocks of the reader: "today, 14:02". */
export const inZone = ({ text }: Html, reader: Reader): Html =>
  new Html(
    text.replaceAll(TIME, (_, what: "moment" | "day", datetime: string) => {
      const atMs = Date.parse(datetime)
      const shown = what === "day" ? dayText(atMs, reader) : momentText(atMs, reader)
      return html`<time datetime="${datetime}" title="${fullText(atMs, reader.zone)}" data-paper="${paperText(atMs, reader.zone, what)}">${shown}</time>`
        .text
    })
  )
