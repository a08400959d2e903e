// Steps of scenarios with Stripe: an open quote with its session, and notices to the service.
import { Effect } from "effect"
import { expect } from "vitest"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import type { StripeEvent, StripeSession } from "#test/adapters/payments/StripeAccount.ts"
import { StripeStandIn, sessionIdIn } from "#test/adapters/payments/StripeStandIn.ts"
import { call, QUOTES } from "./HttpCalls.ts"
import * as Sales from "./QuoteSteps.ts"
import { NOTICES } from "./StripeService.ts"

/** An open quote with its session at Stripe, where 3.00 EUR is to be paid. */
export const openQuote = Effect.map(Sales.openQuote, (sale) => ({
  ...sale,
  sessionId: sessionIdIn(sale.url),
  status: sale.who.api.quotes.getQuote({ params: { id: sale.quoteId } })
}))

export type OpenQuote = Effect.Success<typeof openQuote>

type Signing = Parameters<StripeStandIn["Service"]["notice"]>[1]

/** Sends a notice to the service. */
export const deliver = Effect.fnUntraced(function* (event: StripeEvent, signing?: Signing) {
  const { notice } = yield* StripeStandIn
  const { body, signature } = notice(event, signing)
  return yield* call("POST", NOTICES, { body, headers: { "stripe-signature": signature } })
})

/** A human pays; Stripe sends no notice yet. */
export const payUnnoticed = (sessionId: string) => Effect.map(StripeStandIn, ({ account }) => account.pay(sessionId))

/** An event about the session as it is, with changes. */
export const eventAbout = Effect.fnUntraced(function* (
  sessionId: string,
  over: Partial<StripeSession> = {},
  type = "checkout.session.completed"
) {
  const { account } = yield* StripeStandIn
  const paid = { status: "complete", payment_status: "paid" } as const
  return account.event(type, { ...account.retrieve(sessionId), ...paid, ...over })
})

export const outcomeOf = ({ text }: { readonly text: string }): string => JSON.parse(text).outcome

export const sweep = Effect.flatMap(SweepQuotes, ({ sweep }) => sweep())

export const abandonByAgent = ({ who, quoteId }: Pick<OpenQuote, "who" | "quoteId">) =>
  call("POST", `${QUOTES}/${quoteId}/abandon`, { key: who.key })

export const linkOf = (quote: { readonly payment_url: string | null }): string => sessionIdIn(quote.payment_url ?? "")

/** An open quote whose human chose a bank debit, of which Stripe has told. */
export const debited = Effect.gen(function* () {
  const { account } = yield* StripeStandIn
  const quote = yield* openQuote
  expect(outcomeOf(yield* deliver(account.pay(quote.sessionId, { by: "debit" })))).toBe("kept")
  return quote
})
