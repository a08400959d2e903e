// Accounts as people have them, for pictures: one in use, and one with much in it.
import { Effect, Redacted } from "effect"
import { ALL_SCOPES, callerOf, noLimits } from "#core/domain/access/ApiKey.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { addSubscription } from "#test/core/ports/ordering/OrderSteps.ts"
import { queueTest } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { CLIENT, letIn } from "#test/scenarios/ConnectionSteps.ts"
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

/** A webhook with a delivery, a key that asks first, an assistant that is connected, and invoices. */
const fill = Effect.fnUntraced(function* (url: string, token: string) {
  const signedIn = yield* signedInBy(token)
  const { accountId } = signedIn.account
  const keys = yield* Credentials
  const limits = { ...noLimits, approveAboveCents: 2_000, maxDayCents: 10_000, holdLookAlikes: true }
  const wish = { accountId, mode: "live" as const, scopes: ALL_SCOPES, label: "Claude for Willow", limits }
  const { key, text } = yield* keys.issue(wish, by)
  const webhook = yield* addSubscription(callerOf(key), { url: "https://hooks.willow-and-spade.example/orders" })
  yield* queueTest({ caller: callerOf(key), webhookId: webhook.webhookId })
  yield* letIn(signedIn, { client: { ...CLIENT, name: "Gardener Desktop", host: "gardener.example" } })
  const secret = Redacted.value(text)
  const cheap = [item(3, "pots", "clay pots")]
  yield* orderBy(url, secret, cheap, { reference: "PO-2026-114" })
  yield* orderBy(url, secret, cheap)
  yield* orderBy(url, secret, [item(1, "pruning", "pruning shears"), item(2, "pots", "clay pots that last")])
  return secret
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

/** The demo's account after a few days: orders of two agents, one that waits to be approved, one to be paid, a cart, invoices. */
export const prepareUse = Effect.fnUntraced(function* (url: string, token: string, demoKey: string) {
  yield* orderBy(url, demoKey, [item(4, "spades", "spades that last"), item(5, "willow", "willow baskets")])
  yield* fill(url, token)
  const open = yield* orderBy(
    url,
    demoKey,
    Array.from({ length: 12 }, (_, index) => item(index + 6, "garden", "garden tools"))
  )
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
  yield* fill(url, token)
  const wish = {
    accountId,
    mode: "live" as const,
    scopes: ALL_SCOPES,
    label: "Assistant of the whole marketing department"
  }
  const { text } = yield* (yield* Credentials).issue({ ...wish, limits: { ...noLimits, dailyOrderCap: 0 } }, by)
  const secret = Redacted.value(text)
  const long = "a-very-long-name-of-a-page-about-pruning-shears-and-other-garden-tools-in-the-autumn-sale"
  for (let nth = 0; nth < MANY; nth++)
    yield* orderBy(url, secret, [
      item((nth % 20) + 1, `${long}/${nth}`, `pruning shears for every garden, number ${nth}`)
    ])
  for (let nth = 0; nth < 12; nth++) yield* putIntoCart(token, `item-${nth}`, nth + 1)
  yield* (yield* IssueInvoices).pass(true)
  return token
})
