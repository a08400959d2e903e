// A shop that is paid through Stripe, with a stand-in for Stripe beside it that keeps the shop's time: its humans pay at Stripe's
// pages, and Stripe's notices reach the shop.
import { Effect, Layer } from "effect"
import { isRefusal } from "#test/adapters/payments/StripeAccount.ts"
import {
  SECRET_KEY,
  StripeStandIn,
  sessionIdIn,
  layer as standIn,
  WEBHOOK_SECRET
} from "#test/adapters/payments/StripeStandIn.ts"
import { OwnPage } from "./Calls.ts"
import * as MovableClock from "./MovableClock.ts"
import { Shop, layer as shop } from "./Shop.ts"

export const NOTICES = "/payments/stripe/webhook"

/** Once the shop is open, Stripe knows where to send notices, and humans know their way back. */
const acquainted = Layer.effect(
  OwnPage,
  Effect.gen(function* () {
    const { url } = yield* Shop
    const { account, checkout, url: stripeUrl } = yield* StripeStandIn
    checkout.endpoint = `${url}${NOTICES}`
    return (paymentUrl) => {
      if (!paymentUrl.startsWith(stripeUrl)) return paymentUrl
      const session = account.retrieve(sessionIdIn(paymentUrl))
      return isRefusal(session) ? paymentUrl : session.cancel_url
    }
  })
)

/** `env` is what the environment would hold besides Stripe's settings. */
export const layer = (env: Readonly<Record<string, string>> = {}) => {
  const paidByStripe = Effect.map(StripeStandIn, ({ url }) =>
    shop({
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: url,
      ...env
    })
  )
  return acquainted.pipe(
    Layer.provideMerge(Layer.unwrap(paidByStripe)),
    Layer.provideMerge(standIn),
    Layer.provideMerge(MovableClock.layer)
  )
}
