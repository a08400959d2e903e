// Every page of the member area as a person finds it: an account whose every text is hostile and that has a record of every kind, one with
// second factors, an empty one, and who has not signed in. The addresses are checked against the routes, so that no page is missed.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Effect, Redacted } from "effect"
import { expect } from "vitest"
import type { PageRoute } from "#adapters/web/Page.ts"
import { webRoutes } from "#adapters/web/WebPages.ts"
import { ALL_SCOPES, callerOf, noLimits } from "#core/domain/access/ApiKey.ts"
import { type AccountId, OrderId, PasskeyId } from "#core/domain/shared/Ids.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { makeBrowser } from "#test/adapters/oauth/Browser.ts"
import { authorizePath, newVerifier, registeredId } from "#test/adapters/oauth/Flow.ts"
import { identity } from "#test/core/InvoiceGiven.ts"
import { addSubscription } from "#test/core/ports/ordering/OrderSteps.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { queueTest } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { by, cart, item } from "#test/scenarios/Buyers.ts"
import { listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { CLIENT, letIn } from "#test/scenarios/ConnectionSteps.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { addApp } from "./AuthenticatorApps.ts"
import { type Example, HOSTILE } from "./PageChecks.ts"
import { openAccount, visit } from "./Visitors.ts"

const legalText = join(mkdtempSync(join(tmpdir(), "legal-")), "text.md")
writeFileSync(
  legalText,
  `# ${HOSTILE}\n\n### Rights\n\n- ${HOSTILE}\n\n1. [to ask](https://shop.example/?${HOSTILE})\n`
)

/** Settings of the service that has these pages. */
export const LEGAL = { PRIVACY_FILE: legalText, TERMS_FILE: legalText }

const inUrl = `https://hooks.example/?q="><script>document.title="stolen"</script>`

/** The longest name that is taken: markup, right-to-left writing and emoji. */
const LONG_NAME = `${HOSTILE} שלום עולם مرحبا 👩‍👩‍👧 ${"x".repeat(200)}`.slice(0, 200)

const TEXTS = { anchor_text: HOSTILE.slice(0, 110), brief: HOSTILE, target_url: "https://shop.example/?<b>\"'" }

export interface Visited {
  /** `null`: not signed in. */
  readonly token: string | null
  readonly pages: ReadonlyArray<Example>
}

/** An account with a hostile name, and a session of its owner from a hostile browser. */
const openHostile = Effect.gen(function* () {
  const email = `owner-${yield* (yield* UniqueNumbers).next}@hostile.example`
  const { accountId } = yield* (yield* ManageAccounts).open({ name: HOSTILE, email }, by)
  const known = yield* (yield* Members).byEmail(email)
  if (known === null) throw new Error("the account was opened with its owner")
  const client = { network: HOSTILE, userAgent: HOSTILE }
  const { token, signedIn } = yield* (yield* MemberSessions).start(known, "link", client)
  return { accountId, email, signedIn, memberId: known.member.memberId, token: Redacted.value(token) }
})

/** A key with a webhook, and its orders: paid, cancelled, open and undecided. */
const placeOrders = Effect.fnUntraced(function* (accountId: AccountId) {
  const keys = yield* Credentials
  const wish = { accountId, mode: "live" as const, scopes: ALL_SCOPES, label: HOSTILE, limits: noLimits }
  const { key, text } = yield* keys.issue(wish, by)
  const webhook = yield* addSubscription(callerOf(key), { url: inUrl })
  yield* queueTest({ caller: callerOf(key), webhookId: webhook.webhookId })
  const site = yield* listSite({ nicheLabel: HOSTILE })
  yield* listArticle(site.siteId, { title: HOSTILE })
  const order = (links: number) =>
    Effect.map(
      postOrder(Redacted.value(text), cart(Array.from({ length: links }, () => item(site.siteId, TEXTS)))),
      placedBy
    )
  const paid = yield* order(3)
  const cancelled = yield* order(1)
  const { links } = yield* (yield* FulfilLinks).cancelOrder(cancelled.order_id ?? OrderId.make(""), HOSTILE, by)
  expect(links[0]?.statusReason).toBe(HOSTILE)
  const open = yield* order(19)
  yield* keys.limit(key.keyId, { approveAboveCents: 0 }, by)
  const undecided = yield* order(2)
  expect(undecided.status).toBe("awaiting_approval")
  return { keyId: key.keyId, siteId: site.siteId, webhookId: webhook.webhookId, paid, cancelled, open, undecided }
})

const documentsOf = Effect.fnUntraced(function* (accountId: AccountId) {
  const details = identity({ name: LONG_NAME, address: `${LONG_NAME}\n${HOSTILE}`, reference: HOSTILE })
  yield* (yield* EditBilling).save(accountId, details, by)
  yield* (yield* IssueInvoices).pass(true)
  const { invoices } = yield* (yield* ReadInvoices).page({ accountId, mode: "live" }, { limit: 50, beforeId: null })
  expect(new Set(invoices.map(({ kind }) => kind))).toEqual(new Set(["invoice", "credit_note", "receipt"]))
  return invoices.map(({ invoiceId }) => invoiceId)
})

/** The page of a client with a hostile name. */
const consentPage = Effect.fnUntraced(function* (token: string) {
  const client = yield* makeBrowser(token)
  const clientId = yield* registeredId({ client_name: HOSTILE })
  const { location } = yield* client.get(authorizePath({ clientId, verifier: newVerifier() }))
  const { pathname: path } = new URL(location, "http://shop.example")
  const [, value = ""] = client.cookies.get(`consent ${path}`)?.text.split("=") ?? []
  return { path, cookie: { name: "consent", value } }
})

/** The pages of an account with these records. */
const ownPages = (
  orders: Effect.Success<ReturnType<typeof placeOrders>>,
  records: Readonly<Record<"topUpId" | "connectionId", string>> & { readonly documents: ReadonlyArray<string> },
  forms: { readonly consent: Example; readonly newItem: Readonly<Record<string, string>> }
): Visited["pages"] => {
  const { keyId, siteId, webhookId, paid, cancelled, open, undecided } = orders
  const hostile = encodeURIComponent(HOSTILE)
  const pages: ReadonlyArray<string | Example> = [
    "/account",
    "/account/orders",
    `/account/orders?text=${hostile}&key=${hostile}`,
    { path: `/account/orders?text=${hostile.repeat(3)}`, status: 422 },
    `/account/orders/${paid.order_id}`,
    `/account/orders/${cancelled.order_id}`,
    { path: "/account/orders/ord_none", status: 404 },
    `/account/quotes/${open.quote_id}`,
    `/account/approvals/${undecided.quote_id}`,
    "/account/shop",
    `/account/shop?query=${hostile}`,
    `/account/shop/sites/${siteId}`,
    "/account/shop/cart",
    "/account/shop/cart/items/one",
    { path: "/account/shop/cart", form: { ...forms.newItem, target_url: HOSTILE }, status: 422 },
    "/account/credit",
    "/account/credit/top-ups",
    { path: "/account/credit/top-ups", form: { top_up: "top_none", amount: HOSTILE }, status: 422 },
    `/account/credit/top-ups/${records.topUpId}`,
    "/account/keys",
    { path: "/account/keys", form: { label: HOSTILE, mode: "live", max_order: HOSTILE }, status: 422 },
    { path: "/account/keys", form: { label: HOSTILE.slice(0, 70), mode: "live", may_read: "on" }, status: 201 },
    `/account/keys/${keyId}/limits`,
    `/account/keys/${keyId}/revoke`,
    "/account/stop",
    forms.consent,
    "/account/connections",
    `/account/connections/${records.connectionId}/limits`,
    `/account/connections/${records.connectionId}/revoke`,
    "/account/invoices",
    ...records.documents.map((id) => `/account/invoices/${id}`),
    "/account/webhooks",
    `/account/webhooks/${webhookId}`,
    "/account/settings",
    { path: "/account/settings/members", form: { email: HOSTILE, role: "viewer" }, status: 422 },
    "/account/settings/factors",
    "/account/settings/factors/totp",
    "/account/settings/mails",
    "/account/settings/billing",
    { path: "/account/settings/billing", form: { name: HOSTILE, country: HOSTILE }, status: 422 },
    "/account/settings/activity"
  ]
  return pages.map((page) => (typeof page === "string" ? { path: page } : page))
}

/** An account with a record of every kind. */
const hostileAccount = Effect.gen(function* () {
  const { accountId, signedIn, token } = yield* openHostile
  const accounts = yield* ManageAccounts
  yield* accounts.topUp({ accountId, cents: 3_000, reference: HOSTILE }, by)
  yield* accounts.debitOnce({ accountId, cents: 100, reference: HOSTILE, reason: HOSTILE }, by)
  const orders = yield* placeOrders(accountId)
  const documents = yield* documentsOf(accountId)
  const topUps = yield* TopUpCredit
  const { topUpId, paymentToken } = yield* topUps.start(signedIn, { topUpId: yield* topUps.newId, cents: 2_500 })
  const newItem = { id: "one", site_id: String(orders.siteId), anchor_type: "exact", tier2_links: "0", ...TEXTS }
  yield* visit({ method: "POST", path: "/account/shop/cart", token, form: newItem })
  yield* visit({ method: "POST", path: "/account/shop/cart/promo-code", token, form: { promo_code: "<i>NONE" } })
  const consent = yield* consentPage(token)
  const { keyId: connectionId } = yield* letIn(signedIn, { client: { ...CLIENT, name: HOSTILE, host: HOSTILE } })
  const own: Visited = { token, pages: ownPages(orders, { documents, topUpId, connectionId }, { consent, newItem }) }
  const paths = [`/account/top-up/${paymentToken}`, new URL(orders.open.payment_url ?? "").pathname]
  return { own, paymentPages: paths.map((path) => ({ path })), approval: orders.undecided }
})

/** An account with an authenticator app and a passkey, for which its pages ask. */
const guardedAccount = Effect.gen(function* () {
  const { memberId, email, token } = yield* openHostile
  yield* addApp(token)
  const passkeyId = PasskeyId.make(`passkey-of-${memberId}`)
  const createdAtMs = yield* Clock.currentTimeMillis
  const passkey = { passkeyId, memberId, name: HOSTILE.slice(0, 60), publicKey: "key", counter: 0, transports: [] }
  expect(yield* (yield* Factors).addPasskey({ ...passkey, createdAtMs, lastUsedAtMs: null })).toBe(true)
  const pages = [
    "/account/keys",
    "/account/settings",
    "/account/settings/factors",
    "/account/settings/factors/totp/remove",
    `/account/settings/factors/passkeys/${passkeyId}/remove`
  ]
  const link = new URL(yield* (yield* SignInLinks).demo(email))
  const own: Visited = { token, pages: pages.map((path) => ({ path })) }
  return { own, signInPage: { path: `${link.pathname}${link.search}` } }
})

/** Downloads. */
const FILES: ReadonlyArray<string> = [
  "/account/orders.csv",
  "/account/credit.csv",
  "/account/invoices/:id/pdf",
  "/account/invoices/:id/xml"
]

/** Sends the browser on at once. */
const PASSES_ON = "/account/consent/:id/continue"

/** The routes of pages that stay. */
const pages = webRoutes.filter(({ method, path }) => method === "GET" && path !== PASSES_ON && !FILES.includes(path))

const pagePaths = pages.map(({ path }) => path)

/** Pages that need no record. */
const plainPaths = (isFor: (may: PageRoute["may"]) => boolean): ReadonlyArray<string> =>
  pages.flatMap(({ path, may }) => (isFor(may) && !path.includes(":") ? [path] : []))

const isOf = (route: string, { path, form }: Example): boolean =>
  form === undefined && new RegExp(`^${route.replaceAll(/:\w+/g, "[^/?]+")}(\\?.*)?$`).test(path)

/** All of them. A page without an example is named. */
export const pageExamples = Effect.gen(function* () {
  const { own, paymentPages } = yield* hostileAccount
  const guarded = yield* guardedAccount
  const { owner } = yield* openAccount
  // A member without an app has none to remove.
  const shown = plainPaths((may) => may !== "anyone").filter((path) => path !== "/account/settings/factors/totp/remove")
  const empty: Visited = { token: owner, pages: shown.map((path) => ({ path })) }
  const anyone = ["/", "/privacy", "/terms", ...plainPaths((may) => may === "anyone")].map((path) => ({ path }))
  const wrongAddress = { path: "/account/sign-in", form: { email: HOSTILE }, status: 422 }
  const strangers = { token: null, pages: [...anyone, wrongAddress, guarded.signInPage, ...paymentPages] }
  const visited: ReadonlyArray<Visited> = [own, guarded.own, empty, strangers]
  const examples = visited.flatMap(({ pages }) => pages)
  expect(
    pagePaths.filter((route) => !examples.some((one) => isOf(route, one))),
    "pages without an example in PageExamples.ts"
  ).toEqual([])
  return { visited, withHostileTexts: [own, guarded.own] }
})
