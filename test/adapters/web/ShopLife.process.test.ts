// A person in the Shop, in a browser without script, on a small and on a wide screen: filter, site, cart, price, order from credit, and another
// order by the payment link; two windows and a double click.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { expect } from "vitest"
import { DEMO_OWNER } from "#adapters/demo/Demo.ts"
import { HANG_TIMEOUT_MS } from "#test/HangTimeout.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser, goTo, isLeftOut } from "./Browser.ts"
import { signIn } from "./Visitors.ts"

const findSite = async (page: Page, shelf: string) => {
  await goTo(page, "Shop")
  await page.getByLabel(shelf).check()
  await page.getByText("More filters").click()
  await page.getByLabel("Niches").selectOption(["Gardening", "Cooking"])
  await page.getByLabel("Sort by", { exact: true }).selectOption("-tf")
  await page.getByRole("button", { name: "Filter" }).click()
  expect(await page.getByLabel(shelf).isChecked()).toBe(true)
  expect(
    (await page.locator("#niche option:checked").allTextContents()).map((text) => text.split(" ")[0]).sort()
  ).toEqual(["Cooking", "Gardening"])
  await page.locator("tbody th a").first().click()
}

const putIntoCart = async (page: Page, anchor: string) => {
  await page.getByLabel("Page to link to").fill("https://willow-and-spade.example/tools")
  await page.getByLabel("Anchor text", { exact: true }).fill(anchor)
  await page.getByText("Wishes for the writer, your reference and more").click()
  await page.getByLabel("AI-visibility project").selectOption({ label: "Willow & Spade, willow-and-spade.example" })
  await page.getByRole("button", { name: "Add to the cart" }).click()
  expect(await page.getByRole("status").textContent()).toContain("is in your cart")
}

const orderFromCredit = async (page: Page) => {
  await findSite(page, "Plancton")
  await page.getByLabel("Page to link to").fill("no address")
  await page.getByLabel("Anchor text", { exact: true }).fill("kept")
  await page.getByRole("button", { name: "Add to the cart" }).click()
  expect(await page.textContent("#target_url-error")).toContain("http")
  expect(await page.getByLabel("Anchor text", { exact: true }).inputValue()).toBe("kept")
  await page.goBack()
  await putIntoCart(page, "garden tools")
  await page.getByText("Promo code or your reference").click()
  await page.getByLabel("Promo code").fill("ten")
  await page.getByRole("button", { name: "Apply code" }).click()
  expect(await page.textContent("main")).toContain("Compared: TEN takes off")
  await page.getByRole("button", { name: /^Order for .* from your credit$/ }).click()
  expect(await page.getByRole("status").textContent()).toContain("is placed")
  expect(await page.textContent("main")).toContain("“garden tools”")
  await goTo(page, "Orders")
  expect(await page.locator("tbody a[href^='/account/orders/ord_']").count()).toBe(1)
}

/** Two windows of one browser: what the first shows is no longer the cart that the second has changed. */
const useTwoWindows = async (page: Page, home: string) => {
  await findSite(page, "Nautilus")
  await putIntoCart(page, "the first")
  const other = await page.context().newPage()
  await other.goto(new URL("/account", home).href)
  for (const anchor of ["the second", "the third", "the fourth"]) {
    await findSite(other, "Nautilus")
    await putIntoCart(other, anchor)
  }
  await page.getByRole("button", { name: /^Order/ }).click()
  expect(await page.textContent("main")).toContain("The cart has changed since you opened this page")
  expect(await page.textContent("main")).toContain("“the fourth”")
  await other.close()
}

const orderAndPay = async (page: Page) => {
  await page.getByRole("button", { name: /^Order (?:and pay|for .* by card)/ }).dblclick()
  // The second press may end the navigation of the first, which `waitForURL` takes for a failure.
  await expect.poll(() => page.url(), { timeout: HANG_TIMEOUT_MS }).toMatch(/\/pay\//)
  await page.getByRole("button", { name: /^Pay / }).click()
  await page.waitForURL(/\/account\/orders\/ord_/)
  expect(await page.getByRole("status").textContent()).toContain("paid: thank you")
  expect(await page.textContent("main")).toContain("What happens next")
}

const live = async (opened: Browser, home: string, token: string, width: number) => {
  const context = await opened.newContext({ javaScriptEnabled: false, viewport: { width, height: 800 } })
  await context.addCookies([{ name: "session", value: token, url: home }])
  const page = await context.newPage()
  page.setDefaultTimeout(HANG_TIMEOUT_MS)
  await page.goto(new URL("/account", home).href)
  await orderFromCredit(page)
  await useTwoWindows(page, home)
  await orderAndPay(page)
  await page.goto(new URL("/account/orders", home).href)
  expect(await page.locator("tbody a[href^='/account/orders/ord_']").count()).toBe(2)
  expect(await page.textContent("main")).toContain("4 links")
  await context.close()
}

for (const width of [360, 1280]) {
  it.live.skipIf(isLeftOut)(`a person orders in the Shop without script, ${width} pixels wide`, () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const opened = yield* browser
      const token = yield* signIn(DEMO_OWNER)
      yield* Effect.promise(() => live(opened, url, token, width))
    }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ DEMO: "on" })))
  )
}
