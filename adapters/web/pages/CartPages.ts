// The Shop's cart: items put in, changed and taken out, their price by the dry run that agents use, and their order. A cart is ordered
// once, however often its form is sent.
import { Effect, Result, Schema } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { canonicalOrder, OrderRequest, readOrder } from "#adapters/contract/ordering/OrderRequest.ts"
import { html } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
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
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"
import { cartProblem } from "../shop/CartProblem.ts"
import { CART, cartBody, emptyCart, type Preview } from "../shop/CartView.ts"
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

/** What the page needs of the answer to an order. */
const decodeAnswer = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      quote_id: Schema.NullOr(Schema.String),
      order_id: Schema.optionalKey(Schema.String),
      summary: Schema.String
    })
  )
)

const bodyOf = ({ items, promoCode }: ShopCart, more: { readonly dryRun: boolean; readonly totalCents?: number }) => {
  const { dryRun, totalCents } = more
  return {
    items: items.map(({ item }) => item),
    dry_run: dryRun,
    ...(promoCode === undefined ? {} : { promo_code: promoCode }),
    ...(totalCents === undefined ? {} : { max_total_eur: totalCents / 100 })
  }
}

const CHANGED = "The cart has changed since you looked, as in another window. Nothing was ordered; look at it again."
const FULL = `The cart has ${MAX_ITEMS} links, the most that one order takes. Order them first, or take one out.`
const AGAIN = "This cart was ordered already: this is what became of it, and nothing was bought twice."
const PREPARED = "The payment is being prepared: load this page again in a moment. Nothing is charged before you pay."

const whereOf = ({ orderId, quoteId }: { readonly orderId: string | null; readonly quoteId: string }): string =>
  orderId === null ? `/account/quotes/${quoteId}` : `/account/orders/${orderId}`

export const cartHandlers = Effect.gen(function* () {
  const shop = yield* WebShop
  const catalogue = yield* BrowseCatalogue
  const sessions = yield* MemberSessions
  const visibility = yield* PlanVisibility
  const tracking = yield* TrackOrders
  const { place } = yield* PlaceOrder
  const accounts = yield* ViewAccount

  const change = Effect.fnUntraced(function* (
    who: SignedIn,
    by: (newKey: string) => (stored: string | null) => string | null
  ) {
    return readCart(yield* sessions.changeCart(who, by(yield* shop.newId)))
  })

  /** The same dry run as the API's. */
  const previewOf = Effect.fnUntraced(function* (who: SignedIn, cart: ShopCart) {
    const caller = yield* shop.callerOf(who)
    const body = bodyOf(cart, { dryRun: true })
    const asked = { caller, request: readOrder(body), canonicalBody: canonicalOrder(body), idempotencyKey: null }
    return yield* place(asked).pipe(
      Effect.map(({ priced }) => priced),
      Effect.map((quote): Preview | null => (quote === undefined ? null : { _tag: "Priced", quote })),
      Effect.catch((failure: Failure) => {
        const problem = cartProblem(failure)
        return problem === null ? Effect.fail(failure) : Effect.succeed<Preview>({ _tag: "Refused", problem })
      })
    )
  })

  const domainsOf = ({ items }: ShopCart) =>
    Effect.forEach(new Set(items.map(({ item }) => item.site_id)), (siteId) =>
      catalogue.site(siteId).pipe(
        Effect.map(({ site }) => [[siteId, site.domain] as const]),
        Effect.catchTag("SiteNotFound", () => Effect.succeed([]))
      )
    ).pipe(Effect.map((found) => new Map(found.flat())))

  const cartPage = Effect.fnUntraced(function* (
    who: SignedIn,
    options: { readonly problem?: string; readonly status?: number } = {}
  ) {
    const { problem = null, status = 200 } = options
    const read = readCart(yield* sessions.changeCart(who, (stored) => stored))
    const preview = read === null || read.cart.items.length === 0 ? null : yield* previewOf(who, read.cart)
    if (read === null || preview === null) return show("Shop", "Cart", emptyCart(problem), { status })
    return show("Shop", "Cart", cartBody(read, yield* domainsOf(read.cart), preview, problem), { status })
  })

  const itemPage = Effect.fnUntraced(function* (who: SignedIn, state: FormState, problem: string | null, status = 200) {
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

  /** What the cart of this key became, if it was ordered. */
  const orderedBefore = Effect.fnUntraced(function* (who: SignedIn, key: string) {
    const caller = yield* shop.callerOf(who)
    return yield* tracking.quoteByIdempotencyKey(caller, key).pipe(
      Effect.map(({ quote }) => seeOther(whereOf(quote), AGAIN)),
      Effect.catchTag("QuoteNotFound", () => cartPage(who, { problem: CHANGED, status: 409 }))
    )
  })

  const orderCart = Effect.fnUntraced(function* (who: SignedIn, cart: ShopCart, totalCents: number) {
    const caller = yield* shop.callerOf(who)
    const body = bodyOf(cart, { dryRun: false, totalCents })
    const order = { caller, request: readOrder(body), canonicalBody: canonicalOrder(body), idempotencyKey: cart.key }
    return yield* place(order).pipe(
      Effect.map((answer) => {
        const { quote_id, order_id, summary } = decodeAnswer(answer.body)
        return seeOther(whereOf({ orderId: order_id ?? null, quoteId: quote_id ?? "" }), summary)
      }),
      Effect.catchTag("ProcessorUnavailable", (failure) =>
        // Once the quote exists, the service itself tries again.
        failure.quoteId === undefined
          ? Effect.fail(failure)
          : Effect.succeed(seeOther(`/account/quotes/${failure.quoteId}`, PREPARED))
      ),
      Effect.tap(() => change(who, (newKey) => afterOrder(newKey, cart)))
    )
  })

  const handlers: Handlers<typeof cartRoutes> = {
    cart: ({ who }) => cartPage(who),
    putItem: Effect.fnUntraced(function* ({ who, form }) {
      const sent = form.get("id")
      const id = isItemId(sent) ? sent : yield* shop.newId
      const item = readItem(form)
      if (Result.isFailure(item)) return yield* itemPage(who, { values: form, messages: item.failure }, null, 422)
      const { site } = yield* catalogue.site(item.success.site_id)
      const read = yield* change(who, (newKey) => withItems(newKey, [{ id, item: item.success }]))
      const isKept = read?.cart.items.some((one) => one.id === id) ?? false
      if (!isKept) return yield* itemPage(who, { values: form, messages: new Map() }, FULL, 409)
      return seeOther(CART, `A link on ${site.domain} is in your cart.`)
    }),
    editItem: Effect.fnUntraced(function* ({ who, params: { id = "" } }) {
      const found = readCart(who.session.cart)?.cart.items.find((one) => one.id === id)
      if (found === undefined) return yield* cartPage(who, { problem: "This link is not in your cart.", status: 404 })
      return yield* itemPage(who, formOf(id, found.item), null)
    }),
    removeItem: Effect.fnUntraced(function* ({ who, params: { id = "" } }) {
      yield* change(who, (newKey) => withoutItems(newKey, new Set([id])))
      return seeOther(CART, "It was taken out of your cart.")
    }),
    promoCode: Effect.fnUntraced(function* ({ who, form }) {
      const decoded = decodePromo(form)
      const problem = Result.isFailure(decoded) ? (decoded.failure.get("promo_code") ?? "") : null
      if (problem !== null) return yield* cartPage(who, { problem: `Promo code: ${problem}`, status: 422 })
      const promoCode = Result.isSuccess(decoded) ? decoded.success.promo_code?.trim() : undefined
      yield* change(who, (newKey) => withPromoCode(newKey, promoCode))
      return seeOther(CART)
    }),
    orderAgain: Effect.fnUntraced(function* ({ who, params: { id = "" } }) {
      const { found, reorder } = yield* accounts.order(who.account.accountId, id)
      const items = itemsAgain(found, reorder)
      const read = yield* change(who, (newKey) => withItems(newKey, items))
      const inCart = new Set(read?.cart.items.map((one) => one.id))
      return seeOther(CART, putAgain(items.filter((one) => inCart.has(one.id)).length, found, reorder))
    }),
    order: Effect.fnUntraced(function* ({ who, form }) {
      const decoded = decodeOrder(form)
      if (Result.isFailure(decoded)) return yield* cartPage(who, { problem: CHANGED, status: 422 })
      const { cart: key, total } = decoded.success
      const cart = readCart(who.session.cart)?.cart
      if (cart === undefined || cart.key !== key || cart.items.length === 0) return yield* orderedBefore(who, key)
      return yield* orderCart(who, cart, total).pipe(
        Effect.catchTag("IdempotencyKeyReused", () => orderedBefore(who, key)),
        Effect.catch((failure: Failure) => {
          const problem = cartProblem(failure)
          return problem === null
            ? Effect.fail(failure)
            : cartPage(who, { status: 409, ...(problem.ofCart === null ? {} : { problem: problem.ofCart }) })
        })
      )
    })
  }
  return handlers
})
