// `/docs`: a guide and the API reference for people, made of the OpenAPI document. It has no script. Made at the first request, because most
// instances never get one.
import { Effect } from "effect"
import type { JsonObject } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { PURPOSE } from "#adapters/contract/shared/ServiceDescription.ts"
import { brand, documentOf, footer, PAGE_HEADERS } from "#adapters/html/Document.ts"
import { type Html, html } from "#adapters/html/Html.ts"
import { type Imprint, imprintFoot } from "#adapters/html/Imprint.ts"
import type { KeptText } from "./KeptText.ts"
import { operationsOf, readDescription } from "./page/ApiDescription.ts"
import * as DocsStylesheet from "./page/DocsStylesheet.ts"
import {
  firstOrderSection,
  idempotencySection,
  nextActionSection,
  type Reader,
  startSection
} from "./page/FirstOrder.ts"
import { errorsSection, limitsSection, mcpSection, moneySection, webhooksSection } from "./page/GuideSections.ts"
import { type Described, groupId, objectsSection, referenceSection } from "./page/OperationSections.ts"
import { firstOrder, inOrderOfCalls } from "./page/ReferenceCalls.ts"

export interface ReferencePageOptions extends Reader {
  readonly serviceName: string
  /** Who runs the service. */
  readonly imprint: Imprint
  /** Whether assistants connect by OAuth. */
  readonly connects: boolean
}

const GUIDE = [
  ["start", "Before you begin"],
  ["first-order", "Your first order"],
  ["next-action", "What to do next"],
  ["idempotency", "Retries"],
  ["money", "Money"],
  ["errors", "Errors"],
  ["webhooks", "Webhooks"],
  ["mcp", "MCP"],
  ["limits", "Limits"]
] as const

const entry = (id: string, text: string): Html => html`<li><a href="#${id}">${text}</a></li>
`

const contents = ({ description: { tags } }: Described): Html => html`<nav class="contents" aria-label="Contents">
<p>Guide</p>
<ul>
${GUIDE.map(([id, text]) => entry(id, text))}</ul>
<p><a href="#reference">Reference</a></p>
<ul>
${tags.map(({ name }) => entry(groupId(name), name))}${entry("objects", "Objects")}</ul>
</nav>`

const body = (
  described: Described,
  options: ReferencePageOptions
): Html => html`<a class="skip" href="#start">Skip the contents</a>
<header class="top">${brand(options.serviceName)}</header>
<div class="docs">
${contents(described)}
<main>
<h1>${options.serviceName}: the API</h1>
<p>${PURPOSE}</p>
<p>For programs the same is an <a href="/openapi.json">OpenAPI document</a>, for language models <a href="/llms.txt">llms.txt</a>.</p>
${startSection(options)}
${firstOrderSection(described)}
${nextActionSection()}
${idempotencySection(described)}
${moneySection()}
${errorsSection(described)}
${webhooksSection(described)}
${mcpSection(options, options.connects)}
${limitsSection()}
${referenceSection(described)}
${objectsSection(described.description)}
</main>
</div>${footer(imprintFoot(options.imprint), "foot front")}`

const pageOf = (document: JsonObject, options: ReferencePageOptions): string => {
  const description = readDescription(document)
  const operations = inOrderOfCalls(operationsOf(description))
  const described = { description, operations, order: firstOrder(operations) }
  const head = html`<link rel="stylesheet" href="${DocsStylesheet.url}">`
  return documentOf({ title: "API", serviceName: options.serviceName, head }, body(described, options))
}

/** Search engines may list it. */
const { "x-robots-tag": _, ...HEADERS } = PAGE_HEADERS

export const referencePage = (document: JsonObject, options: ReferencePageOptions): Effect.Effect<KeptText> =>
  Effect.sync(() => ({
    text: pageOf(document, options),
    contentType: "text/html; charset=utf-8",
    headers: HEADERS
  }))
