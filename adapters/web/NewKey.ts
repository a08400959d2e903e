// The page that shows the text of a new key, once, with what an agent needs beside it.
import { type Html, html } from "#adapters/html/Html.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"

const mcpConfiguration = (text: string, publicUrl: string): string =>
  JSON.stringify(
    { mcpServers: { backlinks: { url: `${publicUrl}/mcp`, headers: { Authorization: `Bearer ${text}` } } } },
    null,
    2
  )

/** The field is selected by the browser itself, so that it can be copied without a script. */
export const newKeyBody = (
  { label, mode }: ApiKey,
  text: string,
  publicUrl: string
): Html => html`<p class="done" role="status">The key <strong>${label}</strong> is good now${mode === "sandbox" ? ", for the sandbox" : ""}. Copy it: it is shown only here, and cannot be shown again. Do not reload this page, which would create another key.</p>
<div class="field wide">
<label for="key">The key</label>
<input class="secret" id="key" type="text" value="${text}" readonly autofocus>
</div>
<h2>For an assistant that speaks MCP</h2>
<pre>${mcpConfiguration(text, publicUrl)}</pre>
<h2>For a first try</h2>
<pre>curl -s -H "Authorization: Bearer ${text}" ${publicUrl}/api/v1/agent/balance</pre>
<p><a href="/account/keys">I have copied it: back to the keys</a></p>`
