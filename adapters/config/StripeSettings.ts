// The settings of Stripe and the options of its adapter.
import { Config, Option, Redacted, Result } from "effect"
import { parsed, secret } from "./ConfigSchemas.ts"

export interface StripeSettings {
  readonly secretKey: Option.Option<Redacted.Redacted<string>>
  /** The signing secret of the webhook endpoint. */
  readonly webhookSecret: Option.Option<Redacted.Redacted<string>>
  /** An origin to call instead of Stripe's own. */
  readonly apiUrl: Option.Option<string>
}

export const stripe: Config.Config<StripeSettings> = Config.all({
  secretKey: Config.option(
    secret(
      "STRIPE_SECRET_KEY",
      (key) => /^[sr]k_(?:test|live)_\S+$/.test(key),
      "must be a secret or restricted key of Stripe: it begins with sk_ or rk_, never with pk_"
    )
  ),
  webhookSecret: Config.option(
    secret(
      "STRIPE_WEBHOOK_SECRET",
      (key) => /^whsec_\S+$/.test(key),
      "must be the signing secret of a Stripe webhook endpoint: it begins with whsec_"
    )
  ),
  apiUrl: Config.option(
    parsed("STRIPE_API_URL", (url) =>
      /^https?:\/\/[^/?#@\s]+$/.test(url)
        ? Result.succeed(url)
        : Result.fail("must be an origin such as http://127.0.0.1:12111")
    )
  )
})

/** Placeholder: a start without the real key is refused before anything is called. */
const UNSET = Redacted.make("")

/** Options of the Stripe adapter and of its webhook endpoint. */
export const stripeOptions = ({ secretKey, webhookSecret, apiUrl }: StripeSettings) => ({
  secretKey: Option.getOrElse(secretKey, () => UNSET),
  webhookSecret: Option.getOrElse(webhookSecret, () => UNSET),
  apiUrl: Option.getOrUndefined(apiUrl)
})

export const isStripe = ({ payments }: { readonly payments: Option.Option<string> }): boolean =>
  Option.contains(payments, "stripe")
