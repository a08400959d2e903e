// The filters of a list. On a small screen they fold behind a button that says how many are set, so that the list comes first.
import { Html, html, nothing } from "#adapters/html/Html.ts"

/** `set`: the conditions that the address names. Those with a `usual` value count once they differ from it. */
export const folded = (filters: Html, set: URLSearchParams, usual: Readonly<Record<string, string>> = {}): Html => {
  const names = new Set([...set].flatMap(([name, value]) => (value === (usual[name] ?? "") ? [] : [name])))
  const count =
    names.size === 0 ? nothing : html` <span class="count">${names.size}<span class="unseen"> set</span></span>`
  return html`<details class="fold"${new Html(names.size === 0 ? "" : " open")}><summary>Filter${count}</summary>
${filters}
</details>`
}
