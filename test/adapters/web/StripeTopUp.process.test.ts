// A person tops up over Stripe, in a browser without script, on a small and on a wide screen: to Stripe's page and back, while the notice of the
// payment comes ten times.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { expect } from "vitest"
import { peopleUrl } from "#adapters/config/MemberSettings.ts"
import { StripeStandIn, sessionIdIn } from "#test/adapters/payments/StripeStandIn.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { HANG_TIMEOUT_MS } from "#test/HangTimeout.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { eventAbout } from "#test/scenarios/StripeQuoteSteps.ts"
import * as StripeService from "#test/scenarios/StripeService.ts"
import { browser, isLeftOut } from "./Browser.ts"
import { openAccount } from "./Visitors.ts"

const startTopUp = async (page: Page, home: string): Promise<string> => {
  await page.goto(new URL("/account/credit", home).href)
  await page.getByRole("link", { name: "Top up" }).click()
  await page.getByLabel("Amount (EUR)").fill("30")
  await page.getByRole("button", { name: "Go to payment" }).click()
  return (await page.getByRole("link", { name: "Pay 30.00 EUR" }).getAttribute("href")) ?? ""
}

const open = async (opened: Browser, home: string, token: string, width: number) => {
  const context = await opened.newContext({ javaScriptEnabled: false, viewport: { width, height: 800 } })
  await context.addCookies([{ name: "session", value: token, url: home }])
  const page = await context.newPage()
  page.setDefaultTimeout(HANG_TIMEOUT_MS)
  return { page, context, paymentUrl: await startTopUp(page, home) }
}

for (const width of [360, 1280]) {
  it.live.skipIf(isLeftOut)(`a top-up over Stripe is one entry of credit, ${width} pixels wide`, () =>
    Effect.gen(function* () {
      const home = peopleUrl((yield* RunningService).url)
      const { checkout, url: stripe } = yield* StripeStandIn
      const { owner } = yield* openAccount
      const opened = yield* browser
      const { page, context, paymentUrl } = yield* Effect.promise(() => open(opened, home, owner, width))
      expect(paymentUrl.startsWith(stripe)).toBe(true)
      yield* Effect.promise(async () => {
        await page.getByRole("link", { name: "Pay 30.00 EUR" }).click()
        await page.getByRole("button", { name: "Pay" }).click()
        // Stripe's page leads back to the service.
        expect(await page.textContent("h1")).toBe("Paid: thank you")
      })
      const again = yield* eventAbout(sessionIdIn(paymentUrl))
      const notices = yield* Effect.promise(() => Promise.all(times(9, () => checkout.notify(again))))
      expect(new Set(notices)).toEqual(new Set([200]))
      expect(checkout.answers).toHaveLength(10)
      yield* Effect.promise(async () => {
        await page.getByRole("link", { name: "Back to this top-up in the member area" }).click()
        await page.getByRole("link", { name: "See your credit" }).click()
        expect(await page.textContent(".figure")).toBe("30.00 EUR")
        // One movement; the table of the months is there as soon as the receipt is.
        expect(await page.locator("tbody tr").filter({ hasText: "balance" }).count()).toBe(1)
        await context.close()
      })
    }).pipe(Effect.scoped, Effect.provide(StripeService.layer()))
  )
}
