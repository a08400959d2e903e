// Checks across settings that are each valid: what stops the start, and what is logged as a warning.
import { Duration, Option, Redacted } from "effect"
import { isLoopback, isLoopbackHost, memberErrors } from "./MemberSettings.ts"
import { hasEqualTokens } from "./OperatorTokens.ts"
import { outletErrors } from "./OutletSettings.ts"
import { NO_SELLER, sellerErrors } from "./SellerSettings.ts"
import type { Settings } from "./Settings.ts"
import { isStripe } from "./StripeSettings.ts"

/** A message, and whether it applies. */
type Check = readonly [applies: boolean, message: string]

const messagesOf = (checks: ReadonlyArray<Check>): ReadonlyArray<string> =>
  checks.flatMap(([applies, message]) => (applies ? [message] : []))

/** How long a Checkout Session of Stripe lives; a quote must not outlive the page it is paid on. */
const MAX_STRIPE_QUOTE_TTL = Duration.hours(24)

/** The least that Stripe charges, in EUR cents. */
const MIN_STRIPE_CHARGE_CENTS = 50

/** The most that Stripe charges at once, in EUR cents. */
const MAX_STRIPE_CHARGE_CENTS = 99_999_999

const stripeErrors = ({ production, stripe, terms }: Settings): ReadonlyArray<Check> => [
  [
    Option.isNone(stripe.secretKey),
    "PAYMENTS=stripe needs STRIPE_SECRET_KEY, the secret or restricted key of the Stripe account (sk_… or rk_…)."
  ],
  [
    Option.isNone(stripe.webhookSecret),
    "PAYMENTS=stripe needs STRIPE_WEBHOOK_SECRET (whsec_…), the signing secret of the endpoint that Stripe calls at /payments/stripe/webhook: without it no payment would ever be noticed."
  ],
  [
    terms.quoteTtlMs > Duration.toMillis(MAX_STRIPE_QUOTE_TTL),
    "PAYMENTS=stripe allows a QUOTE_TTL of 24 hours at most: Stripe's payment pages live no longer."
  ],
  [
    terms.cardMinimumCents < MIN_STRIPE_CHARGE_CENTS,
    "PAYMENTS=stripe needs a CARD_MINIMUM_EUR of 0.50 at least: Stripe charges no less."
  ],
  [
    terms.cardMaximumCents > MAX_STRIPE_CHARGE_CENTS,
    "PAYMENTS=stripe allows a CARD_MAXIMUM_EUR of 999999.99 at most: Stripe charges no more at once."
  ],
  [
    production && Option.exists(stripe.apiUrl, (url) => url.startsWith("http:")),
    "STRIPE_API_URL over plain http would send the secret key in the clear; it is refused when NODE_ENV=production."
  ]
]

const isSameKey = ({ encryptionKey, encryptionKeyPrevious }: Settings): boolean =>
  Option.isSome(encryptionKey) &&
  Option.exists(encryptionKeyPrevious, (one) => Redacted.value(one) === Redacted.value(encryptionKey.value))

/** Whether others than this machine reach demo data that costs nothing: on the address itself, or by a proxy in front of it. */
const isOpenDemo = (settings: Settings): boolean =>
  settings.demo &&
  !isStripe(settings) &&
  (!isLoopbackHost(settings.host) || Option.exists(settings.publicUrl, (url) => !isLoopback(url)))

/** Why the service must not start with these settings; empty when it may. */
export const configErrors = (settings: Settings): ReadonlyArray<string> => {
  const { production, store, terms } = settings
  return messagesOf([
    [
      terms.cardMaximumCents < terms.cardMinimumCents,
      "CARD_MAXIMUM_EUR is below CARD_MINIMUM_EUR: no card could pay anything."
    ],
    [
      production && settings.webhookInsecureTargets,
      "WEBHOOK_INSECURE_TARGETS=true lets webhooks reach the operator's own network; it is refused when NODE_ENV=production."
    ],
    [
      (production || store === "postgres") && Option.isNone(settings.payments),
      "No payment processor is chosen. Simulated payments take no money; with NODE_ENV=production or STORE=postgres, set PAYMENTS=simulated if that is intended."
    ],
    [
      production && settings.demo,
      "DEMO=on loads accounts with credit whose keys are published. Set DEMO=off when NODE_ENV=production; it also revokes the demo's keys in a store that has them."
    ],
    [
      isOpenDemo(settings) &&
        !isLoopbackHost(settings.host) &&
        Option.exists(settings.publicUrl, (url) => url.startsWith("https:")),
      `DEMO=on with HOST=${settings.host} and an https PUBLIC_URL would give everybody accounts with credit whose keys are published. Set DEMO=off.`
    ],
    [
      hasEqualTokens(settings),
      "OPERATOR_TOKEN is also one of OPERATOR_TOKENS: give each its own, so that the audit log can tell their holders apart."
    ],
    ...(isStripe(settings) ? stripeErrors(settings) : []),
    ...sellerErrors(settings.seller),
    ...outletErrors(settings.outlet, settings),
    ...memberErrors(settings.members, settings),
    [
      store === "postgres" && Option.isNone(settings.databaseUrl),
      "STORE=postgres needs DATABASE_URL, such as postgres://user:password@host:5432/backlinks."
    ],
    [
      store === "postgres" && Option.isNone(settings.encryptionKey),
      "STORE=postgres needs ENCRYPTION_KEY, the same for every instance: 32 bytes in base64 (openssl rand -base64 32)."
    ],
    [
      Option.isSome(settings.encryptionKeyPrevious) && Option.isNone(settings.encryptionKey),
      "ENCRYPTION_KEY_PREVIOUS is set without ENCRYPTION_KEY, the key that follows it."
    ],
    [
      isSameKey(settings),
      "ENCRYPTION_KEY_PREVIOUS is the same as ENCRYPTION_KEY: set ENCRYPTION_KEY to a new one, or remove ENCRYPTION_KEY_PREVIOUS."
    ]
  ])
}

/** The service itself speaks plain http. */
const isBehindUnknownProxy = ({ members, publicUrl }: Settings): boolean =>
  members.on && members.trustedProxies.length === 0 && Option.exists(publicUrl, (url) => url.startsWith("https:"))

/** What the foot of every page would say to people who think of paying. */
const missingOfImprint = ({ supportContact, directories: { terms, privacy } }: Settings): ReadonlyArray<string> =>
  [
    ["SUPPORT_CONTACT", supportContact] as const,
    ["TERMS_FILE", terms] as const,
    ["PRIVACY_FILE", privacy] as const
  ].flatMap(([name, value]) => (Option.isNone(value) ? [name] : []))

const isTestKey = (key: Redacted.Redacted<string>): boolean => /^[sr]k_test_/.test(Redacted.value(key))

export const configWarnings = (settings: Settings): ReadonlyArray<string> => {
  const { production } = settings
  return messagesOf([
    [
      settings.webhookInsecureTargets,
      "WEBHOOK_INSECURE_TARGETS=true: webhooks may reach http, loopback and private addresses. For development only."
    ],
    [
      production && isStripe(settings) && Option.exists(settings.stripe.secretKey, isTestKey),
      "STRIPE_SECRET_KEY is a test key: orders are made, and no money is taken."
    ],
    [
      production && Option.isNone(settings.publicUrl),
      "PUBLIC_URL is not set: payment links point at the listening address, which humans elsewhere cannot open. Set it when NODE_ENV=production."
    ],
    [
      (production || settings.store === "postgres") && Option.contains(settings.payments, "simulated"),
      "PAYMENTS=simulated: each holder of a payment link can mark it as paid, and no money is taken."
    ],
    [production && Option.isNone(settings.seller.name), NO_SELLER],
    [
      production && settings.members.on && missingOfImprint(settings).length > 0,
      `Not set: ${missingOfImprint(settings).join(", ")}. The foot of every page names them beside the seller, so that people know whom they pay and whom to ask.`
    ],
    [
      isOpenDemo(settings),
      `HOST=${settings.host}${Option.match(settings.publicUrl, { onNone: () => "", onSome: (url) => `, PUBLIC_URL=${url}` })}: others than this machine reach this service.`
    ],
    [
      isOpenDemo(settings),
      "DEMO=on: its keys are published, and whoever has one orders from the demo's credit and adds webhooks."
    ],
    [
      isOpenDemo(settings),
      "Payments are simulated: no money is taken. To be reached by others in earnest, set DEMO=off and PAYMENTS."
    ],
    [
      isBehindUnknownProxy(settings),
      "PUBLIC_URL is https, so a proxy stands in front, and TRUSTED_PROXIES does not name it: all people behind it count as one network, and one of them can use up the sign-in links of those who come for the first time. Set TRUSTED_PROXIES to the proxy's address, such as 127.0.0.1."
    ],
    [settings.store === "memory", "STORE=memory: all data is lost when this process ends."]
  ])
}
