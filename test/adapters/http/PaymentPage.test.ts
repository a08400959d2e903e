// The payment page on a narrow screen: nothing in it is wider than a telephone, whatever its words are.
import { expect, it } from "vitest"
import { html } from "#adapters/http/Html.ts"
import { layout } from "#adapters/http/PaymentPage.ts"

const page = layout("Your order", html`<p>ord_…</p>`)

it("breaks words that are wider than the screen, such as an order's id, wherever they stand", () => {
  expect(page).toMatch(/^body \{.*overflow-wrap: anywhere;.*\}$/m)
})

it("lays a line's cells under one another where there is no room beside", () => {
  expect(page).toMatch(/@media \(max-width: 34rem\) \{[^@]*\ntr \{ display: grid;/)
})
