// The page that shows the text of a new key, until it is kept, with what an agent needs beside it.
import { Schema } from "effect"
import { mcpSettings } from "#adapters/contract/shared/McpSettings.ts"
import { type Html, html } from "#adapters/html/Html.ts"
import { Mode } from "#core/domain/shared/DecisionContext.ts"
import { onceShown } from "./OnceShown.ts"

const NewKey = Schema.Struct({ label: Schema.String, mode: Mode, text: Schema.String })

/** One press selects all of the key, so that it can be copied without a script. */
const newKeyBody = (
  { label, mode, text }: typeof NewKey.Type,
  publicUrl: string
): Html => html`<p class="done" role="status">The key <strong>${label}</strong> is active${mode === "sandbox" ? ", for the sandbox" : ""}. Copy it now: once you have left this page, nothing shows it again.</p>
<div class="field wide">
<label for="key">The key</label>
<output class="secret copied" id="key">${text}</output>
</div>
<h2>For an assistant that speaks MCP</h2>
<pre>${mcpSettings(publicUrl, text)}</pre>
<h2>For a first try</h2>
<pre>curl -s -H "Authorization: Bearer ${text}" ${publicUrl}/api/v1/agent/balance</pre>`

export const newKeyPage = onceShown({
  ...{ path: "/account/keys/new/:shown", section: "Keys", title: "Your new key", secret: NewKey },
  back: "/account/keys",
  body: (made, { publicUrl }) => newKeyBody(made, publicUrl),
  gone: html`<p>Did you not copy your new key? <a href="/account/keys">Replace or revoke it</a>.</p>`
})
