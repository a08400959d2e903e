// Filters of a list: folded on small screens, open once one is set, with the number of those.
import { expect, it } from "vitest"
import { html } from "#adapters/html/Html.ts"
import { folded } from "#adapters/web/form/Filters.ts"

const shown = (query: string, usual = {}) => folded(html`<form></form>`, new URLSearchParams(query), usual).text

it("are folded while none is set, or only what is usual", () => {
  const closed = '<details class="fold"><summary>Filter</summary>\n<form></form>\n</details>'
  expect([shown(""), shown("status=&text="), shown("mode=live", { mode: "live" })]).toEqual([closed, closed, closed])
})

it("are open and counted once some are set, a name with several values once", () => {
  expect(shown("shelf=Corail&shelf=Nautilus&sort=price&mode=live", { sort: "id", mode: "live" })).toContain(
    '<details class="fold" open><summary>Filter <span class="count">2<span class="unseen"> set</span></span></summary>'
  )
})
