// The member area in a real browser: every page is accessible, valid and as wide as its screen, in light and dark, and stored text that is
// hostile stays text.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { Members } from "#core/ports/Members.ts"
import { EditBilling } from "#core/usecases/EditBilling.ts"
import { FulfilLinks } from "#core/usecases/FulfilLinks.ts"
import { IssueInvoices } from "#core/usecases/IssueInvoices.ts"
import { ManageKeys } from "#core/usecases/ManageKeys.ts"
import { ReadInvoices } from "#core/usecases/ReadInvoices.ts"
import { SignIn } from "#core/usecases/SignIn.ts"
import { ViewAccount } from "#core/usecases/ViewAccount.ts"
import { identity } from "#test/core/InvoiceGiven.ts"
import { CLIENT, letIn, ownerOf } from "#test/scenarios/ConnectionSteps.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp } from "./AuthenticatorApps.ts"
import { browser, isLeftOut } from "./Browser.ts"
import { checkAll, HOSTILE } from "./PageChecks.ts"
import { signIn, visit } from "./Visitors.ts"

const legalText = join(mkdtempSync(join(tmpdir(), "legal-")), "text.md")
writeFileSync(
  legalText,
  `# ${HOSTILE}\n\n### Rights\n\n- ${HOSTILE}\n\n1. [to ask](https://shop.example/?${HOSTILE})\n`
)

const [demoKey] = demoKeys
const OWNER = "owner@willow-and-spade.example"

const demoKeyId = Effect.gen(function* () {
  const known = yield* (yield* Members).byEmail(OWNER)
  const keys = yield* (yield* ViewAccount).keysToday(known?.account.accountId ?? "")
  return keys[0]?.key.keyId ?? ""
})

/** An order of several links with hostile texts, one that waits for payment, and one that waits for approval. */
const placeOrders = Effect.fnUntraced(function* (url: string) {
  const post = (key: string, body: unknown) =>
    Effect.promise(() =>
      fetch(new URL("/api/v1/agent/orders", url), {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      }).then((response) => response.text())
    )
  const item = { target_url: `https://shop.example/?q=${encodeURIComponent(HOSTILE)}&b="<b>`, anchor_type: "exact" }
  const items = [1, 2].map((site_id) => ({ ...item, site_id, anchor_text: HOSTILE.slice(0, 110), brief: HOSTILE }))
  const paid = JSON.parse(yield* post(demoKey?.text ?? "", { items }))
  const many = Array.from({ length: 20 }, (_, index) => ({ ...item, site_id: 1 + (index % 5), anchor_text: "a link" }))
  const open = JSON.parse(yield* post(demoKey?.text ?? "", { items: many }))
  const { limit } = yield* ManageKeys
  yield* limit(yield* demoKeyId, { approveAboveCents: 0 }, "test")
  const undecided = JSON.parse(yield* post(demoKey?.text ?? "", { items: items.slice(0, 1) }))
  const path = new URL(undecided.approval_url).pathname
  return { orderId: String(paid.order_id), quoteId: String(open.quote_id), approvalPath: path }
})

/** The longest text that is taken: markup, right-to-left writing and emoji. */
const HOSTILE_NAME = `${HOSTILE} \u202Eשלום עולם\u202C مرحبا 👩‍👩‍👧 ${"x".repeat(200)}`.slice(0, 200)

/** Documents of every kind, to a buyer with hostile texts. */
const issueInvoices = Effect.fnUntraced(function* (orderId: string) {
  const { accountId } = (yield* (yield* Members).byEmail(OWNER))?.account ?? { accountId: "" }
  const texts = { name: HOSTILE_NAME, address: `${HOSTILE_NAME}\n${HOSTILE_NAME}`, reference: HOSTILE_NAME }
  yield* (yield* EditBilling).save(accountId, identity(texts), "test")
  const { pass } = yield* IssueInvoices
  yield* pass(true)
  yield* (yield* FulfilLinks).cancelOrder(orderId, "as a test", "test")
  yield* pass(true)
  const reader = { accountId, mode: "live" as const }
  const { invoices } = yield* (yield* ReadInvoices).page(reader, { limit: 50, beforeId: null })
  expect(new Set(invoices.map(({ kind }) => kind))).toEqual(new Set(["invoice", "credit_note", "receipt"]))
  return invoices.map(({ invoiceId }) => invoiceId)
})

/** A connection whose client has a hostile name. */
const connectHostile = Effect.gen(function* () {
  const known = yield* (yield* Members).byEmail(OWNER)
  const client = { ...CLIENT, name: HOSTILE_NAME.slice(0, 80), host: `${"long-".repeat(12)}name.example` }
  return yield* letIn(yield* ownerOf(known?.account.accountId ?? ""), { client })
})

/** A cart with hostile texts, and a promotion code that there is not. */
const fillCart = Effect.fnUntraced(function* (token: string) {
  const form = { id: "one", site_id: "1", target_url: "https://shop.example/?<b>", anchor_text: HOSTILE.slice(0, 110) }
  const path = "/account/shop/cart"
  yield* visit({
    method: "POST",
    path,
    token,
    form: { ...form, anchor_type: "exact", tier2_links: "5", brief: HOSTILE }
  })
  yield* visit({ method: "POST", path: `${path}/promo-code`, token, form: { promo_code: "<i>NONE" } })
})

it.live.skipIf(isLeftOut)("every page is accessible, valid and no wider than its screen, and no stored text runs", () =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const { orderId, quoteId, approvalPath } = yield* placeOrders(url)
    const token = yield* signIn(OWNER)
    yield* fillCart(token)
    const keyId = yield* demoKeyId
    const { keyId: connectionId } = yield* connectHostile
    const invoices = yield* issueInvoices(orderId)
    const own = [
      "/account",
      "/account/orders",
      "/account/orders?status=cancelled",
      `/account/orders/${orderId}`,
      `/account/quotes/${quoteId}`,
      approvalPath,
      "/account/shop",
      "/account/shop?niche=Gardenin",
      "/account/shop/sites/1",
      "/account/shop/cart",
      "/account/shop/cart/items/one",
      "/account/credit",
      "/account/credit/top-ups",
      "/account/keys",
      `/account/keys/${keyId}/limits`,
      "/account/connections",
      `/account/connections/${connectionId}/limits`,
      `/account/connections/${connectionId}/revoke`,
      "/account/stop",
      "/account/invoices",
      ...invoices.map((id) => `/account/invoices/${id}`),
      "/account/webhooks",
      "/account/settings",
      "/account/settings/factors",
      "/account/settings/factors/totp",
      "/account/settings/mails",
      "/account/settings/billing",
      "/account/settings/activity"
    ]
    expect(yield* Effect.promise(() => checkAll(opened, url, token, own))).toEqual([])
    const open = ["/", "/account/sign-in", "/account/sign-in/sent", "/privacy", "/terms"]
    expect(yield* Effect.promise(() => checkAll(opened, url, null, open))).toEqual([])
  }).pipe(
    Effect.scoped,
    Effect.provide(RunningService.layer({ DEMO: "on", PRIVACY_FILE: legalText, TERMS_FILE: legalText }))
  )
)

it.live.skipIf(isLeftOut)("so is every page that asks for a second factor", () =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const token = yield* signIn(OWNER)
    yield* addApp(token)
    const { approvalPath } = yield* placeOrders(url)
    const own = [
      approvalPath,
      "/account/keys",
      "/account/settings",
      "/account/settings/factors",
      "/account/settings/factors/totp/remove"
    ]
    expect(yield* Effect.promise(() => checkAll(opened, url, token, own))).toEqual([])
    const link = new URL(yield* (yield* SignIn).demoLink(OWNER))
    const path = `${link.pathname}${link.search}`
    expect(yield* Effect.promise(() => checkAll(opened, url, null, [path]))).toEqual([])
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ DEMO: "on" })))
)

it.live.skipIf(isLeftOut)("the policy keeps a script from running that came into a page all the same", () =>
  Effect.gen(function* () {
    const { url } = yield* RunningService.RunningService
    const opened = yield* browser
    const token = yield* signIn(OWNER)
    const title = yield* Effect.promise(async () => {
      const context = await opened.newContext()
      await context.addCookies([{ name: "session", value: token, url }])
      const page = await context.newPage()
      // As a template would that forgot to escape.
      await page.route("**/account", async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace(
          "</main>",
          `${HOSTILE}<b style="color:red" onclick="1">x</b></main>`
        )
        await route.fulfill({ response, body })
      })
      await page.goto(new URL("/account", url).href)
      await page.waitForLoadState()
      return page.title()
    })
    expect(title).toContain("Overview")
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer({ DEMO: "on" })))
)
