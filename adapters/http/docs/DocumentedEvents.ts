// The webhook events of the OpenAPI document: what arrives at a subscriber, with its headers.
import type { JsonObject } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { LIBRARY_RULE, SIGNATURE_RULE } from "#adapters/contract/shared/ServiceDescription.ts"

const EVENT_HEADERS: Readonly<Record<string, string>> = {
  "Service-Signature": `\`t=<unix>,v1=<hex>\`. ${SIGNATURE_RULE}`,
  "Service-Event": "The event's name.",
  "Service-Delivery": "The event's id, the same on every attempt.",
  "Service-Webhook": "The id of the webhook that it is sent to.",
  "webhook-id": "The event's id, as Standard Webhooks name it.",
  "webhook-timestamp": "The time of the attempt, in seconds since 1970."
}

const STANDARD_SIGNATURE = `\`v1,<base64>\` over \`<webhook-id>.<webhook-timestamp>.<raw body>\`, one per valid secret, separated by blanks; the HMAC key is what the secret's base64 after \`whsec_\` encodes. Missing while \`standard_webhooks\` is false. ${LIBRARY_RULE}`

const headerParameter = (name: string, description: string, required: boolean): JsonObject => ({
  ...{ name, in: "header", required, description },
  schema: { type: "string" }
})

const event = (name: string, description: string, body = "OrderEvent"): JsonObject => ({
  [name]: {
    post: {
      operationId: name.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
      summary: description,
      description:
        "Verify Service-Signature over the raw bytes, then answer 2xx quickly. May come more than once: de-duplicate by Service-Delivery.",
      tags: ["Webhooks"],
      security: [],
      parameters: [
        ...Object.entries(EVENT_HEADERS).map(([name, description]) => headerParameter(name, description, true)),
        headerParameter("webhook-signature", STANDARD_SIGNATURE, false)
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: `#/components/schemas/${body}` } } }
      },
      responses: {
        "2XX": { description: "Taken." },
        "410": { description: "Gone: the subscription is disabled." }
      }
    }
  }
})

/** The `webhooks` of the document. */
export const DOCUMENTED_EVENTS: JsonObject = {
  ...event("order.accepted", "An order exists: it was paid for."),
  ...event("order.published", "A link of an order is online."),
  ...event("order.cancelled", "Every link of an order is cancelled."),
  ...event("order.updated", "Links of an order moved, were changed, corrected or cancelled; repeats."),
  ...event("order.completed", "Every link of an order that is not cancelled is online."),
  ...event("quote.approval_requested", "A quote waits for its human's approval.", "QuoteEvent"),
  ...event("quote.paid", "A quote is paid, by credit or by a human: its order exists.", "QuoteEvent"),
  ...event("quote.expired", "A quote expired, unpaid or not approved.", "QuoteEvent"),
  ...event("quote.abandoned", "A quote was given up or declined; `data.by` says by whom.", "QuoteEvent"),
  ...event("webhook.test", "The webhook's owner asked for a test.", "TestEvent")
}
