// Settings that are each fine but must not meet: what a start refuses, and what it warns of.
import { Option } from "effect"
import type { Settings } from "./Settings.ts"
import { stripeRefusals, stripeWarnings } from "./StripeSettings.ts"

/** Why the service must not start like this; empty when it may. */
export const refusals = (settings: Settings): ReadonlyArray<string> => [
  ...(settings.production && settings.webhookInsecureTargets
    ? [
        "WEBHOOK_INSECURE_TARGETS=true lets webhooks reach the operator's own network; it is refused when NODE_ENV=production."
      ]
    : []),
  ...(settings.production && Option.isNone(settings.payments)
    ? [
        "No payment processor is chosen. Simulated payments take no money; set PAYMENTS=simulated if that is meant when NODE_ENV=production."
      ]
    : []),
  ...stripeRefusals(settings),
  ...(settings.store === "postgres" && Option.isNone(settings.databaseUrl)
    ? ["STORE=postgres needs DATABASE_URL, such as postgres://user:password@host:5432/backlinks."]
    : []),
  ...(settings.store === "postgres" && Option.isNone(settings.encryptionKey)
    ? [
        "STORE=postgres needs ENCRYPTION_KEY, the same for every instance: 32 bytes in base64 (openssl rand -base64 32)."
      ]
    : [])
]

export const warnings = (settings: Settings): ReadonlyArray<string> => [
  ...(settings.webhookInsecureTargets
    ? ["WEBHOOK_INSECURE_TARGETS=true: webhooks may reach http, loopback and private addresses. For development only."]
    : []),
  ...stripeWarnings(settings),
  ...(settings.production && Option.isNone(settings.publicUrl)
    ? [
        "PUBLIC_URL is not set: payment links point at the address that is listened on, which humans elsewhere cannot open. Set it when NODE_ENV=production."
      ]
    : []),
  ...(settings.production && settings.demo
    ? [
        "DEMO=on loads accounts whose keys are in the README, for everybody to use. Set DEMO=off when NODE_ENV=production."
      ]
    : []),
  ...(settings.store === "memory" ? ["STORE=memory: nothing outlives this process."] : [])
]
