// The Shop's cart, as text that is kept with the session: items as the API takes them, a promotion code, and the idempotency key of its
// order. The key changes with the cart, so that a page that shows an earlier cart cannot order this one.
import { Option, Schema } from "effect"
import { OrderItem, OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"

export interface CartItem {
  /** From the form that added it: a form that is sent twice adds one item. */
  readonly id: string
  readonly item: OrderItem
}

export interface ShopCart {
  readonly key: string
  readonly promoCode: string | undefined
  /** The buyer's own for the order. */
  readonly reference: string | undefined
  readonly items: ReadonlyArray<CartItem>
}

/** Ids of carts and items, see `WebShop.newId`. */
const Id = Schema.String.check(Schema.isPattern(/^[\w-]{1,100}$/))

const StoredCart = Schema.fromJsonString(
  Schema.Struct({
    key: Id,
    promo_code: OrderRequest.fields.promo_code,
    reference: OrderRequest.fields.reference,
    items: Schema.Array(Schema.Unknown)
  })
)

const decodeStored = Schema.decodeUnknownOption(StoredCart)
const decodeItem = Schema.decodeUnknownOption(Schema.Struct({ id: Id, item: OrderItem }))
const encodeItem = Schema.encodeSync(OrderItem)

export const isItemId = Schema.is(Id)

export interface ReadCart {
  readonly cart: ShopCart
  /** Items that this version of the service does not take. */
  readonly unreadable: number
}

/** `null`: nothing is in it, or nothing that can be read. */
export const readCart = (stored: string | null): ReadCart | null => {
  const decoded = decodeStored(stored)
  if (Option.isNone(decoded)) return null
  const { key, promo_code: promoCode, reference, items } = decoded.value
  const readable = items.slice(0, MAX_ITEMS).flatMap((one) => Option.toArray(decodeItem(one)))
  return { cart: { key, promoCode, reference, items: readable }, unreadable: items.length - readable.length }
}

/** `null` if there are no items: nothing is kept. */
const writeCart = ({ key, promoCode, reference, items }: ShopCart): string | null =>
  items.length === 0
    ? null
    : JSON.stringify({
        key,
        ...(promoCode === undefined ? {} : { promo_code: promoCode }),
        ...(reference === undefined ? {} : { reference }),
        items: items.map(({ id, item }) => ({ id, item: encodeItem(item) }))
      })

type Change = (stored: string | null) => string | null

/** The key stays with a change that changes nothing, such as a form that is sent twice. */
const changing =
  (newKey: string, change: (cart: Omit<ShopCart, "key">) => Omit<ShopCart, "key">): Change =>
  (stored) => {
    const before = readCart(stored)?.cart ?? { key: newKey, promoCode: undefined, reference: undefined, items: [] }
    const after = { ...change(before), key: before.key }
    return writeCart(after) === writeCart(before) ? stored : writeCart({ ...after, key: newKey })
  }

/** Each takes the place of the item with its id, or is added, while there is room for it. */
export const withItems = (newKey: string, added: ReadonlyArray<CartItem>): Change =>
  changing(newKey, ({ items, ...cart }) => {
    const byId = new Map(items.map((one) => [one.id, one] as const))
    for (const one of added) if (byId.has(one.id) || byId.size < MAX_ITEMS) byId.set(one.id, one)
    return { ...cart, items: [...byId.values()] }
  })

export const withoutItems = (newKey: string, ids: ReadonlySet<string>): Change =>
  changing(newKey, ({ items, ...cart }) => ({ ...cart, items: items.filter(({ id }) => !ids.has(id)) }))

/** After its order: without what was ordered, and without the code and the reference, which belonged to it. */
export const afterOrder = (newKey: string, { items: ordered }: ShopCart): Change => {
  const ids = new Set(ordered.map(({ id }) => id))
  return changing(newKey, ({ items }) => ({
    promoCode: undefined,
    reference: undefined,
    items: items.filter(({ id }) => !ids.has(id))
  }))
}

export const withPromoCode = (newKey: string, promoCode: string | undefined): Change =>
  changing(newKey, (cart) => ({ ...cart, promoCode }))

export const withReference = (newKey: string, reference: string | undefined): Change =>
  changing(newKey, (cart) => ({ ...cart, reference }))
