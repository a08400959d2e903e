// The fields of forms: each with its label, its hint, what was typed, and what is wrong with it beside it.

import { counted } from "#adapters/contract/shared/Counted.ts"
import { Html, html, nothing } from "#adapters/html/Html.ts"
import type { FieldMessages } from "./FormBody.ts"

/** What a form shows: what was typed, and the messages for its fields. */
export interface FormState {
  readonly values: URLSearchParams
  readonly messages: FieldMessages
}

/** A form as it is first shown, with these values. */
export const fresh = (values: Readonly<Record<string, string>> = {}): FormState => ({
  values: new URLSearchParams(values),
  messages: new Map()
})

export const attribute = (name: string, value: string | number | undefined): Html =>
  value === undefined ? nothing : html` ${new Html(name)}="${value}"`

export const flag = (name: string, on: boolean): Html => (on ? new Html(` ${name}`) : nothing)

interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly hint?: string
}

const messageOf = (state: FormState, name: string): Html => {
  const message = state.messages.get(name)
  return message === undefined ? nothing : html`<span class="error" id="${name}-error">${message}</span>`
}

const describedBy = (state: FormState, { name, hint }: FieldOptions): Html => {
  const wrong = state.messages.has(name)
  const ids = [...(hint === undefined ? [] : [`${name}-hint`]), ...(wrong ? [`${name}-error`] : [])]
  const described = ids.length === 0 ? nothing : attribute("aria-describedby", ids.join(" "))
  return html`${described}${wrong ? new Html(' aria-invalid="true"') : nothing}`
}

const hintOf = ({ name, hint }: FieldOptions): Html =>
  hint === undefined ? nothing : html`<span class="hint" id="${name}-hint">${hint}</span>`

const framed = (state: FormState, options: FieldOptions, control: Html): Html => html`<div class="field">
<label for="${options.name}">${options.label}</label>
${hintOf(options)}
${control}
${messageOf(state, options.name)}
</div>`

export interface InputOptions extends FieldOptions {
  readonly type?: "text" | "email" | "number" | "url" | "date" | "search" | "password"
  readonly required?: boolean
  readonly maxLength?: number
  readonly autocomplete?: string
  readonly inputMode?: "decimal" | "numeric"
  readonly min?: number
  readonly max?: number
}

/** What is typed is checked by the service; the browser's own checks only save a round trip. */
export const input = (state: FormState, options: InputOptions): Html => {
  const { name, type = "text", required = false, maxLength, autocomplete, inputMode, min, max } = options
  return framed(
    state,
    options,
    html`<input id="${name}" name="${name}" type="${type}" value="${state.values.get(name) ?? ""}"${flag("required", required)}${attribute("maxlength", maxLength)}${attribute("autocomplete", autocomplete)}${attribute("inputmode", inputMode)}${attribute("min", min)}${attribute("max", max)}${describedBy(state, options)}>`
  )
}

export const textarea = (state: FormState, options: FieldOptions & { readonly rows?: number }): Html => {
  const { name, rows = 3 } = options
  // A line break directly after the tag is dropped by parsers; this one keeps the first of the text.
  return framed(
    state,
    options,
    html`<textarea id="${name}" name="${name}" rows="${rows}"${describedBy(state, options)}>
${state.values.get(name) ?? ""}</textarea>`
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
}

export const select = (state: FormState, options: FieldOptions & { readonly choices: ReadonlyArray<Choice> }): Html => {
  const chosen = state.values.get(options.name) ?? ""
  const { name } = options
  return framed(
    state,
    options,
    html`<select id="${name}" name="${name}"${describedBy(state, options)}>
${options.choices.map(({ value, label }) => html`<option value="${value}"${flag("selected", value === chosen)}>${label}</option>`)}
</select>`
  )
}

/** A list of which several entries may be chosen. */
export const multiSelect = (
  state: FormState,
  options: FieldOptions & { readonly choices: ReadonlyArray<Choice>; readonly rows: number }
): Html => {
  const { name, choices, rows } = options
  const chosen = new Set(state.values.getAll(name))
  return framed(
    state,
    options,
    html`<select id="${name}" name="${name}" multiple size="${rows}"${describedBy(state, options)}>
${choices.map(({ value, label }) => html`<option value="${value}"${flag("selected", chosen.has(value))}>${label}</option>`)}
</select>`
  )
}

/** Several values of one name: each checked box sends its own. */
export const checkboxes = (
  state: FormState,
  { name, label, choices }: FieldOptions & { readonly choices: ReadonlyArray<Choice> }
): Html => {
  const chosen = new Set(state.values.getAll(name))
  return html`<fieldset><legend>${label}</legend>
${choices.map(
  ({ value, label: text }, index) => html`<div class="choice">
<input id="${name}-${index}" name="${name}" type="checkbox" value="${value}"${flag("checked", chosen.has(value))}>
<label for="${name}-${index}">${text}</label>
</div>`
)}
${messageOf(state, name)}
</fieldset>`
}

/** Sends `on` if it is checked, and nothing otherwise. */
export const checkbox = (state: FormState, options: FieldOptions): Html => {
  const { name, label } = options
  const checked = flag("checked", state.values.get(name) === "on")
  return html`<div class="choice">
<input id="${name}" name="${name}" type="checkbox" value="on"${checked}${describedBy(state, options)}>
<span><label for="${name}">${label}</label>${hintOf(options)}${messageOf(state, name)}</span>
</div>`
}

export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

/** Says above the form that something is wrong in it; the fields say what. Empty if nothing is. */
export const formProblem = ({ messages }: FormState): Html =>
  messages.size === 0
    ? nothing
    : html`<p class="problem" role="alert">Nothing was done: please correct ${counted(messages.size, "field")} below.</p>`

/** A button that does one thing, with the hidden values that it needs. */
export const button = (
  path: string,
  label: string,
  options: {
    readonly values?: Readonly<Record<string, string>>
    readonly kind?: "pay" | "grave" | "small"
    readonly about?: string
  } = {}
): Html => {
  const { values = {}, kind, about } = options
  // Equal buttons of a list need different names for readers that see one at a time.
  const name = about === undefined ? nothing : attribute("aria-label", `${label}: ${about}`)
  return html`<form class="inline" method="post" action="${path}">${Object.entries(values).map(([key, value]) => hidden(key, value))}<button${attribute("class", kind)} type="submit"${name}>${label}</button></form>`
}
