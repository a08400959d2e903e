// The reference: each operation with its commands, its fields and its answers, by group, and the objects that they name.
import type { JsonObject } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { inlineMarkdown } from "#adapters/html/Markdown.ts"
import { IDEMPOTENCY_KEY } from "../BoundOperations.ts"
import {
  type ApiDescription,
  codeOf,
  type DescribedOperation,
  examplesOf,
  isSuccess,
  jsonOf,
  type SchemaNode
} from "./ApiDescription.ts"
import { type Call, commandOf, jsonText } from "./CurlCommand.ts"
import { callsOf } from "./ReferenceCalls.ts"
import { fieldList, parameterList, schemaName, typeText } from "./SchemaText.ts"

/** The status of the call's success: 200 of one that makes nothing, where the operation has another one too. */
const answerOf = ({ answers, body }: Call, { responses }: DescribedOperation): string => {
  if (answers !== undefined) return String(answers)
  const statuses = Object.keys(responses).filter(isSuccess).toSorted()
  const isDry = typeof body === "object" && body !== null && "dry_run" in body && body["dry_run"] === true
  return (isDry ? statuses[0] : statuses.at(-1)) ?? "200"
}

/** What is answered with a status: a link to the object, or the kind of file. */
const contentOf = ({ responses }: DescribedOperation, status: string): Html => {
  const { content = {} } = responses[status] ?? {}
  const schema = jsonOf(content)?.schema
  if (schema !== undefined) return html` with ${typeText(schema)}`
  const [type] = Object.keys(content)
  return type === undefined ? nothing : html` with a file of type <code>${type}</code>`
}

const AMOUNT = /([\d,]+\.\d\d EUR)/

/** A text whose amounts stay whole. */
const withAmounts = (text: string): ReadonlyArray<Html> =>
  text.split(AMOUNT).map((part) => (AMOUNT.test(part) ? html`<span class="amount">${part}</span>` : html`${part}`))

/** The document's example of an answer, for a reader who does not send the call. */
const exampleOf = ({ answerExample }: Call, { responses }: DescribedOperation, status: string): Html => {
  const [, example] = examplesOf(responses[status]?.content).find(([name]) => name === answerExample) ?? []
  if (example === undefined) return nothing
  return html`<details>
<summary>What such an answer looks like</summary>
<pre><code>${withAmounts(jsonText(example.value))}</code></pre>
</details>`
}

/** A call as a command to copy, and what it answers. */
export const callBlock = (call: Call, operation: DescribedOperation): Html => {
  const status = answerOf(call, operation)
  return html`${call.title === undefined ? nothing : html`<p>${inlineMarkdown(call.title)}</p>`}
${call.note === undefined ? nothing : html`<p>${inlineMarkdown(call.note)}</p>`}
<pre class="command" data-answers="${status}"><code>${commandOf(call, operation)}</code></pre>
<p class="answers">Answers <strong>${status}</strong>${isSuccess(status) ? contentOf(operation, status) : nothing}.</p>
${exampleOf(call, operation, status)}`
}

const CODE = /`(\w+)`/g

/** The error codes of an operation, as its responses name them. */
const codesOf = ({ responses }: DescribedOperation): ReadonlyArray<string> =>
  Object.entries(responses).flatMap(([status, { description = "" }]) =>
    status >= "400" && status < "600" ? [...description.matchAll(CODE)].map(([, code = ""]) => code) : []
  )

/** The codes that every operation can answer. */
export const sharedCodes = (operations: ReadonlyArray<DescribedOperation>): ReadonlyArray<string> => {
  const [first = [], ...others] = operations.map(codesOf)
  return first.filter((code) => others.every((codes) => codes.includes(code)))
}

const codeLinks = (codes: ReadonlyArray<string>): Html =>
  html`${codes.map((code, index) => html`${index === 0 ? "" : ", "}<a href="#${code}"><code>${code}</code></a>`)}`

const bodyFields = ({ requestBody }: DescribedOperation, { components }: ApiDescription): Html => {
  const schema = jsonOf(requestBody?.content)?.schema
  if (schema === undefined) return nothing
  const { $ref } = schema
  const body = $ref === undefined ? schema : (components.schemas[schemaName($ref)] ?? schema)
  return html`<p>Fields of the body:</p>
${fieldList(body)}`
}

export interface Described {
  readonly description: ApiDescription
  readonly operations: ReadonlyArray<DescribedOperation>
  /** An order of one link. */
  readonly order: JsonObject
}

const operationSection = (operation: DescribedOperation, { description, operations }: Described): Html => {
  const { operationId, method, path, summary, description: text } = operation
  // The key of all calls but orders is explained once.
  const parameters = operation.parameters.filter(({ description: said }) => said !== IDEMPOTENCY_KEY["description"])
  const shared = sharedCodes(operations)
  const codes = codesOf(operation).filter((code) => !shared.includes(code))
  return html`<section>
<h4 id="${operationId}">${summary}</h4>
<p><code>${method} ${path}</code></p>
<p>${inlineMarkdown(text)}</p>
${callsOf(operation, operations).map((call) => callBlock(call, operationOf(operations, call)))}
${parameters.length === 0 ? nothing : html`<p>Parameters:</p>`}
${parameterList(parameters)}
${bodyFields(operation, description)}
${codes.length === 0 ? nothing : html`<p>Errors of this call: ${codeLinks(codes)}.</p>`}
</section>`
}

/** The operation of a call. */
export const operationOf = (
  operations: ReadonlyArray<DescribedOperation>,
  { operation }: Pick<Call, "operation">
): DescribedOperation => {
  const found = operations.find(({ operationId }) => operationId === operation)
  if (found === undefined) throw new Error(`The document has no operation ${operation}.`)
  return found
}

/** The id of a group's heading. */
export const groupId = (name: string): string => `group-${name.toLowerCase().replaceAll(" ", "-")}`

const groupSection = (name: string, text: string, described: Described): Html => {
  const own = described.operations.filter(({ tags }) => tags.includes(name))
  return html`<section>
<h3 id="${groupId(name)}">${name}</h3>
<p>${inlineMarkdown(text)}</p>
<ul>
${own.map(
  ({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>
`
)}</ul>
${own.map((operation) => operationSection(operation, described))}
</section>`
}

export const referenceSection = (described: Described): Html => html`<section>
<h2 id="reference">Reference</h2>
<p>Every call, in an order in which each command can be sent. With a live key orders are real: to try the calls without, send <code>KEY=$TEST_KEY</code> first; all but those for an invoice answer likewise.</p>
<p>Besides its own <a href="#errors">errors</a>, each call can answer ${codeLinks(sharedCodes(described.operations))}. What every POST and PATCH takes is under <a href="#idempotency">retries</a>.</p>
${described.description.tags.map(({ name, description }) => groupSection(name, description, described))}
</section>`

/** The fields of an object, those besides what it refers to, or its kinds. */
const objectFields = ({ oneOf, allOf, ...node }: SchemaNode): Html =>
  oneOf === undefined
    ? html`${fieldList(node)}${(allOf ?? []).map(fieldList)}`
    : html`<p>One of ${typeText({ oneOf })}.</p>`

export const objectsSection = ({ components: { schemas } }: ApiDescription): Html => html`<section>
<h2 id="objects">Objects</h2>
<p>What answers and bodies consist of. Answers may get new fields, and their enumerations new values, within <code>/api/v1</code>; none is removed.</p>
${Object.entries(schemas)
  // Those of the error codes are in the table of errors.
  .filter(([, node]) => codeOf(node) === undefined)
  .toSorted(([one], [other]) => one.localeCompare(other))
  .map(
    ([name, node]) => html`<section>
<h3 id="${name}">${name}</h3>
<p>${inlineMarkdown(node.description ?? "")}</p>
${objectFields(node)}
</section>
`
  )}
</section>`
