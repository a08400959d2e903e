// Calls that fulfil orders: work queue, link transitions, cancellation, the assignment mode of Plancton links, quotes.
import { Schema } from "effect"
import { RpcGroup } from "effect/rpc"
import { wholeNumber } from "#adapters/contract/schema/Amount.ts"
import { declineReasonFault } from "#core/domain/ordering/Approval.ts"
import { Link, STAGES } from "#core/domain/ordering/Link.ts"
import { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { idBrands, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import { OfAccount, OwingAccount } from "../records/AccountRecords.ts"
import { argument, flag } from "../records/CommandFields.ts"
import { Id, PageSize, Reason, Url } from "../records/Fields.ts"
import { OrderDetails, QueuedLink, Quote } from "../records/OrderRecords.ts"
import { call } from "./Call.ts"

const OfLink = { linkId: Id.pipe(idBrands.LinkId, argument("Link id, lnk_…")) }
const OfQuote = { quoteId: Id.pipe(idBrands.QuoteId, argument("Quote id, q_…")) }
const OfOrder = { orderId: Id.pipe(idBrands.OrderId, argument("Order id, ord_…")) }

/** `refunded`: gives only what credit had paid. `published`: cancels what is online, too. */
const HowToCancel = { refunded: Schema.optionalKey(Schema.Boolean), published: Schema.optionalKey(Schema.Boolean) }

/** Where the link can be seen: on the site's domain or below it, unless `anyway`. */
const Published = { ...OfLink, url: Url.pipe(argument("Where the link can be seen, on the site's domain")) }
const Anyway = {
  anyway: Schema.optionalKey(Schema.Boolean.pipe(flag("Also on another host than the site's; the audit log says so")))
}

/** The word to the agent; empty: none. */
const DeclineReason = Schema.String.check(Schema.makeFilter((reason) => declineReasonFault(reason))).pipe(
  flag("A word to the agent", { metavar: "TEXT", otherwise: "" })
)

/** A link whose text was changed since it was assigned is moved on only with it. */
const Seen = {
  revision: Schema.optionalKey(
    wholeNumber(1, 1_000).pipe(
      flag("The revision of the text that you have seen, as the queue shows it; refused if it is another now", {
        metavar: "N"
      })
    )
  )
}

const Fulfilment = Schema.Literals(["auto", "manual"])

export class FulfilmentRpcs extends RpcGroup.make(
  /** Live links that are neither published nor cancelled, oldest first; the next page begins at `afterId: nextAfterId`, until that is `null`. */
  call(
    "queue",
    "reader",
    {
      limit: PageSize,
      afterId: Schema.optionalKey(Id.pipe(idBrands.LinkId)),
      overdue: Schema.optionalKey(Schema.Boolean.pipe(flag("Only links whose time is over")))
    },
    Schema.Struct({ links: Schema.Array(QueuedLink), nextAfterId: Schema.NullOr(LinkId) })
  ),
  /** The answer has the text by which the link is to be written. */
  call("assign", "fulfilment", { ...OfLink, ...Seen }, Link),
  /** To any later stage before `published`. */
  call(
    "advance",
    "fulfilment",
    {
      ...OfLink,
      to: Schema.Literals(STAGES).pipe(argument("Any later status before published", { name: "status" })),
      ...Seen
    },
    Link
  ),
  call("publish", "fulfilment", { ...Published, ...Anyway, ...Seen }, Link, { adminFields: ["anyway"] }),
  /** Replaces the URL of a link that is online. */
  call("correct", "fulfilment", { ...Published, reason: Reason, ...Anyway }, Link, { adminFields: ["anyway"] }),
  /** Records that the published link was seen online. */
  call("verify", "fulfilment", OfLink, Link),
  /** Returns the net price as prepaid credit, if `refunded` only what credit had paid: the rest went back by refund or dispute. */
  call("cancelLink", "finance", { ...OfLink, reason: Reason, ...HowToCancel }, Link),
  /** Cancels every link that is not published yet, with `published` every link. */
  call("cancelOrder", "finance", { ...OfOrder, reason: Reason, ...HowToCancel }, OrderDetails),
  /** Who assigns Plancton links of future orders: the service at once, or the operator. */
  call("switchFulfilment", "fulfilment", { fulfilment: Fulfilment }, Schema.Struct({ fulfilment: Fulfilment })),
  call("showFulfilment", "reader", {}, Schema.Struct({ fulfilment: Fulfilment })),
  call("showOrder", "reader", OfOrder, OrderDetails),
  /** Live orders of every key, connection and the Shop of an account, newest first; `beforeId` is the last order of the page before. */
  call(
    "listOrders",
    "reader",
    { ...OfAccount, limit: PageSize, beforeId: Schema.optionalKey(Id.pipe(idBrands.OrderId)) },
    Schema.Struct({ orders: Schema.Array(OrderDetails), nextBeforeId: Schema.NullOr(OrderId) })
  ),
  call("showQuote", "reader", OfQuote, Schema.Struct({ quote: Quote, order: Schema.NullOr(OrderDetails) })),
  /** Simulates a human's payment; refused (`payments_are_real`) with a real processor. Returns the resulting quote. */
  call("payQuote", "finance", OfQuote, Quote),
  /** Abandons a quote on behalf of its human. Returns the resulting quote: `paid` if a payment came first. */
  call("abandonQuote", "finance", OfQuote, Quote),
  /** Live quotes of all accounts that await approval, oldest first. */
  call("listApprovals", "reader", { limit: PageSize }, Schema.Struct({ quotes: Schema.Array(Quote) })),
  /** Approves a quote that awaits approval, for its human. Returns the resulting quote: `abandoned` if its time was over. */
  call("approveQuote", "finance", OfQuote, Quote),
  call("declineQuote", "finance", { ...OfQuote, reason: DeclineReason }, Quote),
  /** Payments that could not be booked, those that wait for a decision first; and accounts that owe something of top-ups given back. */
  call(
    "listSetAside",
    "reader",
    { limit: PageSize },
    Schema.Struct({ payments: Schema.Array(PaymentSetAside), owing: Schema.Array(OwingAccount) })
  ),
  /** Records what became of one: refunded at the processor by the operator, or credited to the quote's account now. */
  call(
    "resolvePayment",
    "finance",
    {
      paymentId: Id.pipe(idBrands.PaymentId, argument("Payment id, as listed by `operator payments`")),
      outcome: Schema.Literals(["refunded", "credited"]).pipe(
        argument("refunded: you gave it back at the processor; credited: credit for the account, now")
      ),
      reason: Reason.pipe(flag("Why, for the audit", { metavar: "TEXT" }))
    },
    PaymentSetAside
  )
).middleware(OperatorMiddleware) {}
