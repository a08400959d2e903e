// The Shop's cart: items put in, changed and taken out, their price by the dry run that agents use, and their order. A cart is ordered
// once, however often its form is sent.
import { Effect, Result } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { html } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import { catalogueIdOf } from "../form/FieldSchemas.ts"
import { refuse, showForm, submit } from "../form/Form.ts"
import { action, page, seeOther, titled, type Visit } from "../Page.ts"
import { orderCart, previewOf, whereOf } from "../shop/CartOrder.ts"
import { cartProblem } from "../shop/CartProblem.ts"
import { CART, cartBody, emptyCart, orderForm, orderReference, promoCode } from "../shop/CartView.ts"
import { type ItemValues, itemFields, itemForm, readItem, valuesOf } from "../shop/ItemForm.ts"
import { itemsAgain, putAgain } from "../shop/OrderAgain.ts"
import { projectChoices } from "../shop/ProjectChoices.ts"
import {
  afterOrder,
  isItemId,
  readCart,
  type ShopCart,
  withItems,
  withoutItems,
  withPromoCode,
  withReference
} from "../shop/ShopCart.ts"

const ARTICLES_OFFERED = 50

const CHANGED =
  "The cart has changed since you opened this page, perhaps in another window. Nothing was ordered: check it, and order again."
const FULL = `The cart has ${MAX_ITEMS} links, the most that one order takes, so this one was not added. Order them first, or remove one.`
const ITEMS_AT_FAULT = "Nothing was ordered: correct the links below that have a message."
const AGAIN = "This cart was ordered before, and nothing was bought twice. Here is that order."

const changeCart = Effect.fnUntraced(function* (
  who: SignedIn,
  by: (newKey: string) => (stored: string | null) => string | null
) {
  const newKey = yield* (yield* WebShop).newId
  return readCart(yield* (yield* MemberSessions).changeCart(who, by(newKey)))
})

const domainsOf = Effect.fnUntraced(function* ({ items }: ShopCart) {
  const catalogue = yield* BrowseCatalogue
  const found = yield* Effect.forEach(new Set(items.map(({ item }) => item.site_id)), (siteId) =>
    catalogue.site(siteId).pipe(
      Effect.map(({ site }) => [[siteId, site.domain] as const]),
      Effect.catchTag("SiteNotFound", () => Effect.succeed([]))
    )
  )
  return new Map(found.flat())
})

const cartWith = Effect.fnUntraced(function* (visit: Visit<SignedIn>, problem: string | null, status = 200) {
  const { who } = visit
  const read = readCart(yield* (yield* MemberSessions).changeCart(who, (stored) => stored))
  if (read === null || read.cart.items.length === 0) {
    return titled("Cart", emptyCart(problem), { status })
  }
  const preview = yield* previewOf(who, read.cart)
  return titled("Cart", yield* cartBody(visit, read, yield* domainsOf(read.cart), preview, problem), { status })
})

const cartPage = page("owner", CART, { section: "Cart" }, function* (visit) {
  return yield* cartWith(visit, null)
})

const itemBody = Effect.fnUntraced(function* (visit: Visit<SignedIn>, values: ItemValues) {
  const catalogue = yield* BrowseCatalogue
  const siteId = catalogueIdOf(values["site_id"])
  const { site, articles } = yield* catalogue.articles({ siteId, limit: ARTICLES_OFFERED, afterId: null })
  const projects = yield* projectChoices(visit.who.account)
  const fields = itemFields({ site, articles, projects, tier2: catalogue.tier2PricesCents }, values)
  const body = html`${yield* showForm(itemForm, visit, { fields, values, button: "Save the change" })}
<p><a href="${CART}">Leave it as it is</a></p>`
  return titled(`A link on ${site.domain}`, body)
})

/** An item of the cart, or one that was refused. */
const itemPage = page("owner", `${CART}/items/:id`, { section: "Cart" }, function* (visit) {
  const { who, params, refused } = visit
  if (refused !== null) return yield* itemBody(visit, Object.fromEntries(refused.values))
  const found = readCart(who.session.cart)?.cart.items.find(({ id }) => id === params["id"])
  return found === undefined
    ? yield* cartWith(visit, "This link is not in your cart.", 404)
    : yield* itemBody(visit, valuesOf(found.id, found.item))
})

/** What the cart of this key became, if it was ordered. */
const orderedBefore = Effect.fnUntraced(function* (who: SignedIn, key: string) {
  const caller = yield* (yield* WebShop).callerOf(who)
  return yield* (yield* TrackOrders).quoteByIdempotencyKey(caller, key).pipe(
    Effect.map(({ quote }) => seeOther(whereOf(quote), AGAIN)),
    Effect.catchTag("QuoteNotFound", () => refuse(CHANGED, 409))
  )
})

/** What is wrong with an item or the code stands beside it when the cart is shown again. */
const notOrdered = Effect.fnUntraced(function* (who: SignedIn, key: string, failure: Failure) {
  if (failure._tag === "IdempotencyKeyReused") return yield* orderedBefore(who, key)
  const problem = cartProblem(failure)
  if (problem === null) return yield* Effect.fail(failure)
  const { ofCart, ofPromoCode } = problem
  return yield* refuse(ofPromoCode === null ? (ofCart ?? ITEMS_AT_FAULT) : { promo_code: ofPromoCode }, 409)
})

export const cartPages = [
  cartPage,
  submit("owner", itemForm, itemPage, function* (_, { who, form }) {
    const sent = form.get("id")
    const id = isItemId(sent) ? sent : yield* (yield* WebShop).newId
    const item = readItem(form)
    if (Result.isFailure(item)) return yield* refuse(item.failure)
    const { site } = yield* (yield* BrowseCatalogue).site(item.success.site_id)
    const read = yield* changeCart(who, (newKey) => withItems(newKey, [{ id, item: item.success }]))
    const isKept = read?.cart.items.some((one) => one.id === id) ?? false
    return isKept ? seeOther(CART, `A link on ${site.domain} is in your cart.`) : yield* refuse(FULL, 409)
  }),
  itemPage,
  action("owner", `${CART}/items/:id/remove`, function* ({ who, params: { id = "" } }) {
    yield* changeCart(who, (newKey) => withoutItems(newKey, new Set([id])))
    return seeOther(CART, "It was taken out of your cart.")
  }),
  submit("owner", promoCode, cartPage, function* ({ promo_code: code }, { who }) {
    yield* changeCart(who, (newKey) => withPromoCode(newKey, code?.trim()))
    return seeOther(CART)
  }),
  submit("owner", orderReference, cartPage, function* ({ reference }, { who }) {
    yield* changeCart(who, (newKey) => withReference(newKey, reference?.trim()))
    return seeOther(CART)
  }),
  submit("owner", orderForm, cartPage, function* ({ cart: key, total }, { who }) {
    if (!/^\d{1,9}$/.test(total)) return yield* refuse(CHANGED)
    const cart = readCart(who.session.cart)?.cart
    if (cart === undefined || cart.key !== key || cart.items.length === 0) return yield* orderedBefore(who, key)
    return yield* orderCart(who, cart, Number(total)).pipe(
      Effect.tap(() => changeCart(who, (newKey) => afterOrder(newKey, cart))),
      Effect.catch((failure) => notOrdered(who, key, failure))
    )
  }),
  action("owner", "/account/orders/:id/again", function* ({ who, params: { id = "" } }) {
    const { found, reorder } = yield* (yield* ViewAccount).order(who.account.accountId, OrderId.make(id))
    const items = itemsAgain(found, reorder)
    const read = yield* changeCart(who, (newKey) => withItems(newKey, items))
    const inCart = new Set(read?.cart.items.map((one) => one.id))
    return seeOther(CART, putAgain(items.filter((one) => inCart.has(one.id)).length, found, reorder))
  })
]
