// How each assistant is connected: what to press there, with this service's address to copy. A press selects the whole of what is to be copied.
import { type Html, html, nothing } from "#adapters/html/Html.ts"

interface Guide {
  readonly assistant: string
  /** What to press until the assistant sends its person here. `copied`: the address, or the text that bears it. */
  readonly steps: (copied: (text: string) => Html) => ReadonlyArray<Html>
  /** What follows once it was allowed. */
  readonly after: Html
}

const JSON_INDENT = 2

/** The name under which an assistant lists the service. */
const NAME = "backlinks"

const guidesFor = (address: string): ReadonlyArray<Guide> => [
  {
    assistant: "ChatGPT",
    steps: (copied) => [
      html`Open Settings → Apps &amp; Connectors → Advanced settings, and switch the developer mode on.`,
      html`Press Create, paste this address as the MCP server URL, choose OAuth, and press Create: ${copied(address)}`
    ],
    after: html`In a chat, choose the connector under +.`
  },
  {
    assistant: "Claude (claude.ai and Claude Desktop)",
    steps: (copied) => [
      html`Open Settings → Connectors → Add custom connector.`,
      html`Paste this address, press Add, then Connect: ${copied(address)}`
    ],
    after: html`In a chat, switch the connector on under Search and tools.`
  },
  {
    assistant: "Claude Code",
    steps: (copied) => [
      html`Run this command: ${copied(`claude mcp add --transport http ${NAME} ${address}`)}`,
      html`In a session, type <code>/mcp</code>, choose ${NAME} and Authenticate.`
    ],
    after: html`Return to the terminal.`
  },
  {
    assistant: "VS Code",
    steps: (copied) => [
      html`In the command palette, choose MCP: Add Server… → HTTP, paste this address, and give it a name: ${copied(address)}`,
      html`Press Start above its entry. VS Code asks to open the sign-in page: press Allow.`
    ],
    after: html`Let the browser open VS Code again.`
  },
  {
    assistant: "Cursor",
    steps: (copied) => [
      html`Open Settings → MCP → Add new MCP server, and add this: ${copied(JSON.stringify({ mcpServers: { [NAME]: { url: address } } }, null, JSON_INDENT))}`,
      html`Press Needs login beside the server.`
    ],
    after: html`Let the browser open Cursor again.`
  }
]

const NOT_PUBLIC = html`<p class="note">Only assistants on this computer or in its network reach this address. ChatGPT and claude.ai need one that begins with https:// and is open to the internet.</p>
`

const copied = (text: string): Html => html`<pre class="copied">${text}</pre>`

/** `publicUrl`: where assistants reach the service, without a slash at its end. */
export const assistantGuides = (publicUrl: string): Html => {
  const address = `${publicUrl}/mcp`
  const guide = ({ assistant, steps, after }: Guide): Html => html`<details><summary>${assistant}</summary>
<ol class="stack">${[...steps(copied), html`A page of this service opens. Sign in, choose what the assistant may do and spend, and press Allow.`, after].map((step) => html`<li>${step}</li>\n`)}</ol></details>
`
  return html`<h2>Connect an assistant</h2>
<p>All that an assistant needs is this address. It sends you here to sign in, and shows what it asks for and within which limits, before you allow it.</p>
${copied(address)}
${publicUrl.startsWith("https:") ? nothing : NOT_PUBLIC}<div class="guides">
${guidesFor(address).map(guide)}</div>
<p class="hint">Another assistant or MCP client: add the address as a connector or MCP server. One that cannot open this page gets a <a href="/account/keys">key</a> instead.</p>`
}
