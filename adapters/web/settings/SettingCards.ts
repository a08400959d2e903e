// The parts that the settings are made of: a card for each topic, in it a line for each setting.
import { type Html, html, nothing } from "#adapters/html/Html.ts"

export const SETTINGS_PATH = "/account/settings"

/** `parts`: lines, tables and forms, one below the other. */
export const topic = (id: string, heading: string, about: Html | string, parts: ReadonlyArray<Html>): Html =>
  html`<section class="card" id="${id}" aria-labelledby="${id}-heading">
<div class="pad stack"><h2 id="${id}-heading">${heading}</h2><p class="small">${about}</p></div>
${parts}
</section>`

/** `value`: as it is set now. `change`: the link or the button that changes it. */
export const setting = (name: string, value: Html | string, change: Html = nothing): Html =>
  html`<div class="pad lined between row"><div class="stack"><strong>${name}</strong><span>${value}</span></div>${change}</div>\n`

/** `about`: what a reader of links alone hears. `look`: `danger` where it leads to what cannot be taken back. */
export const linkTo = (path: string, label: string, about = label, look: "" | " danger" = ""): Html =>
  html`<a class="btn sm${look}" href="${path}"${label === about ? nothing : html` aria-label="${about}"`}>${label}</a>`
