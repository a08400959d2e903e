// What the scenarios with Stripe share: an open quote and its session, and notices as they reach the shop.
import { Effect } from "effect"
import type { StripeEvent, StripeSession } from "#test/adapters/payments/StripeAccount.ts"
import { StripeStandIn, sessionIdIn } from "#test/adapters/payments/StripeStandIn.ts"
import { buyer, insertion, order } from "./Buyers.ts"
import { call } from "./Calls.ts"
import { listArticle, listSite } from "./Goods.ts"
import { NOTICES } from "./StripeShop.ts"

/** 5.00 EUR, of which 2.00 are held credit and 3.00 are left to pay at Stripe. */
export const openQuote = Effect.gen(function* () {
  const { siteId } = yield* listSite()
  const article = yield* listArticle(siteId)
  const who = yield* buyer({ creditCents: 200 })
  const { quote_id, payment_url } = yield* order(who, [insertion(article)])
  const id = quote_id ?? ""
  const url = payment_url ?? ""
  return { who, article, id, url, sessionId: sessionIdIn(url), status: who.api.quotes.getQuote({ params: { id } }) }
})

export type OpenQuote = Effect.Success<typeof openQuote>

type Signing = Parameters<StripeStandIn["Service"]["notice"]>[1]

/** Reaches the shop like any other request, whoever sends it. */
export const deliver = Effect.fnUntraced(function* (event: StripeEvent, signing?: Signing) {
  const { notice } = yield* StripeStandIn
  const { body, signature } = notice(event, signing)
  return yield* call("POST", NOTICES, { body, headers: { "stripe-signature": signature } })
})

/** A human pays, and Stripe has told nobody yet. */
export const payUnnoticed = (sessionId: string) => Effect.map(StripeStandIn, ({ account }) => account.pay(sessionId))

/** An event about a session as it is, with differences. */
export const eventAbout = Effect.fnUntraced(function* (
  sessionId: string,
  over: Partial<StripeSession> = {},
  type = "checkout.session.completed"
) {
  const { account } = yield* StripeStandIn
  const paid = { status: "complete", payment_status: "paid" } as const
  return account.event(type, { ...account.retrieve(sessionId), ...paid, ...over })
})
