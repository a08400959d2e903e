// What became of a quote (contract §5): read at any time, by its id or by the idempotency key that made it.
import { Schema } from "effect"
import { Cents, Count } from "./Amount.ts"
import { Ok, Sandbox } from "./Envelope.ts"
import { IdempotencyKey } from "./IdempotencyKey.ts"
import { OrderStatus } from "./Orders.ts"
import { moneyFields, PaymentUrl } from "./QuoteAnswer.ts"
import { Timestamp } from "./Text.ts"

export const QuoteQuery = Schema.Struct({
  idempotency_key: IdempotencyKey.annotate({
    description: "The Idempotency-Key sent with the order, under this same API key."
  })
})
export type QuoteQuery = typeof QuoteQuery.Type

export const QuoteStatus = Schema.Struct({
  ok: Ok,
  quote_id: Schema.String,
  status: Schema.Literals(["awaiting_payment", "paid", "abandoned"]),
  paid: Schema.Boolean.annotate({ description: "Whether the order exists." }),
  order_id: Schema.NullOr(Schema.String),
  order_status: Schema.NullOr(OrderStatus),
  currency: Schema.Literal("EUR"),
  ...moneyFields,
  payment_url: PaymentUrl,
  expires_at: Timestamp.annotate({ description: "When the quote lapses, or would have lapsed, unpaid." }),
  items_count: Count,
  credited_cents: Schema.optionalKey(
    Cents.annotate({
      description: "Set when a payment came after the quote was given up: it became prepaid credit."
    })
  ),
  sandbox: Sandbox
}).annotate({ identifier: "QuoteStatus", description: "Whether a quote was paid, and under which order." })
export type QuoteStatus = typeof QuoteStatus.Type
