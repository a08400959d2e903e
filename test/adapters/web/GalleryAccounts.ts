// Accounts as people have them, for pictures: one in use, and one with much in it.
import { Effect, Redacted, Result } from "effect"
import { ALL_SCOPES, callerOf, noLimits, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { consentLimits } from "#core/domain/access/Connection.ts"
import { type AccountId, type MemberId, OrderId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { NoteRefusals } from "#core/usecases/shared/NoteRefusals.ts"
import { addSubscription } from "#test/core/ports/ordering/OrderSteps.ts"
import { queueTest } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { CLIENT, letIn, tokenOf } from "#test/scenarios/ConnectionSteps.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

const by = "operator"

export const item = (siteId: number, page: string, anchor: string) => ({
  site_id: siteId,
  target_url: `https://willow-and-spade.example/${page}`,
  anchor_text: anchor,
  anchor_type: "partial"
})

/** An order of an agent. */
export const orderBy = (url: string, key: string, items: ReadonlyArray<unknown>, more: object = {}) =>
  Effect.promise(() =>
    fetch(new URL("/api/v1/agent/orders", url), {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ items, ...more })
    }).then((response) => response.json())
  )

const signedInBy = Effect.fnUntraced(function* (token: string) {
  return yield* (yield* MemberSessions).authenticate(token)
})

/** A webhook with a delivery, a key that asks first, and an assistant that is connected. */
const fill = Effect.fnUntraced(function* (token: string, ofGardener: Partial<SpendLimits> = {}) {
  const signedIn = yield* signedInBy(token)
  const { accountId } = signedIn.account
  const keys = yield* Credentials
  const limits = { ...noLimits, approveAboveCents: 2_000, maxDayCents: 10_000, holdLookAlikes: true }
  const wish = { accountId, mode: "live" as const, scopes: ALL_SCOPES, label: "Claude for Willow", limits }
  const ownerId = signedIn.member.memberId
  const { key, text } = yield* keys.issue(wish, ownerId)
  const webhook = yield* addSubscription(callerOf(key), { url: "https://hooks.willow-and-spade.example/orders" })
  yield* queueTest({ caller: callerOf(key), webhookId: webhook.webhookId })
  const client = { ...CLIENT, name: "Gardener Desktop", host: "gardener.example" }
  const gardener = yield* letIn(signedIn, { client, limits: { ...consentLimits, ...ofGardener } })
  return { accountId, ownerId, claude: Redacted.value(text), gardener }
})

/** Two orders that wait to be approved, the second of which looks like the first, and one that credit paid. */
const askAndBuy = Effect.fnUntraced(function* (url: string, claude: string) {
  const cheap = [item(3, "pots", "clay pots")]
  yield* orderBy(url, claude, cheap, { reference: "PO-2026-114" })
  yield* orderBy(url, claude, cheap)
  yield* orderBy(url, claude, [item(1, "pruning", "pruning shears"), item(2, "pots", "clay pots that last")])
})

const putIntoCart = (token: string, id: string, siteId: number) =>
  visit({
    method: "POST",
    path: "/account/shop/cart",
    token,
    form: {
      ...{ id, anchor_type: "partial", tier2_links: "0", site_id: String(siteId) },
      ...{ target_url: "https://willow-and-spade.example/sale", anchor_text: "the autumn sale" }
    }
  })

/** Gives the demo's keys names as people give them. */
const named = Effect.fnUntraced(function* (accountId: AccountId, ownerId: MemberId) {
  const names: Readonly<Record<string, string>> = {
    "demo live key": "Price watcher",
    "demo test key": "Try-outs",
    "demo read-only key": "Reporting"
  }
  const book = yield* OrderBook
  for (const { key } of yield* (yield* Credentials).list(accountId)) {
    const label = names[key.label]
    if (label === undefined) continue
    const renamed = { _tag: "KeyIssued", key: { ...key, label } } as const
    yield* book.transact({ _tag: "ForKey", keyId: key.keyId }, () =>
      Result.succeed({ reply: null, changes: [renamed] })
    )
    if (label === "Price watcher") yield* (yield* Credentials).limit(key.keyId, { maxOrderCents: 20_000 }, ownerId)
  }
})

/** Four days ago: of one order two links are online, and of another one the link is overdue by now. */
const begin = Effect.fnUntraced(function* (url: string, accountId: AccountId, gardener: string, claude: string) {
  yield* (yield* ManageAccounts).topUp({ accountId, cents: 4_000, reference: "bank transfer 2027-118" }, by)
  const border = [7, 8, 11].map((siteId) => item(siteId, "borders", "borders that bloom"))
  const { order_id: orderId } = yield* orderBy(url, gardener, border)
  yield* orderBy(url, claude, [item(4, "secateurs", "sharp secateurs")], { reference: "PO-2026-109" })
  const found = yield* (yield* Orders).byId(OrderId.make(String(orderId)))
  for (const { linkId, domain } of found?.links.slice(0, 2) ?? [])
    yield* (yield* FulfilLinks).publish(linkId, `https://${domain}/borders`, by)
  yield* (yield* IssueInvoices).pass(true)
  yield* (yield* MovableClock).advance("4 days")
})

/**
 * The demo's account after a few days: orders of three agents, some of them online, orders that wait to be approved or paid, an attempt that
 * was refused, a cart, invoices.
 */
export const prepareUse = Effect.fnUntraced(function* (url: string, token: string, demoKey: string) {
  const ofGardener = { approveAboveCents: 5_000, maxDayCents: 12_000 }
  const { accountId, ownerId, claude, gardener } = yield* fill(token, ofGardener)
  yield* named(accountId, ownerId)
  yield* begin(url, accountId, Redacted.value(yield* tokenOf(gardener)), claude)
  yield* orderBy(url, demoKey, [item(4, "spades", "spades that last"), item(5, "willow", "willow baskets")])
  yield* askAndBuy(url, claude)
  const gardenTools = (count: number) =>
    Array.from({ length: count }, (_, index) => item(index + 6, "garden", "garden tools"))
  const open = yield* orderBy(url, demoKey, gardenTools(12))
  yield* orderBy(url, demoKey, gardenTools(15))
  yield* (yield* NoteRefusals).write
  yield* putIntoCart(token, "one", 2)
  yield* putIntoCart(token, "two", 3)
  yield* (yield* IssueInvoices).pass(true)
  return { payment: new URL(open.payment_url ?? "/", url).pathname }
})

const MANY = 30

/** An account with long names and more of everything than a page shows. Its session. */
export const prepareCrowd = Effect.fnUntraced(function* (url: string) {
  const { account, ownerEmail } = yield* openAccount
  const { accountId } = account
  const accounts = yield* ManageAccounts
  yield* accounts.topUp({ accountId, cents: 1_234_567, reference: "a wire transfer with a long reference" }, by)
  const token = yield* signIn(ownerEmail)
  if ((yield* (yield* Members).byEmail(ownerEmail)) === null) throw new Error("the account has no owner")
  const { claude, ownerId } = yield* fill(token)
  yield* askAndBuy(url, claude)
  const wish = {
    accountId,
    mode: "live" as const,
    scopes: ALL_SCOPES,
    label: "Assistant of the whole marketing department"
  }
  const { text } = yield* (yield* Credentials).issue({ ...wish, limits: { ...noLimits, dailyOrderCap: 0 } }, ownerId)
  const secret = Redacted.value(text)
  const long = "a-very-long-name-of-a-page-about-pruning-shears-and-other-garden-tools-in-the-autumn-sale"
  for (let nth = 0; nth < MANY; nth++)
    yield* orderBy(url, secret, [
      item((nth % 20) + 1, `${long}/${nth}`, `pruning shears for every garden, number ${nth}`)
    ])
  // It asks for more than a page shows, and once for more than it may.
  const asking = { ...wish, label: "Buyer for Saint-Rémy-en-Bouzemont-Saint-Genest-et-Isson and all other shops" }
  const asks = { ...noLimits, dailyOrderCap: 0, approveAboveCents: 0, maxOrderCents: 5_000 }
  const { text: buyer } = yield* (yield* Credentials).issue({ ...asking, limits: asks }, ownerId)
  const asked = (count: number, nth: number) =>
    Array.from({ length: count }, (_, at) => item(at + nth + 1, long, `shears, number ${nth}`))
  for (let nth = 0; nth < 12; nth++)
    yield* orderBy(url, Redacted.value(buyer), asked(1, nth), {
      reference: `PO-2026-${nth}-of-the-autumn-sale-of-all-shops`
    })
  yield* orderBy(url, Redacted.value(buyer), asked(15, 1))
  yield* (yield* NoteRefusals).write
  for (let nth = 0; nth < 12; nth++) yield* putIntoCart(token, `item-${nth}`, nth + 1)
  yield* (yield* IssueInvoices).pass(true)
  return token
})
