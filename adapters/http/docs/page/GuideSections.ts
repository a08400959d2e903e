// The rest of the guide: money, errors, webhooks, MCP and limits.
import { Record } from "effect"
import { MCP_ERRORS, type Policy, PUBLIC_ERRORS, TRANSPORT_ERRORS } from "#adapters/contract/errors/ErrorCode.ts"
import { PAGE_SIZE } from "#adapters/contract/schema/Paging.ts"
import { MAX_TEXT } from "#adapters/contract/schema/Text.ts"
import { mcpSettings } from "#adapters/contract/shared/McpSettings.ts"
import { ERROR_RULE, SIGNATURE_RULE } from "#adapters/contract/shared/ServiceDescription.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { inlineMarkdown } from "#adapters/html/Markdown.ts"
import { MAX_ACTIVE_KEYS } from "#core/domain/access/ApiKey.ts"
import { MAX_PAGE_SIZE } from "#core/domain/catalogue/Catalogue.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { MAX_ACTIVE_SUBSCRIPTIONS } from "#core/domain/webhooks/Subscription.ts"
import { MAX_BODY_BYTES } from "../../server/RequestBody.ts"
import { moneyRulesOfRest } from "../ApiGuide.ts"
import { detailsByCode, type SchemaNode } from "./ApiDescription.ts"
import type { Call } from "./CurlCommand.ts"
import { type AdvisedCode, ERROR_ADVICE } from "./ErrorAdvice.ts"
import type { Reader } from "./FirstOrder.ts"
import { callBlock, type Described, operationOf } from "./OperationSections.ts"
import { innerFields } from "./SchemaText.ts"

export const moneySection = (): Html => html`<section>
<h2 id="money">Money</h2>
<ul>
${moneyRulesOfRest.map(
  (rule) => html`<li>${inlineMarkdown(rule)}</li>
`
)}</ul>
</section>`

const POLICIES: Readonly<Record<AdvisedCode, Policy>> = { ...TRANSPORT_ERRORS, ...PUBLIC_ERRORS, ...MCP_ERRORS }

const statusesOf = ({ status, otherStatuses = [] }: Policy): string => [status, ...otherStatuses].join(", ")

const errorRow = (code: AdvisedCode, details: SchemaNode | undefined): Html => html`<tr id="${code}">
<th scope="row"><code>${code}</code></th>
<td data-label="Status">${statusesOf(POLICIES[code])}</td>
<td data-label="Recovery"><code>${POLICIES[code].recovery}</code></td>
<td data-label="What to do">${inlineMarkdown(ERROR_ADVICE[code])}${details === undefined ? nothing : html`<br>In <code>details</code>: ${innerFields(details)}`}</td>
</tr>
`

/** The codes of the table, by status. */
const advised = Record.keys(ERROR_ADVICE).toSorted((one, other) => POLICIES[one].status - POLICIES[other].status)

export const errorsSection = (described: Described): Html => {
  const call: Call = {
    operation: "searchSites",
    title: "See one. There is no filter `min_dr`; ignored, it would find sites that you did not ask for:",
    query: "min_dr=30",
    answers: 422
  }
  const details = detailsByCode(described.description)
  return html`<section>
<h2 id="errors">Errors</h2>
<p>${inlineMarkdown(ERROR_RULE)}</p>
${callBlock(call, operationOf(described.operations, call))}
<p>Send a request unchanged again only if <code>retryable</code> is true, after the seconds of <code>Retry-After</code>. <code>request_id</code> is for questions to the operator.</p>
<h3 id="codes">Every code, and what to do</h3>
<table aria-labelledby="codes">
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Recovery</th><th scope="col">What to do</th></tr></thead>
<tbody>
${advised.map((code) => errorRow(code, details.get(code)))}</tbody>
</table>
</section>`
}

const STANDARD_CODE = `import { Webhook } from "standardwebhooks"

const event = new Webhook(secret).verify(rawBody, headers)`

const STRIPE_CODE = `import { createHash } from "node:crypto"
import Stripe from "stripe"

const key = createHash("sha256").update(secret).digest("hex")
const event = Stripe.webhooks.constructEvent(rawBody, headers["service-signature"], key)`

const webhookCalls: ReadonlyArray<Call> = [
  {
    operation: "createWebhook",
    title:
      "Webhooks want a public https address of yours that answers a POST: put it into `WEBHOOK_URL`, such as `export WEBHOOK_URL=https://hooks.your-shop.example/backlinks`. It is sent one empty POST now. Store the `secret`: it is shown once.",
    body: { url: "", events: ["order.published", "order.completed", "quote.paid"] },
    keeps: ["WEBHOOK_ID", "id"]
  },
  {
    operation: "testWebhook",
    title: "Have a signed test sent to it:",
    params: { id: "WEBHOOK_ID" }
  }
]

export const webhooksSection = (described: Described): Html => html`<section>
<h2 id="webhooks">Webhooks</h2>
<p>A webhook tells you what happens to orders, so that you need not ask. Without one, <a href="#listEvents">list the events</a>.</p>
${webhookCalls.map((call) => callBlock(call, operationOf(described.operations, call)))}
<p>Answer 2xx within ten seconds, and work afterwards. Anything else is sent again, for a day and more, so that an event may come twice: ignore a <code>webhook-id</code> that you have seen.</p>
<h3 id="verify">Verify what arrives</h3>
<p>Anybody can send a POST to your address. Verify the raw bytes of the body before you parse them, with the library of Standard Webhooks:</p>
<pre><code>${STANDARD_CODE}</code></pre>
<p>or with Stripe's:</p>
<pre><code>${STRIPE_CODE}</code></pre>
<p>Without a library: <code>Service-Signature</code> is <code>t=&lt;unix&gt;,v1=&lt;hex&gt;</code>. ${inlineMarkdown(SIGNATURE_RULE)}</p>
<h3 id="events">Events</h3>
<p>Each is <code>{ id, type, created_at, data }</code> and more: an <a href="#OrderEvent">OrderEvent</a>, a <a href="#QuoteEvent">QuoteEvent</a> or a <a href="#TestEvent">TestEvent</a>.</p>
<dl class="fields">
${Object.entries(described.description.webhooks).map(
  ([name, { post }]) => html`<dt><code>${name}</code></dt>
<dd>${inlineMarkdown(post.summary)}</dd>
`
)}</dl>
</section>`

const mcpCommand = (publicUrl: string): string => `curl -sS ${publicUrl}/mcp \\
  -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"check_balance","arguments":{}}}' | show`

export const mcpSection = ({ publicUrl, demoKeys }: Reader, connects: boolean): Html => {
  const key = demoKeys[0]?.text ?? "sn_live_paste_yours_here"
  return html`<section>
<h2 id="mcp">MCP</h2>
<p>Assistants call the same service by tools, with the same keys and the same answers (streamable HTTP, no sessions):</p>
<dl class="fields">
<dt><code>${publicUrl}/mcp</code></dt><dd>Eleven tools: search, price, order and follow. Begin with <code>about</code>.</dd>
<dt><code>${publicUrl}/mcp/full</code></dt><dd>These, and those for the days after a purchase: change, cancel, links, invoices, top-up.</dd>
${connects ? html`<dt><code>${publicUrl}/mcp/catalog</code></dt><dd>Reading alone, by a separate connection; nothing can be bought.</dd>` : nothing}
</dl>
<p>In the settings of a client that sends a key:</p>
<pre><code>${mcpSettings(publicUrl, key)}</code></pre>
${connects ? html`<p>Assistants that connect by OAuth, such as ChatGPT and claude.ai, take the address alone: an owner of the account signs in, sets limits and consents.</p>` : nothing}
<p>By hand:</p>
<pre class="command" data-answers="200"><code>${mcpCommand(publicUrl)}</code></pre>
</section>`
}

export const limitsSection = (): Html => html`<section>
<h2 id="limits">Limits</h2>
<ul>
<li>An order has 1 to ${MAX_ITEMS} links. A body has at most ${MAX_BODY_BYTES / 1_024} KiB, a text ${MAX_TEXT.toLocaleString("en")} characters unless said otherwise, a page ${PAGE_SIZE} entries unless told, at most ${MAX_PAGE_SIZE}.</li>
<li>An account has at most ${MAX_ACTIVE_KEYS} active keys and ${MAX_ACTIVE_SUBSCRIPTIONS} webhooks.</li>
<li>Calls a minute: the headers <code>RateLimit-Policy</code> and <code>RateLimit</code> of every answer say how many the key may send, and how many are left. Orders a day, and what the owner lets the key spend: <a href="#getMe">read whose key this is</a> shows both, and what is left today. Daily limits reset at 00:00 UTC.</li>
<li>Lists continue with <code>next_cursor</code>: send it as <code>cursor</code> with the same filters, until an answer has no <code>next_cursor</code>.</li>
<li>Times are RFC 3339 in UTC. Fields and parameters that are not known are refused, so that a misspelled one buys nothing.</li>
</ul>
</section>`
