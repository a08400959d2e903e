// Refusals to change the text of a link, and to move a link whose text was changed unseen.
import { Schema } from "effect"
import { LinkId, OrderId } from "../shared/Ids.ts"

/**
 * `another`: another credential placed the order; `human`: a human placed, paid for or approved it. Then owners may change it. `changed_often`:
 * the text was changed as often as it may be. `welcome_offer`: the order used the welcome offer for `domain`.
 */
export class LinkNotChangeable extends Schema.TaggedError<LinkNotChangeable>()("LinkNotChangeable", {
  orderId: OrderId,
  linkId: LinkId,
  reason: Schema.Literals(["another", "human", "changed_often", "welcome_offer"]),
  domain: Schema.optionalKey(Schema.String)
}) {}

/** The text of the link is of another revision than the one that the operator has seen. */
export class LinkTextChanged extends Schema.TaggedError<LinkTextChanged>()("LinkTextChanged", {
  linkId: LinkId,
  revision: Schema.Int,
  targetUrl: Schema.String,
  anchorText: Schema.String,
  anchorType: Schema.String,
  brief: Schema.NullOr(Schema.String)
}) {}

export type ChangeRefusal = LinkNotChangeable | LinkTextChanged
