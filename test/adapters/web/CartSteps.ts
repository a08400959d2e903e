// A customer in the Shop: puts items into the cart, looks at it and orders it.
import { Effect } from "effect"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { openAccount, visit } from "./Visitors.ts"

export const CART = "/account/shop/cart"
export const ORDER = "/account/shop/order"

export const hiddenIn = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""

export const ITEM = {
  target_url: "https://shop.example/spring",
  anchor_text: "spring tools",
  anchor_type: "branded",
  tier2_links: "0"
}

export type Form = Readonly<Record<string, string>>

/** An account with an owner who has this credit. */
export const customer = Effect.fnUntraced(function* (cents: number) {
  const people = yield* openAccount
  const { accountId } = people.account
  if (cents > 0) yield* (yield* ManageAccounts).topUp({ accountId, cents, reference: "test" }, "test")
  return people
})

export const put = Effect.fnUntraced(function* (token: string, siteId: number, over: Form = {}) {
  const { text } = yield* visit({ path: `/account/shop/sites/${siteId}`, token })
  const form = { ...ITEM, id: hiddenIn(text, "id"), site_id: String(siteId), ...over }
  return { form, answer: yield* visit({ method: "POST", path: CART, token, form }) }
})

/** The form of the button that orders, as the cart shows it now. */
export const orderForm = Effect.fnUntraced(function* (token: string) {
  const { text } = yield* visit({ path: CART, token })
  return { text, form: { cart: hiddenIn(text, "cart"), total: hiddenIn(text, "total") } }
})

export const order = (token: string, form: Form) => visit({ method: "POST", path: ORDER, token, form })

export const stateOf = Effect.fnUntraced(function* (accountId: AccountId) {
  const accounts = yield* ViewAccount
  const { availableCents, heldCents, waiting } = yield* accounts.overview(accountId, yield* accounts.keys(accountId))
  const { approvals, payments } = waiting.counts
  const query = { accountId, mode: "live", conditions: {}, limit: 50, beforeId: null } as const
  const { orders } = yield* accounts.orders(query)
  return { availableCents, heldCents, quotes: approvals + payments, orders: orders.length }
})
