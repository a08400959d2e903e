// The description and rules of the service in words, for the OpenAPI document, /llms.txt and the MCP tool `about`.
import { Context } from "effect"
import { DEFAULT_TOLERANCE_SECONDS } from "#core/domain/webhooks/Signature.ts"

export const SERVICE_NAME = "Backlink Ordering Service"

/** The name of the operator's service, on pages and in mails. */
export const ServiceName = Context.Reference<string>("backlinks/adapters/contract/ServiceName", {
  defaultValue: () => SERVICE_NAME
})

/** Version of the service over REST and MCP, equal to the one in `package.json`. */
export const VERSION = "1.0.0"

/** The operator's address for questions, as the API and the tool `about` name it; `null` when there is none. */
export const SupportContact = Context.Reference<string | null>("backlinks/adapters/contract/SupportContact", {
  defaultValue: () => null
})

export const PURPOSE =
  "Buy backlinks on a network of sites that the operator publishes itself. Machine access for a human's account: an agent searches, orders and follows; only a human ever pays by card."

/** Where nothing can be bought. */
export const CATALOG_PURPOSE =
  "Search a network of sites that publish backlinks, and follow the orders of a human's account until each link is online. Nothing can be bought here."

/** How to use an idempotency key. */
export const PURCHASE_KEY_RULE = "one key per purchase the user decided on; reuse it on every retry of that purchase"

/** Names of operations in the reader's terms: routes or tools. */
export interface Wording {
  /** Reads the state of a quote. */
  readonly readQuote: string
  /** Abandons an unpaid quote. */
  readonly abandonQuote: string
  /** Who or what cancels links that are paid for; begins a sentence. */
  readonly cancelLinks: string
}

export const moneyRules = ({ readQuote, abandonQuote, cancelLinks }: Wording): ReadonlyArray<string> => [
  "Prices are in euros. `*_eur` are euros with at most two decimals, `*_cents` whole cents.",
  "The better of promo code and automatic welcome offer is applied; then prepaid credit; only the rest is billed by card.",
  "If credit covers the total, the order exists at once. Otherwise the credit part is held, and a human opens `payment_url`. An agent never pays by card and never opens the link to pay.",
  `An unpaid quote that is not wanted any more is given up by ${abandonQuote}, or expires at \`expires_at\`: everything comes back. ${cancelLinks}; cancelled links come back as prepaid credit.`,
  "The user may want to approve orders first: then the quote is `awaiting_approval` and holds what it needs. Give `approval_url` to the user, who alone approves or declines, signed in; poll as `next_action` says. `declined_reason` is the user's word to you.",
  "`max_total_eur` refuses an order that costs more than you told the user.",
  `A replayed answer shows the state of then: read ${readQuote} before you show its payment link again.`
]

export const ERROR_RULE =
  "Every refusal has the same shape: `error.code` to branch on, `error.message`, `error.suggestion` with what to do next, and `error.recovery`: `retry` the same request, `correct` it, `wait` until `details.resets_at`, ask a `human`, or `none`. Unknown fields and parameters are refused, and the error names what is allowed."

export const SANDBOX_RULE =
  "Keys that start with `sn_test_` answer the same and change nothing; `sandbox: true` marks every answer. `sandbox_credit_cents` pretends credit"

/** How a receiver checks the `Service-Signature` of a webhook, which is `t=<unix>,v1=<hex>`. */
export const SIGNATURE_RULE = `The HMAC key is the lowercase hex SHA-256 of the webhook's \`secret\`, as text: these 64 characters, not the 32 bytes they stand for. \`v1\` is the hex HMAC-SHA256 of \`<t>.<raw body>\`; for 24 hours after a rotation there are more, and one that matches is enough. Refuse a \`t\` more than ${DEFAULT_TOLERANCE_SECONDS} seconds away from your clock.`

/** How libraries check a delivery. */
export const LIBRARY_RULE =
  "Libraries of Standard Webhooks (`standardwebhooks`, `svix`) verify `webhook-id`, `webhook-timestamp` and `webhook-signature` with the `secret` as it is; Stripe's verifies `Service-Signature` by `constructEvent(rawBody, header, sha256Hex(secret))`."
