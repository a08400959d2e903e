// A JSON Schema in words: the type of a value, and the fields of an object.
import type { JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { Html, html, nothing } from "#adapters/html/Html.ts"
import { inlineMarkdown } from "#adapters/html/Markdown.ts"
import type { Parameter, SchemaNode } from "./ApiDescription.ts"

const TYPES: Readonly<Record<string, string>> = { string: "text", integer: "whole number", array: "list" }

const joined = (parts: ReadonlyArray<Html>, separator: string): Html =>
  new Html(parts.map(({ text }) => text).join(separator))

/** The type besides `null`, which stands for nothing. */
const ownType = (type: SchemaNode["type"]): string | undefined =>
  typeof type === "string" ? type : type?.find((one) => one !== "null")

const literal = (value: JsonValue): Html => html`<code>${JSON.stringify(value)}</code>`

/** The name of a schema of the document, by its reference. */
export const schemaName = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

export const schemaLink = (name: string): Html => html`<a href="#${name}">${name}</a>`

/** A union by its members, and a schema that narrows another one by that one. */
const parts = ({ anyOf = [], oneOf = [], allOf = [] }: SchemaNode): ReadonlyArray<SchemaNode> => [
  ...anyOf,
  ...oneOf,
  ...allOf.slice(0, 1)
]

/** The type of a value, such as "list of text". */
export const typeText = (node: SchemaNode): Html => {
  const { $ref, type, format, enum: values, items } = node
  if (type !== undefined && typeof type !== "string")
    return joined(
      type.map((one) => typeText({ ...node, type: one })),
      " or "
    )
  if ($ref !== undefined) return schemaLink(schemaName($ref))
  if (values !== undefined) return joined(values.filter((value) => value !== null).map(literal), " or ")
  if (items !== undefined) return html`list of ${typeText(items)}`
  const members = parts(node).map(typeText)
  if (members.length > 0 && type === undefined) return joined(members, " or ")
  if (format === "date-time") return html`time`
  const own = ownType(type)
  return html`${own === undefined ? "any" : (TYPES[own] ?? own)}`
}

const described = ({ description }: { readonly description?: string | undefined }): Html =>
  description === undefined ? nothing : html`${inlineMarkdown(description)}`

/** The fields of objects without a name, within a value. */
export const innerFields = ({ properties, items, ...node }: SchemaNode): Html => {
  if (properties !== undefined) return fieldList({ properties, ...node })
  if (items !== undefined) return innerFields(items)
  return html`${parts(node).map(innerFields)}`
}

const field = (name: string, type: Html, more: Html): Html => html`<dt><code>${name}</code> <small>${type}</small></dt>
<dd>${more}</dd>
`

/** The fields of an object. Those that may be missing are marked. */
export const fieldList = ({ properties = {}, required = [] }: SchemaNode): Html => {
  const fields = Object.entries(properties)
  if (fields.length === 0) return nothing
  return html`<dl class="fields">
${fields.map(([name, node]) =>
  field(
    name,
    html`${typeText(node)}${required.includes(name) ? nothing : html`, optional`}`,
    html`${described(node)}${innerFields(node)}`
  )
)}</dl>`
}

const PLACES: Readonly<Record<string, string>> = { path: "in the path", query: "in the query", header: "a header" }

export const parameterList = (parameters: ReadonlyArray<Parameter>): Html =>
  parameters.length === 0
    ? nothing
    : html`<dl class="fields">
${parameters.map(({ name, in: place, required = false, schema, ...parameter }) =>
  field(
    name,
    html`${typeText(schema)}, ${PLACES[place] ?? place}${required ? nothing : html`, optional`}`,
    described(parameter)
  )
)}</dl>`
