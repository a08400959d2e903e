// Markup in every text that an account stores, on every page that shows it, in a real browser: it stays text; and where a template forgot
// to escape it, the policy keeps it from running.
import { it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Browser } from "playwright-core"
import { expect } from "vitest"
import { ALL_SCOPES, callerOf, noLimits } from "#core/domain/ApiKey.ts"
import { Members } from "#core/ports/Members.ts"
import { EditBilling } from "#core/usecases/EditBilling.ts"
import { FulfilLinks } from "#core/usecases/FulfilLinks.ts"
import { IssueInvoices } from "#core/usecases/IssueInvoices.ts"
import { ManageAccounts } from "#core/usecases/ManageAccounts.ts"
import { ManageKeys } from "#core/usecases/ManageKeys.ts"
import { MemberSessions } from "#core/usecases/MemberSessions.ts"
import { ReadInvoices } from "#core/usecases/ReadInvoices.ts"
import { TopUpCredit } from "#core/usecases/TopUpCredit.ts"
import { identity } from "#test/core/InvoiceGiven.ts"
import { queueTest } from "#test/ports/DeliverySteps.ts"
import { addSubscription } from "#test/ports/OrderSteps.ts"
import { by, cart, item } from "#test/scenarios/Buyers.ts"
import { listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { CLIENT, letIn } from "#test/scenarios/ConnectionSteps.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser, isLeftOut } from "./Browser.ts"
import { checkAll, HOSTILE } from "./PageChecks.ts"
import { visit } from "./Visitors.ts"

const EMAIL = "owner@hostile.example"
const inUrl = `https://hooks.example/?q="><script>document.title="stolen"</script>`

/** An account whose every text is hostile, with a session, and the pages that show these texts. */
const hostileAccount = Effect.gen(function* () {
  const accounts = yield* ManageAccounts
  const { accountId } = yield* accounts.open({ name: HOSTILE, email: EMAIL }, by)
  yield* accounts.topUp({ accountId, cents: 3_000, reference: HOSTILE }, by)
  yield* accounts.debitOnce({ accountId, cents: 100, reference: HOSTILE, reason: HOSTILE }, by)
  const keyOrder = { accountId, mode: "live" as const, scopes: ALL_SCOPES, label: HOSTILE, limits: noLimits }
  const { key, text } = yield* (yield* ManageKeys).issue(keyOrder, by)
  const webhook = yield* addSubscription(callerOf(key), { url: inUrl })
  yield* queueTest({ caller: callerOf(key), webhookId: webhook.webhookId })
  const site = yield* listSite({ nicheLabel: HOSTILE })
  yield* listArticle(site.siteId, { title: HOSTILE })
  const texts = { anchor_text: HOSTILE.slice(0, 110), brief: HOSTILE, target_url: "https://shop.example/?<b>\"'" }
  const order = (links: number, over = {}) =>
    postOrder(
      Redacted.value(text),
      cart(
        Array.from({ length: links }, () => item(site.siteId, texts)),
        over
      )
    )
  const paid = placedBy(yield* order(3))
  const links = yield* FulfilLinks
  const { links: bought } = yield* links.cancelOrder(placedBy(yield* order(1)).order_id ?? "", HOSTILE, by)
  expect(bought[0]?.statusReason).toBe(HOSTILE)
  const open = placedBy(yield* order(19, { promo_code: undefined }))
  yield* (yield* EditBilling).save(
    accountId,
    identity({ name: HOSTILE, address: `${HOSTILE}\n${HOSTILE}`, reference: HOSTILE }),
    by
  )
  yield* (yield* IssueInvoices).pass(true)
  const reader = { accountId, mode: "live" as const }
  const { invoices } = yield* (yield* ReadInvoices).page(reader, { limit: 50, beforeId: null })
  const known = yield* (yield* Members).byEmail(EMAIL)
  if (known === null) throw new Error("the account was opened with its owner")
  const sessions = yield* MemberSessions
  const begun = yield* sessions.start(known, "link", { network: HOSTILE, userAgent: HOSTILE })
  const token = Redacted.value(begun.token)
  const topUps = yield* TopUpCredit
  const { topUpId, paymentToken } = yield* topUps.start(begun.signedIn, { topUpId: yield* topUps.newId, cents: 2_500 })
  const client = { ...CLIENT, name: HOSTILE, host: HOSTILE }
  const connection = yield* letIn(begun.signedIn, { client })
  const form = { id: "one", site_id: String(site.siteId), anchor_type: "exact", tier2_links: "0", ...texts }
  yield* visit({ method: "POST", path: "/account/shop/cart", token, form })
  const paths = [
    "/account",
    "/account/orders",
    `/account/orders?text=${encodeURIComponent(HOSTILE)}&key=${encodeURIComponent(HOSTILE)}`,
    `/account/orders/${paid.order_id}`,
    `/account/orders/${bought[0]?.orderId}`,
    `/account/quotes/${open.quote_id}`,
    `/account/shop?query=${encodeURIComponent(HOSTILE)}`,
    "/account/shop",
    `/account/shop/sites/${site.siteId}`,
    "/account/shop/cart",
    "/account/shop/cart/items/one",
    "/account/keys",
    `/account/keys/${key.keyId}/revoke`,
    "/account/connections",
    `/account/connections/${connection.keyId}/limits`,
    `/account/connections/${connection.keyId}/revoke`,
    "/account/stop",
    "/account/credit",
    "/account/credit/top-ups",
    `/account/credit/top-ups/${topUpId}`,
    `/account/top-up/${paymentToken}`,
    new URL(open.payment_url ?? "").pathname,
    "/account/invoices",
    ...invoices.map(({ invoiceId }) => `/account/invoices/${invoiceId}`),
    "/account/webhooks",
    `/account/webhooks/${webhook.webhookId}`,
    "/account/settings",
    "/account/settings/billing",
    "/account/settings/activity"
  ]
  return { token, paths }
})

/** Of pages in which nothing is escaped: how many scripts came into each, and which page ran one. */
const unescapedIn = async (opened: Browser, url: string, token: string, paths: ReadonlyArray<string>) => {
  const context = await opened.newContext()
  await context.addCookies([{ name: "session", value: token, url }])
  const page = await context.newPage()
  // As if every template had forgotten to escape.
  await page.route("**/*", async (route) => {
    if (route.request().resourceType() !== "document") return route.continue()
    const response = await route.fetch()
    const body = (await response.text()).replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    return route.fulfill({ response, body: body.replaceAll("&#39;", "'") })
  })
  const found: Array<{ readonly path: string; readonly scripts: number; readonly title: string }> = []
  for (const path of paths) {
    await page.goto(new URL(path, url).href)
    await page.waitForLoadState()
    const scripts = await page.evaluate("[...document.scripts].filter(({ text }) => text.includes('stolen')).length")
    found.push({ path, scripts: Number(scripts), title: await page.title() })
  }
  await context.close()
  return found
}

it.live.skipIf(isLeftOut)(
  "hostile texts of an account stay text on its pages, and run nowhere even where nothing escapes them",
  () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const opened = yield* browser
      const { token, paths } = yield* hostileAccount
      expect(yield* Effect.promise(() => checkAll(opened, url, token, paths))).toEqual([])
      const unescaped = yield* Effect.promise(() => unescapedIn(opened, url, token, paths))
      expect(unescaped.filter(({ title }) => title === "stolen")).toEqual([])
      // Each page of the area has the account's name at least, so that each had something to run.
      const without = unescaped.filter(({ scripts }) => scripts === 0).map(({ path }) => path)
      expect(without.filter((path) => path.startsWith("/account") && !path.startsWith("/account/top-up/"))).toEqual([])
    }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ WEBHOOK_INSECURE_TARGETS: "true" })))
)
