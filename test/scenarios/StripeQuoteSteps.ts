// What the scenarios with Stripe share: an open quote and its session, and notices as they reach the shop.
import { Effect } from "effect"
import type { StripeEvent, StripeSession } from "#test/adapters/payments/StripeAccount.ts"
import { StripeStandIn, sessionIdIn } from "#test/adapters/payments/StripeStandIn.ts"
import { call } from "./HttpCalls.ts"
import * as Sales from "./QuoteSteps.ts"
import { NOTICES } from "./StripeService.ts"

/** As any open quote, with its session at Stripe, where the 3.00 EUR are to be paid. */
export const openQuote = Effect.map(Sales.openQuote, (sale) => ({
  ...sale,
  sessionId: sessionIdIn(sale.url),
  status: sale.who.api.quotes.getQuote({ params: { id: sale.quoteId } })
}))

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
