// HTML as a tagged template that escapes every value except HTML. Safe for element content and quoted attributes.

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
