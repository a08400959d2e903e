// The page that shows the text of a new key, until it is kept, with what an agent needs beside it.
import { Schema } from "effect"
import { mcpSettings } from "#adapters/contract/shared/McpSettings.ts"
import { type Html, html } from "#adapters/html/Html.ts"
import { Mode } from "#core/domain/shared/DecisionContext.ts"
import { onceShown } from "./OnceShown.ts"

const NewKey = Schema.Struct({ label: Schema.String, mode: Mode, text: Schema.String })

/** One press selects all of what is to be copied, without a script. */
const newKeyBody = (
  { label, mode, text }: typeof NewKey.Type,
  publicUrl: string
): Html => html`<p class="done" role="status">The key <strong>${label}</strong> is active${mode === "sandbox" ? ", for the sandbox" : ""}. Copy it now: it is not shown again. One press selects all of it.</p>
<div class="field wide">
<label for="key">The key</label>
<output class="secret copied" id="key">${text}</output>
</div>
<h2>Where it goes</h2>
<p>Into the settings of your assistant or program, and nowhere else: anyone who has it can use it in your name.</p>
<h3>An assistant that takes MCP settings</h3>
<pre class="copied">${mcpSettings(publicUrl, text)}</pre>
<p class="hint">ChatGPT, Claude, VS Code and Cursor can also be connected without a key: <a href="/account/connections">the guides</a> say how.</p>
<h3>A program</h3>
<p>It sends the key with each request: the <a href="/docs">documents for developers</a> say how. To try it, run this command; it shows your credit and buys nothing.</p>
<pre class="copied">curl -s -H "Authorization: Bearer ${text}" ${publicUrl}/api/v1/agent/balance</pre>`

export const newKeyPage = onceShown({
  ...{ path: "/account/keys/new/:shown", section: "Keys", title: "Your new key", secret: NewKey },
  back: "/account/keys",
  body: (made, { publicUrl }) => newKeyBody(made, publicUrl),
  gone: html`<p>Did you not copy your new key? <a href="/account/keys">Replace or revoke it</a>.</p>`
})
