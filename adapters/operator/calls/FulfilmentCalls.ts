// The operator's work on orders: the queue, a link's way to publication, cancelling, and the switch for Plancton links.
import { Schema } from "effect"
import { RpcGroup } from "effect/rpc"
import { STAGES } from "#core/domain/Link.ts"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import { Id, PageSize, Reason, Url } from "../records/Fields.ts"
import { Link, OrderDetails, Quote } from "../records/OrderRecords.ts"
import { call } from "./Call.ts"

const LinkId = { linkId: Id }
const QuoteId = { quoteId: Id }

const Fulfilment = Schema.Literals(["auto", "manual"])

export class FulfilmentRpcs extends RpcGroup.make(
  /** Live links neither online nor cancelled, oldest first; go on with `afterId: nextAfterId` until that is `null`. */
  call(
    "queue",
    { limit: PageSize, afterId: Schema.optionalKey(Id) },
    Schema.Struct({ links: Schema.Array(Link), nextAfterId: Schema.NullOr(Schema.String) })
  ),
  call("assign", LinkId, Link),
  /** To any later stage before `published`. */
  call("advance", { ...LinkId, to: Schema.Literals(STAGES) }, Link),
  /** `url` is where the link can be seen. */
  call("publish", { ...LinkId, url: Url }, Link),
  /** The published link was looked at and is online. */
  call("verify", LinkId, Link),
  /** Gives its net price back as prepaid credit. */
  call("cancelLink", { ...LinkId, reason: Reason }, Link),
  /** Every link that is not online yet. */
  call("cancelOrder", { orderId: Id, reason: Reason }, OrderDetails),
  /** Who assigns Plancton links of orders to come: the shop at once, or the operator. */
  call("switchFulfilment", { fulfilment: Fulfilment }, Schema.Struct({ fulfilment: Fulfilment })),
  call("showFulfilment", {}, Schema.Struct({ fulfilment: Fulfilment })),
  call("showOrder", { orderId: Id }, OrderDetails),
  call("showQuote", QuoteId, Schema.Struct({ quote: Quote, order: Schema.NullOr(OrderDetails) })),
  /** A human's payment, pretended; refused (`payments_are_real`) where a real processor runs. Answers the quote as it then is. */
  call("payQuote", QuoteId, Quote),
  /** For its human. Answers the quote as it then is: `paid` where a payment was quicker. */
  call("abandonQuote", QuoteId, Quote)
).middleware(OperatorMiddleware) {}
