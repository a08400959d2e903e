// Moves the links of a sandbox order to a later stage, or cancels those that are not online, so that a developer can test the complete life of an order.
import { Result } from "effect"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import { canMove, type Link, type LinkStatus, stagesPassed } from "#core/domain/ordering/Link.ts"
import { type OrderWithLinks, orderStatus } from "#core/domain/ordering/Order.ts"
import { InvalidTransition, OrderNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { OrderId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { find, linksOf } from "../Books.ts"
import { type Decide, Draft, unchanged } from "../Draft.ts"
import { raiseUpdated } from "../webhooks/RaiseEvent.ts"
import { cancelOrder } from "./CancelLinks.ts"
import { moveOnDraft } from "./MoveLink.ts"

export interface AdvanceOrder {
  readonly orderId: OrderId
  readonly to: LinkStatus
  /** The call's, where it takes effect once, however often it runs. */
  readonly origin?: CallOrigin | null
  readonly render: Rendering
}

/** A sandbox link is published nowhere. Its URL says so, and is always the same for the same link. */
const sandboxUrl = (link: Link): string => `https://${link.domain}/sandbox/${link.linkId}`

/** Whether the call of this `idPrefix` has moved one of them. */
const movedBy = (links: ReadonlyArray<Link>, idPrefix: string): boolean =>
  links.some(({ history }) => history.some(({ call }) => call === idPrefix))

export const advanceOrder =
  ({ orderId, to, origin = null, render }: AdvanceOrder): Decide<OrderWithLinks, OrderNotFound | InvalidTransition> =>
  (books, context) =>
    Result.gen(function* () {
      const order = find(books.orders, orderId)
      if (order === undefined || order.mode !== "sandbox") return yield* Result.fail(new OrderNotFound({ orderId }))
      const links = linksOf(books, order)
      // What others did since does not undo what this call did.
      if (origin !== null && movedBy(links, origin.idPrefix)) return unchanged({ order, links })
      const how = { reason: null, actor: null, render, ...(origin === null ? {} : { call: origin.idPrefix }) }
      if (to === "cancelled") {
        return yield* cancelOrder(orderId, { ...how, reason: "Cancelled in the sandbox." })(books, context)
      }
      const movable = links.filter(({ status }) => canMove(status, to))
      if (movable.length === 0) {
        const reason = "No link of this order can still move there; links only move forward."
        return yield* Result.fail(new InvalidTransition({ from: orderStatus(links), to, reason }))
      }
      const draft = new Draft(books, context)
      for (const link of movable) {
        const publishes = stagesPassed(link.status, to).includes("published")
        const publishedUrl = publishes ? sandboxUrl(link) : null
        yield* moveOnDraft(draft, link, { ...how, linkId: link.linkId, to, publishedUrl })
      }
      raiseUpdated(draft, render, order)
      return draft.decided({ order, links: linksOf(draft.books, order) })
    })
