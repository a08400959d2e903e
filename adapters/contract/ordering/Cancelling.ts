// Which links of an order to cancel, and what became of each.
import { Schema } from "effect"
import { outcomeOf, WhoCan } from "#core/domain/ordering/Cancelling.ts"
import { isOnline, type Link, LinkStatus } from "#core/domain/ordering/Link.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { text } from "../schema/Text.ts"
import { OrderDetail } from "./Orders.ts"

export const CancelRequest = Schema.Struct({
  link_ids: Schema.optionalKey(
    Schema.Array(text(1).pipe(idBrands.LinkId))
      .check(
        Schema.makeFilter((ids) => ids.length >= 1 && ids.length <= MAX_ITEMS && new Set(ids).size === ids.length, {
          message: `Name 1 to ${MAX_ITEMS} links, each once.`,
          toJsonSchema: () => ({ minItems: 1, maxItems: MAX_ITEMS, uniqueItems: true })
        })
      )
      .annotate({ description: "The links of this order to cancel, by `link_id`; all unless told." })
  ),
  only: Schema.optionalKey(
    Schema.Literal("cancellable").annotate({
      description:
        "Cancels those of the links that can be cancelled and keeps the others, which `kept` lists. Without it, all are cancelled or none."
    })
  )
}).annotate({ identifier: "CancelRequest", description: "Which links of an order to cancel." })

export const OrderCancelled = Schema.Struct({
  ...OrderDetail.fields,
  cancelled: Schema.Array(answerId.link).annotate({
    description: "Those of the links asked for that are cancelled now, by this call or before."
  }),
  kept: Schema.Array(
    Schema.Struct({
      link_id: answerId.link,
      status: LinkStatus.annotate({ description: "How far it is." }),
      reason: Schema.String.annotate({ description: "Why it stays, in a sentence for the user." }),
      who_can: WhoCan.annotate({
        description:
          "Who can still cancel it: `owner`, your user in the member area; `operator`, the service, whom your user asks."
      })
    })
  ).annotate({ description: "Those that stay; none unless `only` was sent." })
}).annotate({
  identifier: "OrderCancelled",
  description: "The order afterwards, and what became of each link that was to be cancelled."
})
export type OrderCancelled = typeof OrderCancelled.Type

/** A link on which no work has begun is never kept. */
const whyKept = ({ status }: Link): string =>
  isOnline(status) ? "It is online." : `Work on it has begun: it is ${status.replaceAll("_", " ")}.`

/** `asked`: the links that were to be cancelled, as they are now. */
export const showCancelled = (order: OrderDetail, asked: ReadonlyArray<Link>): OrderCancelled => {
  const { cancelled, kept } = outcomeOf(asked)
  return {
    ...order,
    cancelled,
    kept: kept.map(({ link, whoCan }) => ({
      link_id: link.linkId,
      status: link.status,
      reason: whyKept(link),
      who_can: whoCan
    }))
  }
}
