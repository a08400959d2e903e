// What a page says first when it shows a form again: why, with a link to each field. Browsers move the focus there without a script, and the
// title begins with it.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { Html, html, nothing } from "#adapters/html/Html.ts"
import { afterLabel } from "./FaultWords.ts"
import type { FormState, Refused } from "./Fields.ts"

/** A form that asks for a confirmation is on its way, and not wrong. */
export const titleWith = (refused: Refused | null | undefined, title: string): string =>
  refused == null || refused.isAsked ? title : `Error: ${title}`

const escaped = (name: string): string => name.replaceAll(/[^\w-]/g, "\\$&")

/** The text of the field's label, or of its group's legend. Both are escaped in the body. */
const labelIn = ({ text }: Html, name: string): Html | undefined => {
  const [, label] =
    new RegExp(`(?: id="${escaped(name)}-legend"|<label for="${escaped(name)}")>(.*?)</l`, "s").exec(text) ?? []
  return label === undefined ? undefined : new Html(label)
}

/** A field that the page does not show is named; a passkey has none. */
const nameOf = (name: string): string => {
  const words = name.replaceAll("_", " ")
  return name === "code" ? "" : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}: `
}

const entry = (body: Html, name: string, message: string): Html => {
  const label = body.text.includes(` id="${name}"`) ? labelIn(body, name) : undefined
  return label === undefined
    ? html`<li>${nameOf(name)}${message}</li>`
    : html`<li><a href="#${name}">${label}</a>${afterLabel(message)}</li>`
}

/** What happened, and the rest; a value that is quoted may have full stops in it. */
const FIRST_SENTENCE = /^((?:“[^”]*”|[^“])*?[.?!]) (.+)$/s

const splitOf = (said: string) => {
  const [, first = said, rest] = FIRST_SENTENCE.exec(said) ?? []
  return { first, rest: rest === undefined ? "" : ` ${rest}` }
}

/** What is wrong with the only field of a form, which bears no message and names this as what describes it. */
const onlyFault = (body: Html, name: string, message: string): Html => {
  const { first, rest } = splitOf(message)
  const isShown = body.text.includes(` id="${name}"`)
  const heading = isShown ? html`<a href="#${name}">${first}</a>` : html`${nameOf(name)}${first}`
  return html`<p id="${name}-error"><strong>${heading}</strong>${rest}</p>`
}

const headingOf = ({ messages, isAsked }: Refused): string =>
  isAsked
    ? "One more step. Nothing has been done yet."
    : `Please correct ${counted(messages.size, "field")}. Nothing was changed.`

/** `body`: the page on which the form stands, and to whose fields it leads. */
export const errorSummary = (refused: Refused | null | undefined, body: Html): Html => {
  if (refused == null) return nothing
  const placeOf = ([name]: readonly [string, string]): number => {
    const place = body.text.indexOf(` id="${name}"`)
    return place < 0 ? body.text.length : place
  }
  const inOrder = [...refused.messages].toSorted((one, other) => placeOf(one) - placeOf(other))
  const entries = inOrder.map(([name, message]) => entry(body, name, message))
  const [[name, message] = ["", ""]] = inOrder
  const { problem } = refused
  const isOnly = problem === null && !refused.isAsked && inOrder.length === 1
  if (isOnly && !body.text.includes(` id="${name}-error"`))
    return html`<div class="problem" role="alert" tabindex="-1" autofocus>
${onlyFault(body, name, message)}
</div>\n`
  const { first, rest } = problem === null ? { first: headingOf(refused), rest: "" } : splitOf(problem)
  const list = entries.length === 0 ? nothing : html`\n<ul>${entries}</ul>`
  return html`<div class="${refused.isAsked ? "note" : "problem"}" role="alert" tabindex="-1" autofocus>
<p><strong>${first}</strong>${rest}</p>${list}
</div>\n`
}

/** Filters of a list that cannot be read. */
export const refusedFilters = (path: string, { values, messages }: FormState): Refused => ({
  ...{ path, values, messages, isAsked: false },
  problem: `Please correct ${counted(messages.size, "filter")}. Nothing was searched.`
})
