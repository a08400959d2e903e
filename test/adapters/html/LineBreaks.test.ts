// Where the text of a page may break: the marks change no text, no tag and no attribute, and mark amounts and long words alone.
import fc from "fast-check"
import { expect, it } from "vitest"
import { Html, html } from "#adapters/html/Html.ts"
import { withBreaks } from "#adapters/html/LineBreaks.ts"
import { property } from "#test/Property.ts"

const marked = (page: Html): string => withBreaks(page).text

const ID = "ord_01mqdbyjbj22e90fqwen7939d001"

it("keeps an amount whole, and lets what is longer than a word break", () => {
  expect(marked(html`<p>At most 1,234.50 EUR a day, -4.17 EUR for ${ID}.</p>`)).toBe(
    `<p>At most <span class="amount">1,234.50 EUR</span> a day, <span class="amount">-4.17 EUR</span> for <span class="long">${ID}.</span></p>`
  )
  expect(marked(html`${"<b>object</b>'s"}`)).not.toContain("<span")
  expect(marked(html`<p>characteristically 12.5 EUROPE 12.50 EUROPE</p>`)).not.toContain("<span")
})

it("lets a domain break at its hyphens alone, unless a part of it is longer than a word", () => {
  expect(marked(html`<p>on quietcircuit-notes.example, and copperleaf-review.example</p>`)).not.toContain("<span")
  expect(marked(html`<p>verylongwithoutanyhyphen.example</p>`)).toContain('class="long"')
  expect(marked(html`<p>https://quietcircuit-notes.example/</p>`)).toContain('class="long"')
})

it("breaks an address of mail first after its @", () => {
  expect(marked(html`<p>bo.from.accounting@willow-and-spade.example</p>`)).toBe(
    '<p><span class="long">bo.from.accounting@<wbr>willow-and-spade.example</span></p>'
  )
})

it("begins no mark within an entity, which counts as one character", () => {
  expect(marked(html`${'"t>document.title'}`)).toBe("&quot;t&gt;document.title")
})

it("leaves attributes, and elements that hold text alone or break it in their way", () => {
  for (const text of [
    `<a href="/account/orders/${ID}" title="5.00 EUR">one</a>`,
    `<option value="${ID}" selected>${ID} for 5.00 EUR</option>`,
    `<textarea id="${ID}" rows="3">\n${ID}\n5.00 EUR</textarea>`,
    `<pre>curl ${ID} 5.00 EUR</pre>`,
    `<svg viewBox="0 0 1 1"><title>5.00 EUR</title><path d="M0,0h1v1h-1zM0,0h1v1h-1z"/></svg>`
  ])
    expect(marked(new Html(text))).toBe(text)
  const twice = marked(new Html(`<pre>${ID}</pre><b>${ID}</b><pre>${ID}</pre>`))
  expect(twice).toBe(`<pre>${ID}</pre><b><span class="long">${ID}</span></b><pre>${ID}</pre>`)
})

property(
  "changes no text that a page shows",
  [fc.string({ unit: "grapheme", maxLength: 200 }), fc.string()],
  (text, value) => {
    const page = html`<p id="${value}">${text}</p>`
    expect(marked(page).replaceAll(/<span class="(?:amount|long)">|<\/span>|<wbr>/g, "")).toBe(page.text)
  }
)
