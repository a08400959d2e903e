// `/`: what this service is, where its documentation is, and with demo data the keys and a first command.
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { documentOf, pageResponse } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { ServedRoute } from "#adapters/http/server/RouteTable.ts"
import { type LegalPage, legalLinks } from "./LegalPages.ts"

export const startRoutes: ReadonlyArray<ServedRoute> = [{ method: "GET", path: "/" }]

export interface StartPageOptions {
  /** Ends without a slash. */
  readonly publicUrl: string
  /** Whether people can sign in. */
  readonly members: boolean
  readonly legal: ReadonlyArray<LegalPage>
  /** The published keys of the demo, in the order of printing; empty without demo data. */
  readonly demoKeys: ReadonlyArray<{ readonly label: string; readonly text: string }>
}

const member = html`<h2>For people</h2>
<p>Your assistant's orders, your credit, your API keys, and a Shop where you order yourself are in the <a href="/account">member area</a>.</p>`

const demo = ({ publicUrl, demoKeys }: StartPageOptions): Html => {
  const [first] = demoKeys
  if (first === undefined) return nothing
  const command = `curl -s -H "Authorization: Bearer ${first.text}" "${publicUrl}/api/v1/agent/catalog?limit=3"`
  return html`<h2>Try it with the demo data</h2>
<p>This server runs with demo data. Its keys are published, so use them for nothing of value.</p>
<dl>${demoKeys.map(({ label, text }) => html`<dt>${label}</dt><dd><code>${text}</code></dd>`)}</dl>
<p>A first command, which looks at three sites:</p>
<pre>${command}</pre>`
}

export const startPage = (options: StartPageOptions): string =>
  documentOf(
    { title: "Backlink Ordering Service", narrow: true },
    html`<main>
<h1>Backlink Ordering Service</h1>
<p>Sells backlinks to AI agents and the people they work for. An agent searches the catalogue, orders within the limits that its human has set, and follows each link until it is online. No card is ever charged without a human.</p>
<h2>For agents and their developers</h2>
<ul>
<li><a href="/docs">API reference</a>, and the same as <a href="/openapi.json">OpenAPI</a></li>
<li><a href="/llms.txt">llms.txt</a>: a guide in plain text for language models</li>
<li>MCP endpoint: <code>${options.publicUrl}/mcp</code>, with more tools <code>${options.publicUrl}/mcp/full</code>, and for reading alone <code>${options.publicUrl}/mcp/catalog</code></li>
<li><a href="/.well-known/mcp/server-card.json">Server card</a> and <a href="/server.json">registry entry</a> of the MCP endpoint</li>
</ul>
${options.members ? member : nothing}
${demo(options)}
${legalLinks(options.legal)}
</main>`
  )

export const layer = (options: StartPageOptions) =>
  Layer.effectDiscard(
    Effect.flatMap(HttpRouter.HttpRouter, (router) => router.add("GET", "/", pageResponse(startPage(options))))
  )
