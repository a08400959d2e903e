// The settings of Stripe: what each must look like, and what a start with `PAYMENTS=stripe` refuses or warns of.
import { Config, Duration, Option, Redacted, Schema } from "effect"
import type { Settings } from "./Settings.ts"

export interface StripeSettings {
  readonly secretKey: Option.Option<Redacted.Redacted<string>>
  /** The signing secret of the webhook endpoint. */
  readonly webhookSecret: Option.Option<Redacted.Redacted<string>>
  /** An origin to call instead of Stripe's own. */
  readonly apiUrl: Option.Option<string>
}

const secret = (pattern: RegExp, message: string) =>
  Schema.Redacted(Schema.String.check(Schema.isPattern(pattern, { message })))

const SecretKey = secret(
  /^[sr]k_(?:test|live)_\S+$/,
  "must be a secret or restricted key of Stripe: it begins with sk_ or rk_, never with pk_"
)

const WebhookSecret = secret(
  /^whsec_\S+$/,
  "must be the signing secret of a Stripe webhook endpoint: it begins with whsec_"
)

const ApiUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^/?#@\s]+$/, { message: "must be an origin such as http://127.0.0.1:12111" })
)

export const stripe: Config.Config<StripeSettings> = Config.all({
  secretKey: Config.option(Config.schema(SecretKey, "STRIPE_SECRET_KEY")),
  webhookSecret: Config.option(Config.schema(WebhookSecret, "STRIPE_WEBHOOK_SECRET")),
  apiUrl: Config.option(Config.schema(ApiUrl, "STRIPE_API_URL"))
})

/** Nobody's key: a start without the real one is refused before anything is called. */
const UNSET = Redacted.make("")

/** What the Stripe adapter needs, and the route of its notices. */
export const stripeOptions = ({ secretKey, webhookSecret, apiUrl }: StripeSettings) => ({
  secretKey: Option.getOrElse(secretKey, () => UNSET),
  webhookSecret: Option.getOrElse(webhookSecret, () => UNSET),
  apiUrl: Option.getOrUndefined(apiUrl)
})

export const isStripe = ({ payments }: Pick<Settings, "payments">): boolean => Option.contains(payments, "stripe")

/** A Checkout Session lives no longer, and a quote must not outlive the page it is paid on. */
const MAX_QUOTE_TTL = Duration.hours(24)

/** What Stripe charges at least, in EUR. */
const MIN_CHARGE_CENTS = 50

export const stripeRefusals = (settings: Settings): ReadonlyArray<string> => {
  if (!isStripe(settings)) return []
  const { production, stripe, terms } = settings
  const faults: ReadonlyArray<readonly [isFault: boolean, reason: string]> = [
    [
      Option.isNone(stripe.secretKey),
      "PAYMENTS=stripe needs STRIPE_SECRET_KEY, the secret or restricted key of the Stripe account (sk_… or rk_…)."
    ],
    [
      Option.isNone(stripe.webhookSecret),
      "PAYMENTS=stripe needs STRIPE_WEBHOOK_SECRET (whsec_…), the signing secret of the endpoint that Stripe calls at /payments/stripe/webhook: without it no payment would ever be noticed."
    ],
    [
      terms.quoteTtlMs > Duration.toMillis(MAX_QUOTE_TTL),
      "PAYMENTS=stripe allows a QUOTE_TTL of 24 hours at most: Stripe's payment pages live no longer."
    ],
    [
      terms.cardMinimumCents < MIN_CHARGE_CENTS,
      "PAYMENTS=stripe needs a CARD_MINIMUM_EUR of 0.50 at least: Stripe charges no less."
    ],
    [
      production && Option.exists(stripe.apiUrl, (url) => url.startsWith("http:")),
      "STRIPE_API_URL over plain http would send the secret key in the clear; it is refused when NODE_ENV=production."
    ]
  ]
  return faults.flatMap(([isFault, reason]) => (isFault ? [reason] : []))
}

const isTestKey = (key: Redacted.Redacted<string>): boolean => /^[sr]k_test_/.test(Redacted.value(key))

export const stripeWarnings = (settings: Settings): ReadonlyArray<string> =>
  isStripe(settings) && settings.production && Option.exists(settings.stripe.secretKey, isTestKey)
    ? ["STRIPE_SECRET_KEY is a test key: orders are made, and no money is taken."]
    : []
