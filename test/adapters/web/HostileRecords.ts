// Records of an account whose every text is hostile, for the pages that show them.
import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { ALL_SCOPES, type Caller, callerOf, noLimits } from "#core/domain/access/ApiKey.ts"
import { type AccountId, OrderId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ChangeLinks } from "#core/usecases/ordering/ChangeLinks.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { makeBrowser } from "#test/adapters/oauth/Browser.ts"
import { authorizePath, newVerifier, registeredId } from "#test/adapters/oauth/Flow.ts"
import { identity } from "#test/core/InvoiceGiven.ts"
import { addSubscription } from "#test/core/ports/ordering/OrderSteps.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { queueTest } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { by, cart, item } from "#test/scenarios/Buyers.ts"
import { listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { HOSTILE } from "./PageChecks.ts"
import { visit } from "./Visitors.ts"

const inUrl = `https://hooks.example/?q="><script>document.title="stolen"</script>`

/** The longest name that is taken: markup, right-to-left writing and emoji. */
const LONG_NAME = `${HOSTILE} שלום עולם مرحبا 👩‍👩‍👧 ${"x".repeat(200)}`.slice(0, 200)

export const TEXTS = { anchor_text: HOSTILE.slice(0, 110), brief: HOSTILE, target_url: "https://shop.example/?<b>\"'" }

/** An account with a hostile name, and a session of its owner from a hostile browser. */
export const openHostile = Effect.gen(function* () {
  const email = `owner-${yield* (yield* UniqueNumbers).next}@hostile.example`
  const { accountId } = yield* (yield* ManageAccounts).open({ name: HOSTILE, email }, by)
  const known = yield* (yield* Members).byEmail(email)
  if (known === null) throw new Error("the account was opened with its owner")
  const client = { network: HOSTILE, userAgent: HOSTILE, who: null }
  const { token, signedIn } = yield* (yield* MemberSessions).start(known, "link", client)
  return { accountId, email, signedIn, memberId: known.member.memberId, token: Redacted.value(token) }
})

/** The link of an order after an agent has changed its text: a history of hostile texts. */
const changedLink = Effect.fnUntraced(function* (
  { order_id: orderId = OrderId.make("") }: ReturnType<typeof placedBy>,
  by: Pick<Caller, "keyId" | "accountId">
) {
  const found = yield* (yield* Orders).byId(orderId)
  const [link] = found?.links ?? []
  if (link === undefined) throw new Error("the order has a link")
  const text = { targetUrl: "https://shop.example/?<i>", anchorText: HOSTILE.slice(5, 100), brief: null }
  const caller = { ...by, mode: "live" as const, scopes: ALL_SCOPES }
  yield* (yield* ChangeLinks).byAgent(caller, {
    ...{ orderId, linkId: link.linkId, text },
    ...{ registrable: (host) => host, dryRun: false }
  })
  return { orderId, linkId: link.linkId }
})

/** A key with a webhook, and its orders: paid, waiting, cancelled, open and undecided. */
export const placeOrders = Effect.fnUntraced(function* (accountId: AccountId) {
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
  const waiting = yield* changedLink(yield* order(1), { keyId: key.keyId, accountId })
  const open = yield* order(19)
  yield* keys.limit(key.keyId, { approveAboveCents: 0 }, by)
  const undecided = yield* order(2)
  expect(undecided.status).toBe("awaiting_approval")
  return {
    keyId: key.keyId,
    siteId: site.siteId,
    webhookId: webhook.webhookId,
    paid,
    waiting,
    cancelled: { ...cancelled, linkId: links[0]?.linkId ?? "" },
    open,
    undecided
  }
})

export const documentsOf = Effect.fnUntraced(function* (accountId: AccountId) {
  const details = identity({ name: LONG_NAME, address: `${LONG_NAME}\n${HOSTILE}`, reference: HOSTILE })
  yield* (yield* EditBilling).save(accountId, details, by)
  yield* (yield* IssueInvoices).pass(true)
  const { invoices } = yield* (yield* ReadInvoices).page({ accountId, mode: "live" }, { limit: 50, beforeId: null })
  expect(new Set(invoices.map(({ kind }) => kind))).toEqual(new Set(["invoice", "credit_note", "receipt"]))
  return invoices.map(({ invoiceId }) => invoiceId)
})

/** The page of a client with a hostile name. */
export const consentPage = Effect.fnUntraced(function* (token: string) {
  const client = yield* makeBrowser(token)
  const clientId = yield* registeredId({ client_name: HOSTILE })
  const { location } = yield* client.get(authorizePath({ clientId, verifier: newVerifier() }))
  const { pathname: path } = new URL(location, "http://shop.example")
  const [, value = ""] = client.cookies.get(`consent ${path}`)?.text.split("=") ?? []
  return { path, cookie: { name: "consent", value } }
})

/** The pages of secrets that were just made. Each shows its secret to the first who loads it. */
export const secretPages = Effect.fnUntraced(function* (token: string, webhookId: string, memberId: string) {
  const newKey = { label: HOSTILE.slice(0, 70), mode: "live", may_read: "on" }
  const made: ReadonlyArray<readonly [path: string, form: Readonly<Record<string, string>>]> = [
    ["/account/keys", newKey],
    [`/account/webhooks/${webhookId}/rotate`, {}],
    [`/account/settings/members/${memberId}/code`, {}]
  ]
  const answers = yield* Effect.forEach(made, ([path, form]) => visit({ method: "POST", path, token, form }))
  return answers.map(({ location }) => ({ path: location ?? "" }))
})
