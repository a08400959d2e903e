// The order of a cart, and its price by the same dry run as the API's.
import { Effect } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { canonicalOrder, readOrder } from "#adapters/contract/ordering/OrderRequest.ts"
import { summarisePlacement } from "#adapters/contract/ordering/QuoteResponse.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import { seeOther } from "../Page.ts"
import { toPayment } from "../QuoteMoney.ts"
import { cartProblem } from "./CartProblem.ts"
import type { Preview } from "./CartView.ts"
import { linkedAlready } from "./LinkedAlready.ts"
import type { ShopCart } from "./ShopCart.ts"

const PREPARED = "The payment is being prepared: load this page again in a moment. Nothing is charged before you pay."

/** The page of the order, or the one that leads on to the payment. */
export const whereOf = ({ orderId, quoteId }: Pick<Quote, "orderId" | "quoteId">): string =>
  orderId === null ? toPayment(quoteId) : `/account/orders/${orderId}`

/** Places the cart at the price that was shown, or only prices it if none was. */
const submit = Effect.fnUntraced(function* (
  who: SignedIn,
  { key, items, promoCode, reference }: ShopCart,
  shownCents: number | null
) {
  const caller = yield* (yield* WebShop).callerOf(who)
  const body = {
    items: items.map(({ item }) => item),
    dry_run: shownCents === null,
    ...(promoCode === undefined ? {} : { promo_code: promoCode }),
    ...(reference === undefined ? {} : { reference }),
    ...(shownCents === null ? {} : { max_total_eur: shownCents / 100 })
  }
  const { findPlacement } = yield* (yield* PlaceOrder).place({
    caller,
    request: readOrder(body),
    canonicalBody: canonicalOrder(body),
    idempotencyKey: shownCents === null ? null : key
  })
  return yield* findPlacement
})

export const previewOf = (who: SignedIn, cart: ShopCart) =>
  submit(who, cart, null).pipe(
    Effect.flatMap(({ quote }) =>
      Effect.map(linkedAlready(who, quote), (linked): Preview => ({ _tag: "Priced", quote, linked }))
    ),
    Effect.catch((failure: Failure) => {
      const problem = cartProblem(failure)
      return problem === null ? Effect.fail(failure) : Effect.succeed<Preview>({ _tag: "Refused", problem })
    })
  )

/** Leads to the order, or to the quote that is to be paid. */
export const orderCart = (who: SignedIn, cart: ShopCart, totalCents: number) =>
  submit(who, cart, totalCents).pipe(
    Effect.map((placement) => seeOther(whereOf(placement.quote), summarisePlacement(placement))),
    Effect.catchTag("ProcessorUnavailable", (failure) =>
      // Once the quote exists, the service itself tries again.
      failure.quoteId === undefined
        ? Effect.fail(failure)
        : Effect.succeed(seeOther(toPayment(failure.quoteId), PREPARED))
    )
  )
