// Cancels links of an order for the agent that placed it: all that it asks for, or none. No work has begun on them, and no human has decided
// the order. In one decision with the links' status, so that a link which is assigned at the same moment is either cancelled or worked on.
import { Result } from "effect"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import {
  type CancelRefusal,
  LinkNotOfOrder,
  LinksNotCancellable,
  OrderNotCancellable
} from "#core/domain/ordering/CancelRefusal.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { Order, OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { OrderNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { KeyId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { type Books, find, linksOf } from "../Books.ts"
import { type Decide, Draft } from "../Draft.ts"
import { cancelOnDraft } from "./CancelLinks.ts"

export interface CancelOwnOrder {
  readonly orderId: OrderId
  /** The credential that asks. */
  readonly keyId: KeyId
  /** All links of the order where there are none. */
  readonly linkIds: ReadonlyArray<LinkId> | null
  readonly render: Rendering
}

const REASON = "Cancelled by the agent that ordered it."

/** Placed in the Shop, paid for by card, or approved. */
export const isDecidedByHuman = ({ keyId, cardCents, approvedAtMs }: Quote): boolean =>
  isWebCredential(keyId) || cardCents > 0 || approvedAtMs !== null

const checkCredential = (books: Books, order: Order, keyId: KeyId): Result.Result<void, OrderNotCancellable> => {
  const { orderId, quoteId } = order
  const refuse = (decidedBy: OrderNotCancellable["decidedBy"]) =>
    Result.fail(new OrderNotCancellable({ orderId, decidedBy }))
  const quote = find(books.quotes, quoteId)
  if (quote === undefined || isDecidedByHuman(quote)) return refuse("human")
  return order.keyId === keyId ? Result.void : refuse("another")
}

const linksAskedFor = (
  { orderId }: Order,
  links: ReadonlyArray<Link>,
  linkIds: ReadonlyArray<LinkId> | null
): Result.Result<ReadonlyArray<Link>, LinkNotOfOrder> =>
  linkIds === null
    ? Result.succeed(links)
    : Result.all(
        linkIds.map((linkId, position) =>
          Result.fromNullishOr(
            links.find((link) => link.linkId === linkId),
            () => new LinkNotOfOrder({ orderId, linkId, position })
          )
        )
      )

export const cancelOwnOrder =
  ({ orderId, keyId, linkIds, render }: CancelOwnOrder): Decide<OrderWithLinks, OrderNotFound | CancelRefusal> =>
  (books, context) =>
    Result.gen(function* () {
      const order = yield* Result.fromNullishOr(find(books.orders, orderId), () => new OrderNotFound({ orderId }))
      yield* checkCredential(books, order, keyId)
      const asked = yield* linksAskedFor(order, linksOf(books, order), linkIds)
      const begun = asked.filter(({ status }) => status !== "to_assign")
      if (begun.length > 0) {
        const links = begun.map(({ linkId, status }) => ({ linkId, status }))
        return yield* Result.fail(new LinksNotCancellable({ orderId, links }))
      }
      const draft = new Draft(books, context)
      cancelOnDraft(draft, order, asked, { reason: REASON, actor: keyId, render })
      return draft.decided({ order, links: linksOf(draft.books, order) })
    })
