// HTML as a tagged template that escapes every value except HTML, and times in it. Safe for element content and quoted attributes.
import { timestamp } from "#adapters/contract/schema/Text.ts"

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

export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html =>
  new Html(String.raw({ raw: strings }, ...values.map(write)))

export const nothing = new Html("")

/** For people, such as "22 November 2026 at 09:39 UTC"; the `datetime` attribute has the exact instant. */
const readable = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })

export const instant = (atMs: number): Html =>
  html`<time datetime="${timestamp(atMs)}">${readable.format(atMs)} UTC</time>`
