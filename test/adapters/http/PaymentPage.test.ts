// The payment page on a narrow screen: no content is wider than the screen.
import { expect, it } from "vitest"
import { html } from "#adapters/http/Html.ts"
import { layout } from "#adapters/http/PaymentPage.ts"

const page = layout("Your order", html`<p>ord_…</p>`)

it("breaks long words such as an order id anywhere on the page", () => {
  expect(page).toMatch(/^body \{.*overflow-wrap: anywhere;.*\}$/m)
})

it("stacks the cells of a line when there is no room side by side", () => {
  expect(page).toMatch(/@media \(max-width: 34rem\) \{[^@]*\ntr \{ display: grid;/)
})
