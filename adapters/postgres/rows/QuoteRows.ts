// Rows of quotes, and their conversion to and from the domain.
import { Schema } from "effect"
import { AnchorType, Format, Tier2 } from "#core/domain/Cart.ts"
import { OrderStatus } from "#core/domain/Order.ts"
import { QuoteStatus } from "#core/domain/QuoteStatus.ts"
import { Shelf } from "#core/domain/Shelf.ts"
import { Integer, integerOrNull, Mode, Text, table, textOrNull } from "./Table.ts"

export const Item = Schema.Struct({
  siteId: Integer,
  targetUrl: Text,
  anchorText: Text,
  anchorType: AnchorType,
  format: Format,
  articleId: Schema.optionalKey(Integer),
  tier2Links: Tier2,
  projectId: Schema.optionalKey(Text),
  opportunityId: Schema.optionalKey(Text),
  brief: Schema.optionalKey(Text)
})

const Discount = Schema.Struct({
  source: Schema.Literals(["promo", "welcome", "none"]),
  label: Text,
  amountCents: Integer,
  code: Schema.optionalKey(Text),
  considered: Schema.Array(
    Schema.Struct({
      source: Schema.Literals(["promo", "welcome"]),
      code: Schema.optionalKey(Text),
      amountCents: Integer,
      applied: Schema.Boolean,
      reservedBy: Schema.optionalKey(Text),
      usedForDomain: Schema.optionalKey(Text)
    })
  )
})

const Warning = Schema.Struct({
  code: Schema.Literals(["similar_recent_order", "duplicate_target", "too_many_exact_anchors", "site_already_links"]),
  message: Text
})

/** The statuses of open quotes, as an SQL list. Written as in the indexes of open quotes, so that they are used. */
export const OPEN = "('awaiting_payment', 'awaiting_approval')"

const quote = {
  quoteId: Text,
  accountId: Text,
  keyId: Text,
  mode: Mode,
  lines: Schema.Array(
    Schema.Struct({ item: Item, domain: Text, shelf: Shelf, priceCents: Integer, netCents: Integer })
  ),
  itemsDigest: Text,
  grossCents: Integer,
  discount: Discount,
  totalCents: Integer,
  creditCents: Integer,
  cardCents: Integer,
  holdId: textOrNull,
  warnings: Schema.Array(Warning),
  status: QuoteStatus,
  abandonedBy: Schema.NullOr(Schema.Literals(["human", "agent", "expiry"])),
  orderId: textOrNull,
  creditedCents: Integer,
  idempotencyKey: textOrNull,
  paymentToken: Text,
  paymentUrl: textOrNull,
  sessionId: textOrNull,
  createdAtMs: Integer,
  expiresAtMs: Integer
}

const progress = { paymentPendingAtMs: integerOrNull, endedSessionId: textOrNull }

const approval = { approvedBy: textOrNull, approvedAtMs: integerOrNull, declinedReason: textOrNull }

/** SQL for the lines of a quote, which are not stored where they are those of its order's links. */
export const linesOf = (alias: string): string =>
  `CASE WHEN ${alias}.lines = '[]' AND ${alias}.order_id IS NOT NULL THEN lines_of(${alias}.order_id) ELSE ${alias}.lines END`

export const quotes = table({ ...quote, ...progress, ...approval }, { lines: linesOf })

/** With the columns that others have in the quote's row: its binding, its order, and the code that it uses. Written only. */
export const wholeQuotes = table({
  ...quote,
  abandonedAtMs: integerOrNull,
  ...progress,
  fingerprint: textOrNull,
  answerStatus: integerOrNull,
  answerBody: textOrNull,
  answerFreedAtMs: integerOrNull,
  orderedAtMs: integerOrNull,
  orderStatus: Schema.NullOr(OrderStatus),
  ...approval,
  promoCode: textOrNull
})
