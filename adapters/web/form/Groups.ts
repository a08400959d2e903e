// Fields of which several controls have one name: boxes of which each may be checked, and buttons of which one may be. Fields that are folded.
import { type Html, html } from "#adapters/html/Html.ts"
import {
  attribute,
  type Choice,
  type Decoder,
  describedBy,
  type Field,
  type Fields,
  flag,
  messageOf
} from "./Fields.ts"

interface Option extends Choice {
  /** Its label has the look of a warning. */
  readonly warns?: boolean
}

/** One control of a group, with its own label. */
const oneOf = (id: string, { value, label, warns }: Option, kind: Html, state: Html): Html => html`<div class="choice">
<input id="${id}"${kind} value="${value}"${state}>
<label for="${id}"${attribute("class", warns ? "pill wait" : undefined)}>${label}</label>
</div>`

/** The first control has the name as its id, so that the summary of errors leads there. */
const group = (name: string, label: string, controls: ReadonlyArray<Html>, message: Html): Html =>
  html`<fieldset><legend id="${name}-legend">${label}</legend>
${controls}
${message}
</fieldset>`

const idOf = (name: string, index: number): string => (index === 0 ? name : `${name}-${index}`)

/** Several values of one name: each checked box sends its own. */
export const ticks = <S extends Decoder>(schema: S, label: string, choices: ReadonlyArray<Choice>): Field<S> => ({
  schema,
  offers: true,
  control: (name, state) => {
    const described = describedBy(name, state, {})
    const controls = choices.map((one, index) => {
      const isChecked = flag("checked", state.values.getAll(name).includes(one.value))
      return oneOf(idOf(name, index), one, html` name="${name}" type="checkbox"`, html`${isChecked}${described}`)
    })
    return group(name, label, controls, messageOf(name, state))
  }
})

/** One of several, with nothing chosen beforehand unless there is a value; the browser asks for one. */
export const radios = <S extends Decoder>(schema: S, label: string, choices: ReadonlyArray<Option>): Field<S> => ({
  schema,
  offers: true,
  control: (name, state) => {
    const described = describedBy(name, state, {})
    const controls = choices.map((one, index) => {
      const isChecked = flag("checked", state.values.get(name) === one.value)
      return oneOf(idOf(name, index), one, html` name="${name}" type="radio"`, html` required${isChecked}${described}`)
    })
    return group(name, label, controls, messageOf(name, state))
  }
})

/** Fields that most leave empty, folded below this text. */
export const foldedUnder = (legend: string, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, legend, folds: true }]))
