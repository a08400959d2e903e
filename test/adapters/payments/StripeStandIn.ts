// Stripe on a free local port: its API, its payment pages, and its notices, signed by Stripe's own package. It uses the clock that
// its layer is given.
import { Clock, Context, Effect, Layer } from "effect"
import { httpServer } from "#test/adapters/outbound/Loopback.ts"
import { StripeAccount, type StripeEvent } from "./StripeAccount.ts"
import { type Notice, StripeCheckout, signed } from "./StripeCheckout.ts"
import { StripeServer } from "./StripeServer.ts"

/** Also searched for in logs and errors, where they must not occur. */
export const SECRET_KEY = "sk_test_canarySecretKey0123456789abcdef"
export const WEBHOOK_SECRET = "whsec_canaryWebhookSecret0123456789abcdef"

export class StripeStandIn extends Context.Service<
  StripeStandIn,
  {
    readonly url: string
    readonly account: StripeAccount
    readonly server: StripeServer
    readonly checkout: StripeCheckout
    /** The notice as it arrives: by default signed now with the endpoint's secret. */
    readonly notice: (
      event: StripeEvent,
      over?: { readonly secret?: string; readonly signedSecondsAgo?: number }
    ) => Notice
  }
>()("backlinks/test/StripeStandIn") {}

const make = (nowMs: () => number) =>
  Effect.gen(function* () {
    const pages = { origin: "" }
    const account = new StripeAccount(nowMs, (id) => `${pages.origin}/c/pay/${id}`)
    const server = new StripeServer(account, SECRET_KEY)
    const checkout = new StripeCheckout(account, (event) => signed(event, WEBHOOK_SECRET, nowMs()))
    const { port } = yield* httpServer((request, response) => {
      const { listener } = request.url?.startsWith("/c/pay/") ? checkout : server
      listener(request, response)
    })
    pages.origin = `http://127.0.0.1:${port}`
    return StripeStandIn.of({
      url: pages.origin,
      account,
      server,
      checkout,
      notice: (event, { secret = WEBHOOK_SECRET, signedSecondsAgo = 0 } = {}) =>
        signed(event, secret, nowMs() - signedSecondsAgo * 1_000)
    })
  })

/** A stand-in with its own clock. */
export const layerAt = (nowMs: () => number): Layer.Layer<StripeStandIn> => Layer.effect(StripeStandIn, make(nowMs))

export const layer: Layer.Layer<StripeStandIn> = Layer.effect(
  StripeStandIn,
  Effect.flatMap(Clock.Clock, (clock) => make(() => clock.currentTimeMillisUnsafe()))
)

/** The session of a payment page. */
export const sessionIdIn = (pageUrl: string): string => new URL(pageUrl).pathname.slice("/c/pay/".length)
