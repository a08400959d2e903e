// Fields of which several controls have one name: boxes of which each may be checked, and buttons of which one may be.
import { type Html, html } from "#adapters/html/Html.ts"
import { type Choice, type Decoder, describedBy, type Field, flag, messageOf } from "./Fields.ts"

/** One control of a group, with its own label. */
const oneOf = (id: string, { value, label }: Choice, kind: Html, state: Html): Html => html`<div class="choice">
<input id="${id}"${kind} value="${value}"${state}>
<label for="${id}">${label}</label>
</div>`

const group = (label: string, controls: ReadonlyArray<Html>, message: Html): Html =>
  html`<fieldset><legend>${label}</legend>
${controls}
${message}
</fieldset>`

/** Several values of one name: each checked box sends its own. */
export const ticks = <S extends Decoder>(schema: S, label: string, choices: ReadonlyArray<Choice>): Field<S> => ({
  schema,
  control: (name, state) => {
    const isChecked = (value: string) => flag("checked", state.values.getAll(name).includes(value))
    const controls = choices.map((one, index) =>
      oneOf(`${name}-${index}`, one, html` name="${name}" type="checkbox"`, isChecked(one.value))
    )
    return group(label, controls, messageOf(name, state))
  }
})

/** One of several, with nothing chosen beforehand unless there is a value; the browser asks for one. */
export const radios = <S extends Decoder>(schema: S, label: string, choices: ReadonlyArray<Choice>): Field<S> => ({
  schema,
  control: (name, state) => {
    const described = describedBy(name, state, {})
    const controls = choices.map((one, index) => {
      const isChecked = flag("checked", state.values.get(name) === one.value)
      const id = index === 0 ? name : `${name}-${index}`
      return oneOf(id, one, html` name="${name}" type="radio"`, html` required${isChecked}${described}`)
    })
    return group(label, controls, messageOf(name, state))
  }
})
