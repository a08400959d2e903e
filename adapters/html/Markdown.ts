// Simple Markdown as HTML: headings, paragraphs, lists, links, code, and bold text. All else is plain text, which the template escapes.
import { Html, html } from "./Html.ts"

const INLINE = /`([^`\n]+)`|\[([^\]]+)\]\(((?:https?:\/\/|mailto:|\/(?!\/))[^\s)]+)\)|\*\*([^*]+)\*\*/g

/** The part of a line in HTML. Links lead to the web, to an address, or to a path of this service; no other scheme is one. */
export const inlineMarkdown = (text: string): ReadonlyArray<Html> => {
  const parts: Array<Html> = []
  let end = 0
  for (const { 0: whole, 1: code, 2: label, 3: target, 4: bold, index } of text.matchAll(INLINE)) {
    parts.push(html`${text.slice(end, index)}`)
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`)
    else parts.push(html`<a href="${target ?? ""}">${label ?? ""}</a>`)
    end = index + whole.length
  }
  return [...parts, html`${text.slice(end)}`]
}

type Kind = "heading" | "bullet" | "number" | "text"

const kindOf = (line: string): Kind => {
  if (/^#{1,6} /.test(line)) return "heading"
  if (/^[-*] /.test(line)) return "bullet"
  return /^\d+[.)] /.test(line) ? "number" : "text"
}

const withoutMark = (line: string): string => line.replace(/^(?:#{1,6}|[-*]|\d+[.)]) +/, "")

/** Lines that belong together: a heading, a list of one kind, or a paragraph. An indented line continues the item before it. */
const blocksOf = (text: string): ReadonlyArray<{ readonly kind: Kind; readonly lines: ReadonlyArray<string> }> => {
  const blocks: Array<{ kind: Kind; lines: Array<string> }> = []
  let isOpen = false
  for (const line of text.split(/\r?\n/)) {
    const last = blocks.at(-1)
    const kind = kindOf(line)
    if (line.trim() === "") isOpen = false
    else if (isOpen && last !== undefined && kind === "text" && last.kind !== "heading") {
      if (last.kind === "text") last.lines.push(line)
      else last.lines.push(`${last.lines.pop()} ${line.trim()}`)
    } else if (isOpen && last !== undefined && kind === last.kind && kind !== "heading") last.lines.push(line)
    else {
      blocks.push({ kind, lines: [line] })
      isOpen = true
    }
  }
  return blocks
}

const item = (line: string): Html => html`<li>${inlineMarkdown(withoutMark(line))}</li>`

/** The text of the first heading where the document begins with one, and all else below it. Levels never skip one. */
export const renderMarkdown = (text: string): { readonly title: string | undefined; readonly body: Html } => {
  const [first, ...rest] = blocksOf(text)
  const isTitled = first?.kind === "heading"
  const blocks = isTitled || first === undefined ? rest : [first, ...rest]
  let hasSection = false
  const body = blocks.map(({ kind, lines }) => {
    const [line = ""] = lines
    if (kind === "bullet") return html`<ul>${lines.map(item)}</ul>`
    if (kind === "number") return html`<ol>${lines.map(item)}</ol>`
    if (kind === "text") return html`<p>${inlineMarkdown(lines.map((one) => one.trim()).join(" "))}</p>`
    const isSection = !hasSection || /^##? /.test(line)
    hasSection = true
    return isSection
      ? html`<h2>${inlineMarkdown(withoutMark(line))}</h2>`
      : html`<h3>${inlineMarkdown(withoutMark(line))}</h3>`
  })
  return {
    title: isTitled ? withoutMark(first.lines[0] ?? "") : undefined,
    body: new Html(body.map((block) => block.text).join("\n"))
  }
}
