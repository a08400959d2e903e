// How receivers verify a delivery by a library: that of Standard Webhooks, and Stripe's.
import { createHash } from "node:crypto"
import { Webhook } from "standardwebhooks"
import Stripe from "stripe"
import { expect, vi } from "vitest"
import { type Received, signedAt } from "./Receiver.ts"

const stripe = new Stripe("sk_test_unused")

/** Expects that the library of Standard Webhooks and Stripe's verify the delivery, and neither does another body. */
export const verifiedByLibraries = (secret: string, received: Received) => {
  const { headers, body } = received
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const standard = (raw: string) => new Webhook(secret).verify(raw, sent)
  const stripeKey = createHash("sha256").update(secret).digest("hex")
  const byStripe = (raw: string) => stripe.webhooks.constructEvent(raw, sent["service-signature"] ?? "", stripeKey)
  const raw = body.toString()
  // The libraries have no clock but the process's, and the service is on the test's.
  const clock = vi.spyOn(Date, "now").mockReturnValue(signedAt(received) * 1_000)
  try {
    for (const verify of [standard, byStripe]) {
      expect(verify(raw)).toEqual(JSON.parse(raw))
      expect(() => verify(`${raw} `)).toThrow()
    }
  } finally {
    clock.mockRestore()
  }
}
