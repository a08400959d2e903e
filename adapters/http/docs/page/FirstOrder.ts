// The beginning of the guide: a key, the first order, what to do after an answer, and what a retry does.

import type { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { isObject, type JsonObject } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { PURCHASE_KEY_RULE, SANDBOX_RULE } from "#adapters/contract/shared/ServiceDescription.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { inlineMarkdown } from "#adapters/html/Markdown.ts"
import { type Call, setupCommands } from "./CurlCommand.ts"
import { callBlock, type Described, operationOf } from "./OperationSections.ts"

export interface Reader {
  /** Ends without a slash. */
  readonly publicUrl: string
  /** Whether people sign in, so that an owner makes keys. */
  readonly members: boolean
  /** The published keys of the demo; empty without demo data. */
  readonly demoKeys: ReadonlyArray<{ readonly label: string; readonly text: string }>
  /** `null` for none. */
  readonly supportContact: string | null
}

const keyStarting = ({ demoKeys }: Reader, prefix: string): string =>
  demoKeys.find(({ text }) => text.startsWith(prefix))?.text ?? `${prefix}paste_yours_here`

const whereKeysAre = ({ demoKeys, members, supportContact }: Reader): Html => {
  if (demoKeys.length > 0)
    return html`<p>This service runs with demo data. Its keys are published and stand in the commands already; the account has credit, and nothing that you order is real.</p>`
  if (members)
    return html`<p><a href="/account/keys">Sign in</a> and create two keys under <strong>Keys</strong>: one for the sandbox, to try everything, and a live one to buy. Each is shown once. Put them in place of <code>paste_yours_here</code>.</p>`
  return html`<p>The operator of this service makes keys${supportContact === null ? nothing : html`: ask ${supportContact}`}. Put yours in place of <code>paste_yours_here</code>.</p>`
}

export const startSection = (reader: Reader): Html => html`<section>
<h2 id="start">Before you begin</h2>
${whereKeysAre(reader)}
<p>${inlineMarkdown(SANDBOX_RULE)}, and the calls under <a href="#group-sandbox">Sandbox</a> play the parts of your human and of the publisher.</p>
<p>The commands need bash or zsh, and curl; on Windows, WSL or Git Bash. Run them in one terminal from top to bottom: a command keeps an id in a variable for those below. Begin with this one:</p>
<pre class="command"><code>${setupCommands({
  publicUrl: reader.publicUrl,
  key: keyStarting(reader, "sn_live_"),
  testKey: keyStarting(reader, "sn_test_")
})}</code></pre>
<p><code>show</code> prints an answer, formatted by <code>jq</code> if you have it. <code>pick</code> prints it too, and hands one value of it to the variable. A click on a command selects all of it.</p>
</section>`

/** The reader's own words. */
const FILLS = { anchor_text: "$ANCHOR_TEXT" }

/** Those of the example, to be replaced. */
const examplePage = (order: JsonObject): string => {
  const [item] = Array.isArray(order["items"]) ? order["items"] : []
  const { target_url = "", anchor_text = "" } = isObject(item) ? item : {}
  return `TARGET_URL=${target_url}\nANCHOR_TEXT="${anchor_text}"`
}

const firstOrder = ({ order }: Described): ReadonlyArray<Call> => [
  {
    operation: "searchSites",
    title:
      "**1. Find a site.** The shelf is its class: Plancton, Corail or Nautilus, from entry-level to the strongest. The first site found is taken:",
    query: "shelf=Corail&language=en&sort=price&limit=3",
    keeps: ["SITE_ID", "id"],
    answerExample: "by_niche"
  },
  {
    operation: "createOrder",
    title:
      "**2. See the price.** A dry run checks and prices the whole order and writes nothing. Put the page that you want links to, and the words of the link, into the first two lines:",
    prepare: examplePage(order),
    fills: FILLS,
    body: { ...order, dry_run: true },
    answerExample: "price_check"
  },
  {
    operation: "createOrder",
    title: `**3. Buy.** Every order begins as a quote, whose price stays; once it is paid, the order exists. \`Idempotency-Key\` makes it one purchase: ${PURCHASE_KEY_RULE}.`,
    fills: FILLS,
    prepare: "PURCHASE=order-$(date +%s)",
    body: order,
    idempotencyKey: "$PURCHASE",
    keeps: ["QUOTE_ID", "quote_id"],
    answerExample: "from_credit"
  },
  {
    operation: "getQuote",
    title:
      "**4. See whether it is paid.** With enough credit it is, and `order_id` is there. Otherwise the answer has a `payment_url` for your human: once they have paid, send this again.",
    params: { id: "QUOTE_ID" },
    keeps: ["ORDER_ID", "order_id"],
    answerExample: "paid"
  },
  {
    operation: "getOrder",
    title:
      "**5. Follow it.** Each link moves from `to_assign` to `published`, when its `published_url` is there; `due_at` says until when, and `summary` is a sentence to pass on.",
    params: { id: "ORDER_ID" },
    answerExample: "placed"
  }
]

export const firstOrderSection = (described: Described): Html => html`<section>
<h2 id="first-order">Your first order, in five commands</h2>
${firstOrder(described).map((call) => callBlock(call, operationOf(described.operations, call)))}
<p>If the search finds nothing, take a filter away: <a href="#getFacets">the facets</a> list what there is.</p>
</section>`

/** What to do with each kind of `next_action`. */
const NEXT_ACTIONS: Readonly<Record<QuoteResponse["next_action"]["type"], string>> = {
  none: "Nothing is left to do: the order is placed, or it was a dry run, or the quote has ended. Tell the user what `tell_user` says.",
  open_payment_url:
    "Give `url` to your human, who alone opens it and pays. Then read `GET /api/v1/agent/quotes/{id}` every `poll_after_seconds`, until `status` is `paid` or `abandoned`.",
  open_approval_url:
    "Your human wants to be asked. Give them `url`: signed in, they approve or decline. Poll the quote likewise; after a decline `declined_reason` is their word to you.",
  poll_quote:
    "A payment is being prepared or is under way. Show no link; read the quote again after `poll_after_seconds`."
}

export const nextActionSection = (): Html => html`<section>
<h2 id="next-action">What to do next</h2>
<p>The answer to an order has a <code>next_action</code>. Its <code>type</code> is one of these; <code>tell_user</code> is always a sentence for the person you buy for.</p>
<dl class="fields">
${Object.entries(NEXT_ACTIONS).map(
  ([type, text]) => html`<dt><code>${type}</code></dt>
<dd>${inlineMarkdown(text)}</dd>
`
)}</dl>
</section>`

export const idempotencySection = (described: Described): Html => {
  const call: Call = {
    operation: "createOrder",
    title:
      "Send the order of before once more. The answer is the first one to the byte, with `Idempotent-Replayed: true`:",
    body: described.order,
    fills: FILLS,
    idempotencyKey: "$PURCHASE",
    showsHeaders: true
  }
  return html`<section>
<h2 id="idempotency">Retries that never buy twice</h2>
<p>Every POST and PATCH takes an <code>Idempotency-Key</code>: the same request under the same key takes effect once. For an order it belongs to the account, so that another key of the account replays it too; for other calls it is bound for 24 hours to the key, method and path. A refused request binds nothing. Another body under a used key is <a href="#idempotency_key_reused"><code>idempotency_key_reused</code></a>.</p>
${callBlock(call, operationOf(described.operations, call))}
<p>After a lost connection, <a href="#findQuote">ask by the key</a> whether the order went through. What is cancelled, abandoned or deleted already is a success when it is asked for again.</p>
</section>`
}
