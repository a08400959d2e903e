// Quotes: a quote's state and money, found by its id or by the idempotency key of its order.
import { Schema } from "effect"
import type { PlacedBy as Placer } from "#core/domain/access/PlacedBy.ts"
import { DECLINE_REASON_MAX, declineReasonFault } from "#core/domain/ordering/Approval.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { orderStatus } from "#core/domain/ordering/Order.ts"
import { isPaymentPending, payableUrl, type Quote } from "#core/domain/ordering/Quote.ts"
import { QuoteStatus as Status } from "#core/domain/ordering/QuoteStatus.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { Cents, Count, Currency, Eur, eurOfCents, PageCount } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { HumanLink } from "../schema/HumanLink.ts"
import { IdempotencyKey } from "../schema/IdempotencyKey.ts"
import { ListScope, leftOutFields } from "../schema/ListSummary.ts"
import { Cursor, Limit, NextCursor } from "../schema/Paging.ts"
import { PlacedBy, showPlacedBy } from "../schema/PlacedBy.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, timestamp } from "../schema/Text.ts"
import { OrderStatus, Reference } from "./Orders.ts"

export const QuoteQuery = Schema.Struct({
  idempotency_key: IdempotencyKey.annotate({
    description: "The Idempotency-Key sent with the order, by any key or connection of the account in this mode."
  })
})
export type QuoteQuery = typeof QuoteQuery.Type

const { idempotency_key } = QuoteQuery.fields

/** One quote by the key of its order, or a page of quotes. */
export const QuotesQuery = Schema.Struct({
  idempotency_key: Schema.optionalKey(idempotency_key),
  scope: Schema.optionalKey(ListScope),
  status: Schema.optionalKey(Status.annotate({ description: "Only quotes in this status." })),
  limit: Schema.optionalKey(Limit),
  cursor: Schema.optionalKey(Cursor)
}).check(
  Schema.makeFilter(
    ({ idempotency_key: key, ...others }) =>
      key === undefined || Object.keys(others).length === 0
        ? undefined
        : { path: ["idempotency_key"], issue: "Finds one quote, so send no other parameter with it." },
    { toJsonSchema: () => [{}, true] }
  )
)
export type QuotesQuery = typeof QuotesQuery.Type

/** A text that can be the id of a quote. */
export const QuoteIdText = Schema.String.check(
  Schema.isPattern(/^q_\w{1,100}$/, { toJsonSchema: () => ({ pattern: "^q_\\w{1,100}$" }) })
).pipe(idBrands.QuoteId)

/** The money of a quote, in order responses and quote statuses alike. */
export const moneyFields = {
  gross_total_eur: Eur.annotate({ description: "Total before discount, euros." }),
  total_eur: Eur.annotate({ description: "Total after discount, euros." }),
  discount_eur: Eur.annotate({ description: "Discount applied, euros." }),
  credit_applied_cents: Cents.annotate({ description: "Prepaid credit used, cents." }),
  card_amount_cents: Cents.annotate({ description: "What a human has to pay by card, cents." })
}

export const PaymentUrl = Schema.NullOr(HumanLink).annotate({
  description:
    "Where a human pays what is left; `null` when nothing is to be paid or nothing can be paid any more. Only a human may open it to pay."
})

/** What a human's approval adds, in order responses and quote statuses alike. */
export const approvalFields = {
  approval_url: Schema.optionalKey(
    HumanLink.annotate({
      description:
        "Present while it is `awaiting_approval`: where the user approves or declines, signed in as an owner of the account. The link alone approves nothing."
    })
  ),
  declined_reason: Schema.optionalKey(
    Schema.NullOr(Schema.String).annotate({
      description:
        "Present when the user declined: their word to you, `null` if they left none. Do not order the same again unasked."
    })
  )
}

/** `url` is that of the approval page. */
export const showApproval = ({ status, declinedReason }: Quote, url: string | null) => ({
  ...(status === "awaiting_approval" && url !== null ? { approval_url: url } : {}),
  ...(declinedReason === null ? {} : { declined_reason: declinedReason === "" ? null : declinedReason })
})

const QuoteLine = Schema.Struct({
  site_id: answerId.site,
  price_eur: Eur.annotate({ description: "Price of the link with its tier-2 pack before discount, euros." }),
  turnaround_days: Schema.NullOr(Count).annotate({
    description: "Days from the order until the link is due; `null` in quotes from before such promises."
  })
})

export const QuoteStatus = Schema.Struct({
  ok: Ok,
  quote_id: answerId.quote,
  status: Status.annotate({
    description:
      "`awaiting_approval`: a human decides whether it becomes an order. `awaiting_payment`: a human pays. `paid`: the order exists. `abandoned`: it was given up, declined, or expired."
  }),
  paid: Schema.Boolean.annotate({ description: "Whether the order exists." }),
  order_id: Schema.NullOr(answerId.order).annotate({ description: "The order that it became; `null` until then." }),
  order_status: Schema.NullOr(OrderStatus).annotate({
    description: "How far that order is, as `order_status` of an order; `null` until there is one."
  }),
  placed_by: PlacedBy,
  currency: Currency,
  ...moneyFields,
  payment_url: PaymentUrl,
  ...approvalFields,
  payment_pending: Schema.Boolean.annotate({
    description: "Whether a bank debit is under way: then it does not expire."
  }),
  expires_at: at("When the quote expires, or would have expired, unpaid or not approved. Approval restarts it."),
  items_count: Count.annotate({ description: "Links of the order." }),
  lines: Schema.Array(QuoteLine).annotate({ description: "In the order of `items`; fixed by the quote." }),
  reference: Reference,
  credited_cents: Schema.optionalKey(
    Cents.annotate({
      description:
        "A payment that came after the quote was given up and became prepaid credit, cents. Absent if none did."
    })
  ),
  sandbox: Sandbox
}).annotate({ identifier: "QuoteStatus", description: "Whether a quote was approved and paid, and under which order." })
export type QuoteStatus = typeof QuoteStatus.Type

const { ok: _ok, ...quoteFields } = QuoteStatus.fields

export const ListedQuote = Schema.Struct(quoteFields).annotate({
  identifier: "ListedQuote",
  description: "A quote in a list, as GET /api/v1/agent/quotes/{id} shows it."
})
export type ListedQuote = typeof ListedQuote.Type

export const QuoteList = Schema.Struct({
  ok: Ok,
  count: PageCount,
  quotes: Schema.Array(ListedQuote).annotate({ description: "Newest first." }),
  ...leftOutFields("quote"),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "QuoteList", description: "A page of this key's quotes, or of all of the account's." })
export type QuoteList = typeof QuoteList.Type

export const DeclineRequest = Schema.Struct({
  reason: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((reason) => declineReasonFault(reason), {
        toJsonSchema: () => ({ maxLength: DECLINE_REASON_MAX })
      })
    ).annotate({
      description: `The user's word to the agent: at most ${DECLINE_REASON_MAX} characters on one line, at least one visible; no zero-width characters and no bidirectional controls. An empty one counts as absent.`
    })
  )
}).annotate({ identifier: "DeclineRequest", description: "What a human says when declining, if anything." })

export const showMoney = (quote: Quote) => ({
  gross_total_eur: eurOfCents(quote.grossCents),
  total_eur: eurOfCents(quote.totalCents),
  discount_eur: eurOfCents(quote.discount.amountCents),
  credit_applied_cents: quote.creditCents,
  card_amount_cents: quote.cardCents
})

export const showQuote = (report: {
  readonly quote: Quote
  readonly order: { readonly links: ReadonlyArray<Link> } | null
  readonly approvalUrl: string | null
  readonly asOfMs: number
  readonly placedBy: Placer
}): QuoteStatus => {
  const { quote, order, approvalUrl, asOfMs, placedBy } = report
  return {
    ok: true,
    quote_id: quote.quoteId,
    status: quote.status,
    paid: quote.status === "paid",
    order_id: quote.orderId,
    order_status: order === null ? null : orderStatus(order.links),
    placed_by: showPlacedBy(placedBy),
    currency: "EUR",
    ...showMoney(quote),
    payment_url: payableUrl(quote, asOfMs),
    ...showApproval(quote, approvalUrl),
    payment_pending: isPaymentPending(quote),
    expires_at: timestamp(quote.expiresAtMs),
    items_count: quote.lines.length,
    lines: quote.lines.map(({ item, priceCents, turnaroundDays }) => ({
      site_id: item.siteId,
      price_eur: eurOfCents(priceCents),
      turnaround_days: turnaroundDays ?? null
    })),
    reference: quote.reference,
    ...(quote.creditedCents === 0 ? {} : { credited_cents: quote.creditedCents }),
    sandbox: quote.mode === "sandbox"
  }
}

/** A quote whose order's status is known without its links. */
export const showListedQuote = ({
  orderStatus: order_status,
  ...report
}: {
  readonly quote: Quote
  readonly placedBy: Placer
  readonly orderStatus: OrderStatus | null
  readonly approvalUrl: string | null
  readonly asOfMs: number
}): ListedQuote => {
  const { ok: _, ...shown } = showQuote({ ...report, order: null })
  return { ...shown, order_status }
}
