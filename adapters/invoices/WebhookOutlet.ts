// Hands documents over to a URL of the operator's: one signed POST for each, by the same guarded sender as webhooks.
import { Clock, Effect, Layer, Redacted } from "effect"
import { Mac } from "effect/crypto"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { Outcome } from "#core/domain/webhooks/Delivery.ts"
import { sign, signingKey } from "#core/domain/webhooks/Signature.ts"
import { InvoiceOutlet, OutletFailed } from "#core/ports/invoicing/InvoiceOutlet.ts"
import { WebhookSender } from "#core/ports/webhooks/WebhookSender.ts"

export const OUTLET_EVENT = "invoice.issued"

export interface WebhookOutletOptions {
  readonly url: string
  readonly secret: Redacted.Redacted<string>
  /** The document as JSON. */
  readonly describe: (invoice: Invoice) => object
}

/** Why the document was not taken; `null` if it was. */
const refusalOf = (outcome: Outcome): string | null => {
  if (outcome.kind === "local_fault") return "this machine has no network"
  if (outcome.kind === "failed") return `the platform was not reached: ${outcome.fault}`
  const { httpStatus } = outcome
  return httpStatus >= 200 && httpStatus < 300 ? null : `the platform answered ${httpStatus}`
}

/** Retries are the same document under the same `Service-Delivery`, newly signed. */
export const layer = ({ url, secret, describe }: WebhookOutletOptions) =>
  Layer.effect(
    InvoiceOutlet,
    Effect.gen(function* () {
      const { send } = yield* WebhookSender
      const mac = yield* Mac.Mac
      const key = yield* signingKey(Redacted.value(secret))

      return InvoiceOutlet.of({
        isOn: true,
        accept: Effect.fn("InvoiceOutlet.accept")(function* ({ invoice, pdf, xml }) {
          const { invoiceId } = invoice
          const data = { invoice: describe(invoice), pdf: Buffer.from(pdf).toString("base64"), xml }
          const body = new TextEncoder().encode(JSON.stringify({ id: invoiceId, type: OUTLET_EVENT, data }))
          const timestampSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
          const signature = yield* sign({ signingKeys: [key], timestampSeconds, body }).pipe(
            Effect.provideService(Mac.Mac, mac)
          )
          const headers = {
            "content-type": "application/json",
            "service-event": OUTLET_EVENT,
            "service-delivery": invoiceId,
            "service-signature": signature
          }
          const reason = refusalOf(yield* send({ url, headers, body }))
          if (reason !== null) return yield* new OutletFailed({ invoiceId, reason })
        })
      })
    })
  )
