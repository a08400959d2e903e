// Sales as scenarios of payments begin with them: an order that waits for a human to pay a part of it, and what humans make of it.
import { Effect } from "effect"
import { buyer, insertion, order } from "./Buyers.ts"
import { press } from "./Calls.ts"
import { listArticle, listSite } from "./Goods.ts"

/** 5.00 EUR, of which 2.00 are held credit and 3.00 are left to pay. */
export const openQuote = Effect.gen(function* () {
  const { siteId } = yield* listSite()
  const article = yield* listArticle(siteId)
  const who = yield* buyer({ creditCents: 200 })
  const { quote_id, payment_url } = yield* order(who, [insertion(article)])
  return { who, article, quoteId: quote_id ?? "", url: payment_url ?? "" }
})

/** A quote of each fate: still open, paid, given up. */
export const everyFate = Effect.fnUntraced(function* <Quote extends { readonly url: string }, E, R>(
  openQuote: Effect.Effect<Quote, E, R>
) {
  const open = yield* openQuote
  const paid = yield* openQuote
  yield* press("pay", paid.url)
  const givenUp = yield* openQuote
  yield* press("abandon", givenUp.url)
  return [open, paid, givenUp]
})
