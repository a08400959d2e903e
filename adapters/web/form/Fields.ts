// The fields of forms as data: each knows its schema and its control, which shows its label, its hint, what was typed, and beside it
// what is wrong.
import { Schema, type SchemaAST } from "effect"
import { Html, html, nothing } from "#adapters/html/Html.ts"
import { anyText, eurField, uploadedText } from "./FieldSchemas.ts"
import type { FieldMessages } from "./FormBody.ts"

/** What a form shows: what was typed, and the messages for its fields. `form`: the id of the form that controls outside of it belong to. */
export interface FormState {
  readonly values: URLSearchParams
  readonly messages: FieldMessages
  readonly form?: string
  /** The page says first what is wrong with its only field, and does not repeat it beside the field. */
  readonly saidFirst?: boolean
}

/** Why a form was refused, for the page that shows it again. */
export interface Refused extends FormState {
  /** The path that it was sent to. */
  readonly path: string
  /** About the form as a whole. */
  readonly problem: string | null
  /** It had no room for a confirmation, which is asked for now. */
  readonly isAsked: boolean
  /** Fields whose values were not typed by a person, and have those of the page again. */
  readonly renewed?: ReadonlySet<string>
}

/** A form as it is first shown, with these values. */
export const fresh = (values: Readonly<Record<string, string>> = {}): FormState => {
  return { values: new URLSearchParams(values), messages: new Map() }
}

export interface Field<S extends Schema.ConstraintDecoder<unknown> = Schema.ConstraintDecoder<unknown>> {
  readonly schema: S
  readonly control: (name: string, state: FormState) => Html
  /** Fields in a row with the same legend are one group. */
  readonly legend?: string
  /** Said once for the group, below its legend. */
  readonly groupHint?: string
  /** The group is folded below its legend until one of its fields has a value or a message. */
  readonly folds?: true
  /** A person chooses of what it offers. */
  readonly offers?: true
  /** Its value comes from the page, or from a script. */
  readonly unseen?: true
}

/** Their names, in the order in which they are shown. */
export type Fields = Readonly<Record<string, Field>>

/** What the fields of a form say. */
export type Values<F extends Fields> = Schema.Struct.Type<{ readonly [Name in keyof F]: F[Name]["schema"] }>

/** `check`: where one field depends on another. */
export const schemaOf = <F extends Fields>(
  fields: F,
  check?: SchemaAST.Check<Values<F>>
): Schema.ConstraintDecoder<Values<F>> => {
  const struct = Schema.Struct(Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])))
  // The entries of a record lose the types of its names.
  return (check === undefined ? struct : struct.check(check as never)) as never
}

/** The names of those that a person fills in. */
export const typedFields = (fields: Fields): ReadonlyArray<string> =>
  Object.keys(fields).filter((name) => fields[name]?.unseen !== true)

/** A group inside its frame, or folded below its legend. */
const grouped = (fields: Fields, state: FormState, names: ReadonlyArray<string>): Html => {
  const { legend, groupHint: hint, folds = false } = fields[names[0] ?? ""] ?? {}
  const controls = names.map((name) => html`${fields[name]?.control(name, state) ?? nothing}\n`)
  if (legend === undefined) return html`${controls}`
  const isUsed = names.some((name) => state.messages.has(name) || (state.values.get(name) ?? "") !== "")
  if (folds) return html`<details${flag("open", isUsed)}><summary>${legend}</summary>\n${controls}</details>\n`
  const about = hint === undefined ? nothing : html`<p class="field hint" id="${names[0] ?? ""}-group">${hint}</p>\n`
  return html`<fieldset${attribute("aria-describedby", hint === undefined ? undefined : `${names[0]}-group`)}><legend>${legend}</legend>
${about}${controls}</fieldset>\n`
}

export const controlsOf = (fields: Fields, state: FormState): Html => {
  const groups: Array<Array<string>> = []
  for (const [name, { legend }] of Object.entries(fields)) {
    const last = groups.at(-1)
    if (last !== undefined && fields[last[0] ?? ""]?.legend === legend) last.push(name)
    else groups.push([name])
  }
  return html`${groups.map((names) => grouped(fields, state, names))}`
}

/** Fields as a group with this legend. `groupHint`: what holds for all of them. */
export const under = <F extends Fields>(legend: string, fields: F, groupHint?: string): F => {
  const group = { legend, ...(groupHint === undefined ? {} : { groupHint }) }
  // The same names with the same fields.
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, ...group }])) as F
}

export const attribute = (name: string, value: string | number | undefined): Html =>
  value === undefined ? nothing : html` ${new Html(name)}="${value}"`

export const flag = (name: string, on: boolean | undefined): Html => (on ? new Html(` ${name}`) : nothing)

type Options = { readonly hint?: string }

const hintOf = (name: string, { hint }: Options): Html =>
  hint === undefined ? nothing : html`<span class="hint" id="${name}-hint">${hint}</span>`

export const messageOf = (name: string, { messages, saidFirst }: FormState): Html => {
  const message = messages.get(name)
  return message === undefined || saidFirst ? nothing : html`<span class="error" id="${name}-error">${message}</span>`
}

export const describedBy = (name: string, { messages }: FormState, { hint }: Options): Html => {
  const wrong = messages.has(name)
  const ids = [...(hint === undefined ? [] : [`${name}-hint`]), ...(wrong ? [`${name}-error`] : [])]
  return html`${attribute("aria-describedby", ids.length === 0 ? undefined : ids.join(" "))}${flag('aria-invalid="true"', wrong)}`
}

/** `inner`: the control, with the attributes that lead to its hint and its message. */
const framed =
  (label: string, options: Options, inner: (name: string, described: Html, state: FormState) => Html) =>
  (name: string, state: FormState): Html =>
    html`<div class="field">
<label for="${name}">${label}</label>
${hintOf(name, options)}
${inner(name, describedBy(name, state, options), state)}
${messageOf(name, state)}
</div>`

export type Decoder = Schema.ConstraintDecoder<unknown>

export interface TextOptions extends Options {
  readonly type?: "email" | "url" | "date" | "search" | "password"
  readonly required?: boolean
  readonly maxLength?: number
  readonly autocomplete?: string
  readonly inputMode?: "decimal" | "numeric"
  /** Not shown again: a secret, or a code that counts once. */
  readonly once?: boolean
  /** What the browser offers while one types; other texts can be typed as well. */
  readonly offers?: ReadonlyArray<string>
}

/** `id`: by which the control names it. */
const offered = (id: string, offers: ReadonlyArray<string>): Html =>
  offers.length === 0
    ? nothing
    : html`\n<datalist id="${id}">${offers.map((one) => html`<option value="${one}"></option>`)}</datalist>`

/** What is typed is checked by the service; the browser's own checks only save a round trip. */
export const text = <S extends Decoder>(schema: S, label: string, options: TextOptions = {}): Field<S> => {
  const { type = "text", required, maxLength, autocomplete, inputMode, once = false, offers = [] } = options
  const control = framed(
    label,
    options,
    (name, described, { values, form }) =>
      html`<input id="${name}" name="${name}"${attribute("form", form)} type="${type}"${attribute("dir", type === "text" || type === "search" ? "auto" : undefined)} value="${once ? "" : (values.get(name) ?? "")}"${flag("required", required)}${attribute("maxlength", maxLength)}${attribute("autocomplete", autocomplete)}${attribute("inputmode", inputMode)}${attribute("list", offers.length === 0 ? undefined : `${name}-offers`)}${described}>${offered(`${name}-offers`, offers)}`
  )
  return { schema, control }
}

/** An amount of euros that may be left out. */
export const amount = (label: string, hint?: string) =>
  text(Schema.optionalKey(eurField), label, { ...(hint === undefined ? {} : { hint }), inputMode: "decimal" })

/** Text of several lines. */
export const lines = <S extends Decoder>(schema: S, label: string, options: Options = {}): Field<S> => ({
  schema,
  // A line break directly after the tag is dropped by parsers; this one keeps the first of the text.
  control: framed(
    label,
    options,
    (name, described, { values }) => html`<textarea id="${name}" name="${name}" rows="3" dir="auto"${described}>
${values.get(name) ?? ""}</textarea>`
  )
})

/** A file, whose text is what the field says. `accept`: the kinds that a browser offers. */
export const file = (label: string, accept: string, options: Options): Field<typeof uploadedText> => ({
  schema: uploadedText,
  control: framed(
    label,
    options,
    (name, described) => html`<input id="${name}" name="${name}" type="file" accept="${accept}"${described}>`
  )
})

export interface Choice {
  readonly value: string
  readonly label: string
}

/** `rows`: several of them may be chosen, from a list that shows so many. */
export const choice = <S extends Decoder>(
  schema: S,
  label: string,
  choices: ReadonlyArray<Choice>,
  { rows, ...options }: Options & { readonly rows?: number } = {}
): Field<S> => ({
  schema,
  offers: true,
  control: framed(label, options, (name, described, { values }) => {
    const chosen = rows === undefined ? [values.get(name) ?? ""] : values.getAll(name)
    return html`<select id="${name}" name="${name}"${flag("multiple", rows !== undefined)}${attribute("size", rows)}${described}>
${choices.map(({ value, label: said }) => html`<option value="${value}"${flag("selected", chosen.includes(value))}>${said}</option>`)}
</select>`
  })
})

const Ticked = Schema.optionalKey(Schema.Literal("on"))

/** Sends `on` if it is checked, and nothing otherwise. */
export const tick = (label: string): Field<typeof Ticked> => ({
  schema: Ticked,
  control: (name, state) => html`<div class="choice">
<input id="${name}" name="${name}"${attribute("form", state.form)} type="checkbox" value="on"${flag("checked", state.values.get(name) === "on")}${describedBy(name, state, {})}>
<span><label for="${name}">${label}</label>${messageOf(name, state)}</span>
</div>`
})

export const hiddenInput = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/** What the page gave the form, such as the id of what it makes. */
export const hidden = <S extends Decoder>(schema: S): Field<S> => ({
  schema,
  unseen: true,
  control: (name, { values }) => hiddenInput(name, values.get(name) ?? "")
})

/** What the person saw when the form was shown. */
export const seen = (what: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(
    Object.entries(what).map(([name, value]) => [
      name,
      { schema: anyText, unseen: true, control: () => hiddenInput(name, value) }
    ])
  )

/** Whether the form was sent from a page that showed this. */
export const wasSeen = (what: Readonly<Record<string, string>>, form: URLSearchParams): boolean =>
  Object.entries(what).every(([name, value]) => form.get(name) === value)

/** A hidden field that the script fills, and where it says that it could not. `options`: where it learns what to ask. */
export const passkey = (options: string): Field<typeof anyText> => ({
  schema: anyText,
  unseen: true,
  control: (name) => html`<input type="hidden" name="${name}" value="" data-options="${options}">
<p class="problem" role="alert" data-passkey-problem hidden></p>`
})
