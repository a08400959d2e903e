// A shop that is paid through Stripe, with a stand-in for Stripe beside it that keeps the shop's time: its humans pay at Stripe's
// pages, and Stripe's notices reach the shop.
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { isRefusal } from "#test/adapters/payments/StripeAccount.ts"
import {
  SECRET_KEY,
  StripeStandIn,
  sessionIdIn,
  layer as standIn,
  WEBHOOK_SECRET
} from "#test/adapters/payments/StripeStandIn.ts"
import { OwnPage } from "./HttpCalls.ts"
import type { ServiceKind } from "./ScenarioSuite.ts"
import * as MovableClock from "./MovableClock.ts"
import { type Env, RunningService, layer as shop } from "./RunningService.ts"

export const NOTICES = "/payments/stripe/webhook"

/** Once the shop is open, Stripe knows where to send notices, and humans know their way back. */
const layerConnected = Layer.effect(
  OwnPage,
  Effect.gen(function* () {
    const { url } = yield* RunningService
    const { account, checkout, url: stripeUrl } = yield* StripeStandIn
    checkout.endpoint = `${url}${NOTICES}`
    checkout.fetch = yield* FetchHttpClient.Fetch
    return (paymentUrl) => {
      if (!paymentUrl.startsWith(stripeUrl)) return paymentUrl
      const session = account.retrieve(sessionIdIn(paymentUrl))
      return isRefusal(session) ? paymentUrl : session.cancel_url
    }
  })
)

const paidAtStripe = <Provided, E>(env: Env, open: (env: Env) => Layer.Layer<RunningService | Provided, E>) => {
  const shop = Effect.map(StripeStandIn, ({ url }) =>
    open({
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: url,
      ...env
    })
  )
  return layerConnected.pipe(
    Layer.provideMerge(Layer.unwrap(shop)),
    Layer.provideMerge(standIn),
    Layer.provideMerge(MovableClock.layer)
  )
}

/** `env` is what the environment would hold besides Stripe's settings. */
export const layer = (env: Env = {}) => paidAtStripe(env, shop)

/** The same kind of shop, with Stripe. */
export const withStripe = ({ name, open, processors }: ServiceKind): ServiceKind<StripeStandIn> => ({
  name: `${name}, paid by Stripe`,
  open: (env) => paidAtStripe(env, open),
  processors
})
