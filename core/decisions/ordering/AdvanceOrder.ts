// Moves the links of a sandbox order to a later stage, so that a developer can test the complete life of an order.
import { Result } from "effect"
import { canMove, type Link, type Stage, stagesPassed } from "#core/domain/ordering/Link.ts"
import { type OrderWithLinks, orderStatus } from "#core/domain/ordering/Order.ts"
import { InvalidTransition, OrderNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { OrderId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { find, linksOf } from "../Books.ts"
import { type Decide, Draft } from "../Draft.ts"
import { raiseUpdated } from "../webhooks/RaiseEvent.ts"
import { moveOnDraft } from "./MoveLink.ts"

export interface AdvanceOrder {
  readonly orderId: OrderId
  readonly to: Stage
  readonly render: Rendering
}

/** A sandbox link is published nowhere. Its URL says so, and is always the same for the same link. */
const sandboxUrl = (link: Link): string => `https://${link.domain}/sandbox/${link.linkId}`

export const advanceOrder =
  ({ orderId, to, render }: AdvanceOrder): Decide<OrderWithLinks, OrderNotFound | InvalidTransition> =>
  (books, context) =>
    Result.gen(function* () {
      const order = find(books.orders, orderId)
      if (order === undefined || order.mode !== "sandbox") return yield* Result.fail(new OrderNotFound({ orderId }))
      const links = linksOf(books, order)
      const movable = links.filter(({ status }) => canMove(status, to))
      if (movable.length === 0) {
        const reason = "No link of this order can still move there; links only move forward."
        return yield* Result.fail(new InvalidTransition({ from: orderStatus(links), to, reason }))
      }
      const draft = new Draft(books, context)
      for (const link of movable) {
        const publishes = stagesPassed(link.status, to).includes("published")
        const publishedUrl = publishes ? sandboxUrl(link) : null
        yield* moveOnDraft(draft, link, { linkId: link.linkId, to, publishedUrl, reason: null, actor: null, render })
      }
      raiseUpdated(draft, render, order)
      return draft.decided({ order, links: linksOf(draft.books, order) })
    })
