// A service with Stripe as its payment processor, and a stand-in for Stripe on the same clock: people pay at Stripe's pages, and
// Stripe's notices reach the service.
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
import * as MovableClock from "./MovableClock.ts"
import { type Env, layer as inMemory, RunningService } from "./RunningService.ts"
import type { ServiceKind } from "./ServiceKind.ts"

export const NOTICES = "/payments/stripe/webhook"

/** Gives Stripe the address for notices, and tests the way from a payment link to the service's own page. */
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

const paidByStripe = <Provided, E>(env: Env, start: (env: Env) => Layer.Layer<RunningService | Provided, E>) => {
  const service = Effect.map(StripeStandIn, ({ url }) =>
    start({
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: url,
      ...env
    })
  )
  return layerConnected.pipe(
    Layer.provideMerge(Layer.unwrap(service)),
    Layer.provideMerge(standIn),
    Layer.provideMerge(MovableClock.layer)
  )
}

/** `env` holds environment variables besides Stripe's. */
export const layer = (env: Env = {}) => paidByStripe(env, inMemory)

/** The same kind of service, with Stripe. */
export const withStripe = ({ name, start, processors }: ServiceKind): ServiceKind<StripeStandIn> => ({
  name: `${name}, paid by Stripe`,
  start: (env) => paidByStripe(env, start),
  processors
})
