// The scripts of the member area, for passkeys alone: the library `@simplewebauthn/browser`, and the module that uses it in forms.
import { Layer } from "effect"
import { html } from "#adapters/html/Html.ts"
import { staticFile } from "#adapters/html/StaticFile.ts"

const SCRIPT = "text/javascript; charset=utf-8"

/** The package exports its modules alone; this one file has them all. */
const bundle = new URL("../dist/bundle/index.umd.min.js", import.meta.resolve("@simplewebauthn/browser"))

const library = staticFile("/account/webauthn.js", bundle, SCRIPT)
const forms = staticFile("/account/passkeys.js", new URL("./passkeys.js", import.meta.url), SCRIPT)

export const scriptRoutes = [library.route, forms.route]

export const layer = Layer.merge(library.layer, forms.layer)

/** In the head of each page with a form that asks for a passkey. Both run once the page is there, in this order. */
export const passkeyScripts = html`<script src="${library.url}" defer></script>
<script src="${forms.url}" type="module"></script>`
