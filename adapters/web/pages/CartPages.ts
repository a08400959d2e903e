// The Shop's cart: items put in, changed and taken out, their price by the dry run that agents use, and their order. A cart is ordered
// once, however often its form is sent.
import { Effect, Result, Schema } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { html } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { PlanVisibility } from "#core/usecases/catalogue/PlanVisibility.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { TrackOrders } from "#core/usecases/ordering/TrackOrders.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import type { FormState } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { catalogueIdOf, wholeField } from "../FormSchemas.ts"
import { action, type Handlers, page, seeOther, show, type Visit } from "../PageRoutes.ts"
import { orderCart, previewOf, whereOf } from "../shop/CartOrder.ts"
import { cartProblem } from "../shop/CartProblem.ts"
import { CART, cartBody, emptyCart } from "../shop/CartView.ts"
import { formOf, itemForm, readItem } from "../shop/ItemForm.ts"
import { itemsAgain, putAgain } from "../shop/OrderAgain.ts"
import { projectChoices } from "../shop/ProjectChoices.ts"
import {
  afterOrder,
  isItemId,
  readCart,
  type ShopCart,
  withItems,
  withoutItems,
  withPromoCode
} from "../shop/ShopCart.ts"

export const cartRoutes = {
  cart: page("owner", "/account/shop/cart"),
  putItem: action("owner", "/account/shop/cart"),
  editItem: page("owner", "/account/shop/cart/items/:id"),
  removeItem: action("owner", "/account/shop/cart/items/:id/remove"),
  promoCode: action("owner", "/account/shop/cart/promo-code"),
  order: action("owner", "/account/shop/order"),
  orderAgain: action("owner", "/account/orders/:id/again")
}

const ARTICLES_OFFERED = 50

const decodePromo = formDecoder(Schema.Struct({ promo_code: OrderRequest.fields.promo_code }))
const decodeOrder = formDecoder(Schema.Struct({ cart: Schema.String, total: wholeField(0, 999_999_999) }))

const CHANGED = "The cart has changed since you looked, as in another window. Nothing was ordered; look at it again."
const FULL = `The cart has ${MAX_ITEMS} links, the most that one order takes. Order them first, or take one out.`
const AGAIN = "This cart was ordered already: this is what became of it, and nothing was bought twice."

const useCases = Effect.all({
  shop: WebShop,
  catalogue: BrowseCatalogue,
  sessions: MemberSessions,
  visibility: PlanVisibility,
  tracking: TrackOrders,
  ordering: PlaceOrder,
  accounts: ViewAccount
})

type UseCases = Effect.Success<typeof useCases>

const changeCart = Effect.fnUntraced(function* (
  { shop, sessions }: UseCases,
  who: SignedIn,
  by: (newKey: string) => (stored: string | null) => string | null
) {
  return readCart(yield* sessions.changeCart(who, by(yield* shop.newId)))
})

const domainsOf = ({ catalogue }: UseCases, { items }: ShopCart) =>
  Effect.forEach(new Set(items.map(({ item }) => item.site_id)), (siteId) =>
    catalogue.site(siteId).pipe(
      Effect.map(({ site }) => [[siteId, site.domain] as const]),
      Effect.catchTag("SiteNotFound", () => Effect.succeed([]))
    )
  ).pipe(Effect.map((found) => new Map(found.flat())))

const cartPage = Effect.fnUntraced(function* (
  uses: UseCases,
  who: SignedIn,
  options: { readonly problem?: string; readonly status?: number } = {}
) {
  const { problem = null, status = 200 } = options
  const read = readCart(yield* uses.sessions.changeCart(who, (stored) => stored))
  if (read === null || read.cart.items.length === 0) return show("Shop", "Cart", emptyCart(problem), { status })
  const preview = yield* previewOf(uses, who, read.cart)
  return show("Shop", "Cart", cartBody(read, yield* domainsOf(uses, read.cart), preview, problem), { status })
})

const itemPage = Effect.fnUntraced(function* (
  { catalogue, visibility }: UseCases,
  who: SignedIn,
  state: FormState,
  { problem = null, status = 200 }: { readonly problem?: string | null; readonly status?: number } = {}
) {
  const siteId = catalogueIdOf(state.values.get("site_id"))
  const { site, articles } = yield* catalogue.articles({ siteId, limit: ARTICLES_OFFERED, afterId: null })
  const projects = yield* projectChoices(visibility, who.account)
  const context = { site, articles, projects, tier2: catalogue.tier2PricesCents }
  return show(
    "Shop",
    `A link on ${site.domain}`,
    html`<h1>A link on ${site.domain}</h1>
${problem === null ? "" : html`<p class="problem" role="alert">${problem}</p>`}
${itemForm(state, context, "Keep it in the cart")}
<p><a href="${CART}">Back to the cart</a></p>`,
    { status }
  )
})

const putItem = Effect.fnUntraced(function* (uses: UseCases, { who, form }: Visit<SignedIn>) {
  const sent = form.get("id")
  const id = isItemId(sent) ? sent : yield* uses.shop.newId
  const item = readItem(form)
  if (Result.isFailure(item)) {
    return yield* itemPage(uses, who, { values: form, messages: item.failure }, { status: 422 })
  }
  const { site } = yield* uses.catalogue.site(item.success.site_id)
  const read = yield* changeCart(uses, who, (newKey) => withItems(newKey, [{ id, item: item.success }]))
  const isKept = read?.cart.items.some((one) => one.id === id) ?? false
  if (!isKept) {
    return yield* itemPage(uses, who, { values: form, messages: new Map() }, { problem: FULL, status: 409 })
  }
  return seeOther(CART, `A link on ${site.domain} is in your cart.`)
})

const editItem = Effect.fnUntraced(function* (uses: UseCases, { who, params: { id = "" } }: Visit<SignedIn>) {
  const found = readCart(who.session.cart)?.cart.items.find((one) => one.id === id)
  if (found === undefined) return yield* cartPage(uses, who, { problem: "This link is not in your cart.", status: 404 })
  return yield* itemPage(uses, who, formOf(id, found.item))
})

const removeItem = Effect.fnUntraced(function* (uses: UseCases, { who, params: { id = "" } }: Visit<SignedIn>) {
  yield* changeCart(uses, who, (newKey) => withoutItems(newKey, new Set([id])))
  return seeOther(CART, "It was taken out of your cart.")
})

const usePromoCode = Effect.fnUntraced(function* (uses: UseCases, { who, form }: Visit<SignedIn>) {
  const decoded = decodePromo(form)
  if (Result.isFailure(decoded)) {
    const problem = `Promo code: ${decoded.failure.get("promo_code") ?? ""}`
    return yield* cartPage(uses, who, { problem, status: 422 })
  }
  const promoCode = decoded.success.promo_code?.trim()
  yield* changeCart(uses, who, (newKey) => withPromoCode(newKey, promoCode))
  return seeOther(CART)
})

const orderAgain = Effect.fnUntraced(function* (uses: UseCases, { who, params: { id = "" } }: Visit<SignedIn>) {
  const { found, reorder } = yield* uses.accounts.order(who.account.accountId, OrderId.make(id))
  const items = itemsAgain(found, reorder)
  const read = yield* changeCart(uses, who, (newKey) => withItems(newKey, items))
  const inCart = new Set(read?.cart.items.map((one) => one.id))
  return seeOther(CART, putAgain(items.filter((one) => inCart.has(one.id)).length, found, reorder))
})

/** What the cart of this key became, if it was ordered. */
const orderedBefore = Effect.fnUntraced(function* (uses: UseCases, who: SignedIn, key: string) {
  const caller = yield* uses.shop.callerOf(who)
  return yield* uses.tracking.quoteByIdempotencyKey(caller, key).pipe(
    Effect.map(({ quote }) => seeOther(whereOf(quote), AGAIN)),
    Effect.catchTag("QuoteNotFound", () => cartPage(uses, who, { problem: CHANGED, status: 409 }))
  )
})

const order = Effect.fnUntraced(function* (uses: UseCases, { who, form }: Visit<SignedIn>) {
  const decoded = decodeOrder(form)
  if (Result.isFailure(decoded)) return yield* cartPage(uses, who, { problem: CHANGED, status: 422 })
  const { cart: key, total } = decoded.success
  const cart = readCart(who.session.cart)?.cart
  if (cart === undefined || cart.key !== key || cart.items.length === 0) return yield* orderedBefore(uses, who, key)
  return yield* orderCart(uses, who, cart, total).pipe(
    Effect.tap(() => changeCart(uses, who, (newKey) => afterOrder(newKey, cart))),
    Effect.catchTag("IdempotencyKeyReused", () => orderedBefore(uses, who, key)),
    Effect.catch((failure: Failure) => {
      const problem = cartProblem(failure)
      return problem === null
        ? Effect.fail(failure)
        : cartPage(uses, who, { status: 409, ...(problem.ofCart === null ? {} : { problem: problem.ofCart }) })
    })
  )
})

export const cartHandlers = Effect.map(
  useCases,
  (uses): Handlers<typeof cartRoutes> => ({
    cart: ({ who }) => cartPage(uses, who),
    putItem: (visit) => putItem(uses, visit),
    editItem: (visit) => editItem(uses, visit),
    removeItem: (visit) => removeItem(uses, visit),
    promoCode: (visit) => usePromoCode(uses, visit),
    order: (visit) => order(uses, visit),
    orderAgain: (visit) => orderAgain(uses, visit)
  })
)
