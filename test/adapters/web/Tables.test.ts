// Tables, and the links between the pages of a list.
import { describe, expect, it } from "vitest"
import { html } from "#adapters/html/Html.ts"
import {
  actions,
  addressOf,
  column,
  figures,
  meter,
  money,
  named,
  numbers,
  pageLinks,
  plainly,
  table
} from "#adapters/web/Tables.ts"

it("a bar of what is used stays within its limit, and near it has another colour", () => {
  expect(meter(0.25, "25.00 of 100.00 EUR").text).toBe(
    '<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="25.00 of 100.00 EUR"><rect width="25" height="6"></rect></svg>'
  )
  expect([meter(1.4, "over").text, meter(-1, "none").text]).toEqual([
    expect.stringMatching(/class="meter high".*width="100"/),
    expect.stringMatching(/class="meter".*width="0"/)
  ])
})

interface Row {
  readonly name: string
  readonly cents: number
}

const columns = [
  named<Row>("Name", ({ name }) => name),
  column<Row>("Orders today", ({ cents }) => cents, "Orders"),
  plainly<Row>("State", () => "ok"),
  numbers<Row>("Visits", ({ cents }) => cents * 2),
  money<Row>("Total", ({ cents }) => `${cents} EUR`),
  actions<Row>(({ name }) => html`<a href="/${name}">Change</a>`)
]

describe("a table", () => {
  it("has a head for its columns, and the label of a cell where a small screen shows it", () => {
    const { text } = table(columns, [{ name: "<b>", cents: 5 }], "None.")
    expect(text).toBe(`<table>
<thead><tr><th scope="col">Name</th><th scope="col">Orders today</th><th scope="col">State</th><th scope="col" class="num">Visits</th><th scope="col" class="money">Total</th><td></td></tr></thead>
<tbody><tr>
<th scope="row">&lt;b&gt;</th>
<td data-label="Orders">5</td>
<td>ok</td>
<td class="num" data-label="Visits">10</td>
<td class="money">5 EUR</td>
<td><div class="row"><a href="/&lt;b&gt;">Change</a></div></td>
</tr></tbody>
</table>`)
  })

  it("marks what says that there is nothing, which a small screen leaves out, but no zero among figures", () => {
    const sums = [column<Row>("Given back", () => "0.00 EUR"), numbers<Row>("VAT", () => "0.00 EUR")]
    const { text } = table(sums, [{ name: "June", cents: 0 }])
    expect(text).toContain('<td class="zero" data-label="Given back">0.00 EUR</td>')
    expect(text).toContain('<td class="num" data-label="VAT">0.00 EUR</td>')
  })

  it("says what is missing instead of having no rows", () => {
    expect(table(columns, [], html`None <i>yet</i>.`).text).toBe('<p class="empty">None <i>yet</i>.</p>')
    expect(table(columns, []).text).toContain("<thead>")
  })

  it("stands beside figures", () => {
    const { text } = figures([
      ["Credit", "5 EUR"],
      ["Held", "0 EUR", "for unpaid orders"]
    ])
    expect(text).toContain(
      '<li class="card pad stack"><span class="small">Credit</span><span class="figure">5 EUR</span></li>'
    )
    expect(text).toContain('<span class="figure">0 EUR</span><span class="small">for unpaid orders</span>')
  })
})

describe("the links of a list", () => {
  const texts = { first: "Newest", next: "Older" }
  const filters = new URLSearchParams({ mode: "sandbox" })

  it("lead on and back to the beginning, with the conditions of the list", () => {
    const middle = pageLinks({ path: "/list", filters, at: "b", next: "c" }, texts).text
    expect(middle).toContain('<li><a href="/list?mode=sandbox">Newest</a></li>')
    expect(middle).toContain('<li><a rel="next" href="/list?mode=sandbox&amp;before=c">Older</a></li>')
    expect(pageLinks({ path: "/list", at: null, next: 7 }, texts, { name: "after" }).text).toBe(
      '<nav aria-label="Pages"><ul class="pages">\n<li><a rel="next" href="/list?after=7">Older</a></li>\n</ul></nav>'
    )
  })

  it("are none on the only page, unless there are further ones", () => {
    const only = { path: "/list", at: null, next: null }
    expect(pageLinks(only, texts).text).toBe("")
    expect(pageLinks(only, texts, { more: [html`<a href="/list.csv">CSV</a>`] }).text).toContain("CSV")
  })

  it("name a place and the conditions in the address", () => {
    expect(addressOf("/list")).toBe("/list")
    expect(addressOf("/list", filters, { niche: "a b" })).toBe("/list?mode=sandbox&niche=a+b")
  })
})
