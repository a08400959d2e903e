// Links, orders and quotes on the operator plane, without the payment token, which grants access to the payment page.
import { Schema } from "effect"
import { AnchorType, Format, Tier2 } from "#core/domain/Cart.ts"
import { LinkStatus } from "#core/domain/Link.ts"
import { OrderStatus } from "#core/domain/Order.ts"
import { QuoteStatus } from "#core/domain/QuoteStatus.ts"
import { Shelf } from "#core/domain/Shelf.ts"
import { Mode } from "./Fields.ts"

const nullable = Schema.NullOr

export const Link = Schema.Struct({
  linkId: Schema.String,
  orderId: Schema.String,
  quoteId: Schema.String,
  accountId: Schema.String,
  mode: Mode,
  /** Position in the order, from 0. */
  index: Schema.Int,
  siteId: Schema.Int,
  domain: Schema.String,
  shelf: Shelf,
  format: Format,
  articleId: nullable(Schema.Int),
  targetUrl: Schema.String,
  anchorText: Schema.String,
  anchorType: AnchorType,
  tier2Links: Tier2,
  projectId: nullable(Schema.String),
  opportunityId: nullable(Schema.String),
  brief: nullable(Schema.String),
  priceCents: Schema.Int,
  netCents: Schema.Int,
  status: LinkStatus,
  statusReason: nullable(Schema.String),
  publishedUrl: nullable(Schema.String),
  publishedAtMs: nullable(Schema.Int),
  history: Schema.Array(
    Schema.Struct({
      status: LinkStatus,
      atMs: Schema.Int,
      refunded: Schema.optionalKey(Schema.Boolean),
      creditedCents: Schema.optionalKey(Schema.Int)
    })
  )
})
export type Link = typeof Link.Type

const Order = Schema.Struct({
  orderId: Schema.String,
  quoteId: Schema.String,
  accountId: Schema.String,
  keyId: Schema.String,
  mode: Mode,
  totalCents: Schema.Int,
  createdAtMs: Schema.Int
})

/** A refund or a dispute of the payment. */
const Reversal = Schema.Struct({
  reversalId: Schema.String,
  kind: Schema.Literals(["refund", "dispute"]),
  cents: Schema.Int,
  state: Schema.Literals(["open", "final", "won"]),
  takenBackCents: Schema.Int,
  atMs: Schema.Int
})

export const OrderDetails = Schema.Struct({
  order: Order,
  status: OrderStatus,
  links: Schema.Array(Link),
  /** Only where an order is shown by its id. */
  reversals: Schema.optionalKey(Schema.Array(Reversal))
})
export type OrderDetails = typeof OrderDetails.Type

/** A payment that does not fit its quote; `outcome` is `null` until the operator has decided. */
export const PaymentSetAside = Schema.Struct({
  paymentId: Schema.String,
  quoteId: Schema.String,
  amountCents: Schema.Int,
  currency: Schema.String,
  reason: Schema.Literals(["amount", "currency", "session"]),
  atMs: Schema.Int,
  outcome: nullable(Schema.Literals(["refunded", "credited"]))
})
export type PaymentSetAside = typeof PaymentSetAside.Type

export const Quote = Schema.Struct({
  quoteId: Schema.String,
  accountId: Schema.String,
  keyId: Schema.String,
  mode: Mode,
  lines: Schema.Array(
    Schema.Struct({ domain: Schema.String, shelf: Shelf, priceCents: Schema.Int, netCents: Schema.Int })
  ),
  grossCents: Schema.Int,
  totalCents: Schema.Int,
  creditCents: Schema.Int,
  cardCents: Schema.Int,
  status: QuoteStatus,
  abandonedBy: nullable(Schema.Literals(["human", "agent", "expiry"])),
  orderId: nullable(Schema.String),
  creditedCents: Schema.Int,
  idempotencyKey: nullable(Schema.String),
  sessionId: nullable(Schema.String),
  createdAtMs: Schema.Int,
  expiresAtMs: Schema.Int,
  paymentPendingAtMs: nullable(Schema.Int),
  approvedBy: nullable(Schema.String),
  approvedAtMs: nullable(Schema.Int),
  /** Empty: declined without a word. */
  declinedReason: nullable(Schema.String)
})
export type Quote = typeof Quote.Type
