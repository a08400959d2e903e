// The answer to an order (contract §5): what it costs, what became of it, and what to do next. Frozen as text, because an
// idempotent replay repeats it to the byte.
import { Schema } from "effect"
import { Cents, Count, Eur } from "./Amount.ts"
import { Ok, Sandbox } from "./Envelope.ts"
import { OrderStatus } from "./Orders.ts"
import { Timestamp } from "./Text.ts"

export const Discount = Schema.Struct({
  source: Schema.Literals(["promo", "welcome", "none"]),
  label: Schema.String.annotate({ description: "For people." }),
  considered: Schema.Array(
    Schema.Struct({
      source: Schema.Literals(["promo", "welcome"]),
      code: Schema.optionalKey(Schema.String),
      amount_eur: Eur,
      applied: Schema.Boolean
    })
  ).annotate({ description: "Every discount that could have been applied. The one that takes off more wins." })
}).annotate({ identifier: "Discount", description: "Which discount was applied, and which ones were compared." })

const WarningRecord = Schema.Struct({
  code: Schema.Literals(["similar_recent_order", "duplicate_target", "too_many_exact_anchors", "site_already_links"]),
  message: Schema.String
}).annotate({ identifier: "Warning", description: "Advice; it never stops an order. Tell the user." })

const NextAction = Schema.Struct({
  type: Schema.Literals(["none", "open_payment_url", "poll_quote"]),
  url: Schema.optionalKey(Schema.String),
  poll_after_seconds: Schema.optionalKey(Schema.Int),
  expires_at: Schema.optionalKey(Timestamp),
  tell_user: Schema.String.annotate({ description: "A sentence to pass on to the user." })
}).annotate({ identifier: "NextAction", description: "What to do after this answer." })

/** What every view of a quote's money has. */
export const moneyFields = {
  gross_total_eur: Eur.annotate({ description: "Total before discount, euros." }),
  total_eur: Eur.annotate({ description: "Total after discount, euros." }),
  discount_eur: Eur.annotate({ description: "Discount applied, euros." }),
  credit_applied_cents: Cents.annotate({ description: "Prepaid credit used, cents." }),
  card_amount_cents: Cents.annotate({ description: "What a human has to pay by card, cents." })
}

export const PaymentUrl = Schema.NullOr(Schema.String).annotate({
  description:
    "Where a human pays what is left; `null` when nothing is to be paid or nothing can be paid any more. Only a human may open it to pay."
})

export const QuoteAnswer = Schema.Struct({
  ok: Ok,
  quote_id: Schema.NullOr(Schema.String).annotate({ description: "Quote identifier; `null` for a dry run." }),
  status: Schema.Literals(["paid", "awaiting_payment"]).annotate({
    description:
      "`paid`: prepaid credit covered it and the order exists. `awaiting_payment`: a human has to pay. Of a dry run, which has no `order_id`, what it would be."
  }),
  currency: Schema.Literal("EUR"),
  ...moneyFields,
  discount: Discount,
  payment_url: PaymentUrl,
  items_count: Count.annotate({ description: "Links in the order." }),
  order_id: Schema.optionalKey(Schema.String.annotate({ description: "Present when the order exists already." })),
  order_status: Schema.optionalKey(OrderStatus),
  expires_at: Schema.optionalKey(Timestamp.annotate({ description: "When an unpaid quote lapses." })),
  warnings: Schema.Array(WarningRecord),
  summary: Schema.String.annotate({ description: "One sentence with the money in it, to show to the user." }),
  next_action: NextAction,
  sandbox: Sandbox
}).annotate({
  identifier: "QuoteAnswer",
  description:
    "What the order costs and what became of it. A replayed answer shows the state of then: read GET /api/v1/agent/quotes/{id} before showing its payment link."
})
export type QuoteAnswer = typeof QuoteAnswer.Type
