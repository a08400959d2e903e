// Every page of the member area as a person finds it: an account whose every text is hostile and that has a record of every kind, one with
// second factors, an empty one, and who has not signed in. The addresses are checked against the routes, so that no page is missed.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { csvLine } from "#adapters/contract/shared/Csv.ts"
import type { PageRoute } from "#adapters/web/Page.ts"
import { webRoutes } from "#adapters/web/WebPages.ts"
import { PasskeyId } from "#core/domain/shared/Ids.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { by } from "#test/scenarios/Buyers.ts"
import { CLIENT, letIn } from "#test/scenarios/ConnectionSteps.ts"
import { addApp } from "./AuthenticatorApps.ts"
import { frontExamples } from "./FrontExamples.ts"
import { consentPage, documentsOf, openHostile, placeOrders, secretPages, TEXTS } from "./HostileRecords.ts"
import { invited, signInLinkOf } from "./Invited.ts"
import { type Example, HOSTILE } from "./PageChecks.ts"
import { settingsExamples } from "./SettingsExamples.ts"
import { buy, buyForm, HEAD, newSheet, SHEETS } from "./SheetSteps.ts"
import { signInExamples } from "./SignInExamples.ts"
import { openAccount, visit } from "./Visitors.ts"

export interface Visited {
  /** `null`: not signed in. */
  readonly token: string | null
  readonly pages: ReadonlyArray<Example>
}

type Orders = Effect.Success<ReturnType<typeof placeOrders>>

/** A link that was changed, its form refused, and a link that is cancelled. */
const linkPages = ({ open, paid, waiting, cancelled }: Orders): ReadonlyArray<string | Example> => [
  `/account/orders/${paid.order_id}/cancel`,
  `/account/orders/${cancelled.order_id}/cancel`,
  `/account/quotes/${open.quote_id}/withdraw`,
  `/account/orders/${cancelled.order_id}`,
  `/account/orders/${waiting.orderId}`,
  `/account/orders/${waiting.orderId}/links/${waiting.linkId}`,
  {
    path: `/account/orders/${waiting.orderId}/links/${waiting.linkId}`,
    form: { ...TEXTS, anchor_type: "exact", target_url: HOSTILE, revision: "2" },
    status: 422
  },
  { path: `/account/orders/${cancelled.order_id}/links/${cancelled.linkId}`, status: 409 }
]
const OUTDATED = { revision: "1", first_order: "1", last_order: "9", rows: "1", total: "0" }

/** A sheet with a row of each kind, and its forms refused. */
const sheetPages = (path: string): ReadonlyArray<Example> => [
  { path: SHEETS },
  { path: SHEETS, form: { sheet: "a".repeat(22), rows: HOSTILE }, status: 422 },
  { path },
  { path: `${path}?from=${encodeURIComponent(HOSTILE)}` },
  { path: `${path}/promo-code`, form: { revision: "2", promo_code: HOSTILE }, status: 422 },
  { path: `${path}/buy`, form: OUTDATED, status: 409 },
  { path: `${SHEETS}/none`, status: 404 }
]

/** Rows to be bought, bought, ordered before, and with faults. */
const hostileSheet = Effect.fnUntraced(function* (token: string, siteId: number) {
  const { target_url: target, anchor_text: anchor, brief } = TEXTS
  const rows = [
    [...HEAD, "brief", HOSTILE],
    [siteId, target, anchor, brief, ""],
    [siteId, target, "bought", "", ""],
    [siteId, target, "bought", "", ""],
    [HOSTILE, HOSTILE, `${HOSTILE}${HOSTILE}`, "", ""]
  ]
  const path = yield* newSheet(token, rows.map(csvLine).join(""))
  yield* visit({ method: "POST", path: `${path}/rows`, token, form: { revision: "1", from: "1", row: "2" } })
  yield* buy(token, path, (yield* buyForm(token, path)).form)
  yield* visit({ method: "POST", path: `${path}/rows`, token, form: { revision: "2", from: "1", which: "new" } })
  const form = { revision: "3", promo_code: "<i>NONE" }
  yield* visit({ method: "POST", path: `${path}/promo-code`, token, form })
  return path
})

/** The pages of an account with these records. */
const ownPages = (
  orders: Orders,
  records: Readonly<Record<"topUpId" | "connectionId" | "invitation", string>> & {
    readonly documents: ReadonlyArray<string>
  },
  forms: {
    readonly consent: Example
    readonly newItem: Readonly<Record<string, string>>
    readonly secrets: ReadonlyArray<Example>
  }
): Visited["pages"] => {
  const { keyId, siteId, webhookId, paid, open, undecided } = orders
  const hostile = encodeURIComponent(HOSTILE)
  const pages: ReadonlyArray<string | Example> = [
    "/account",
    "/account/orders",
    `/account/orders?text=${hostile}&key=${hostile}`,
    { path: `/account/orders?text=${hostile.repeat(3)}`, status: 422 },
    `/account/orders/${paid.order_id}`,
    { path: "/account/orders/ord_none", status: 404 },
    ...linkPages(orders),
    `/account/quotes/${open.quote_id}`,
    "/account/quotes?state=ended",
    `/account/approvals/${undecided.quote_id}`,
    "/account/shop",
    `/account/shop?query=${hostile}`,
    `/account/shop/sites/${siteId}`,
    "/account/shop/cart",
    "/account/shop/cart/items/one",
    { path: "/account/shop/cart", form: { ...forms.newItem, target_url: HOSTILE }, status: 422 },
    "/account/credit",
    { path: "/account/credit?created_from=2020-02-01&created_to=2020-01-01#totals", status: 422 },
    "/account/credit/top-ups",
    { path: "/account/credit/top-ups", form: { top_up: "top_none", amount: HOSTILE }, status: 422 },
    `/account/credit/top-ups/${records.topUpId}`,
    "/account/keys",
    { path: "/account/keys", form: { label: HOSTILE, mode: "live", max_order: HOSTILE }, status: 422 },
    ...forms.secrets,
    { path: "/account/keys/new/none", status: 404 },
    ...["limits", "replace", "revoke"].map((deed) => `/account/keys/${keyId}/${deed}`),
    "/account/stop",
    `/account/agents/${keyId}/resume`,
    forms.consent,
    "/account/connections",
    ...["limits", "view", "revoke"].map((deed) => `/account/connections/${records.connectionId}/${deed}`),
    "/account/invoices",
    ...records.documents.map((id) => `/account/invoices/${id}`),
    "/account/webhooks",
    `/account/webhooks/${webhookId}`,
    { path: `/account/invitation?token=${records.invitation}` },
    ...settingsExamples
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
  const sheet = sheetPages(yield* hostileSheet(token, orders.siteId))
  const consent = yield* consentPage(token)
  const { link: invitation, email } = yield* invited({ account: { accountId }, owner: token })
  const { keyId: connectionId } = yield* letIn(signedIn, { client: { ...CLIENT, name: HOSTILE, host: HOSTILE } })
  const viewer = { accountId, email: `viewer-${accountId.slice(-8)}@hostile.example`, role: "viewer" } as const
  const { memberId } = yield* joinAs(viewer)
  const secrets = yield* secretPages(token, orders.webhookId, memberId)
  const records = { documents, topUpId, connectionId, invitation }
  const own: Visited = { token, pages: [...ownPages(orders, records, { consent, newItem, secrets }), ...sheet] }
  const paths = [
    `/account/top-up/${paymentToken}`,
    new URL(orders.open.payment_url ?? "").pathname,
    `/account/invitation?token=${invitation}`,
    `/account/sign-in?token=${yield* signInLinkOf(email)}`
  ]
  return { own, strangersPages: paths.map((path) => ({ path })), approval: orders.undecided }
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
  const inPlace = { path: "/account/settings/billing", form: { name: HOSTILE, country: HOSTILE }, status: 403 }
  const own: Visited = { token, pages: [...pages.map((path) => ({ path })), inPlace] }
  return { own, signInPage: { path: `${link.pathname}${link.search}` } }
})

/** Downloads. */
const FILES: ReadonlyArray<string> = [
  "/account/orders.csv",
  "/account/credit.csv",
  "/account/shop/sheets/example.csv",
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
  const { own, strangersPages } = yield* hostileAccount
  const guarded = yield* guardedAccount
  const { owner } = yield* openAccount
  // A member without an app has none to remove.
  const shown = plainPaths((may) => may !== "anyone").filter((path) => path !== "/account/settings/factors/totp/remove")
  const empty: Visited = { token: owner, pages: shown.map((path) => ({ path })) }
  // A token names the invitation, or the change of address.
  const endAt = ["/account/invitation", "/account/email"]
  const anyone = plainPaths((may) => may === "anyone").map((path) =>
    endAt.includes(path) ? { path, status: 410 } : { path }
  )
  const signIn = yield* signInExamples
  const strangers = {
    token: null,
    pages: [...frontExamples, ...anyone, ...signIn, guarded.signInPage, ...strangersPages]
  }
  const visited: ReadonlyArray<Visited> = [own, guarded.own, empty, strangers]
  const examples = visited.flatMap(({ pages }) => pages)
  expect(
    pagePaths.filter((route) => !examples.some((one) => isOf(route, one))),
    "pages without an example in PageExamples.ts"
  ).toEqual([])
  return { visited, withHostileTexts: [own, guarded.own] }
})
