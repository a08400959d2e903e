// The operator's work on live links: assign, advance, publish, verify, cancel; and the fulfilment switch for Plancton links.
import { Context, Effect, Layer, Result } from "effect"
import { cancelLink, cancelOrder } from "#core/decisions/CancelLinks.ts"
import { unchanged } from "#core/decisions/Draft.ts"
import { switchFulfilment } from "#core/decisions/Listings.ts"
import { moveLink } from "#core/decisions/MoveLink.ts"
import type { Actor } from "#core/domain/Actor.ts"
import type { Link, Stage } from "#core/domain/Link.ts"
import type { OrderWithLinks } from "#core/domain/Order.ts"
import type { InvalidTransition, LinkNotFound, OrderNotFound } from "#core/domain/Refusal.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { Orders } from "#core/ports/Orders.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { ServiceContext } from "#core/ports/ServiceContext.ts"

type MoveFault = LinkNotFound | InvalidTransition | StoreUnavailable

export class FulfilLinks extends Context.Service<
  FulfilLinks,
  {
    /** Live links that are neither online nor cancelled, oldest first. */
    readonly queue: Orders["Service"]["queue"]
    readonly assign: (linkId: string, actor: Actor) => Effect.Effect<Link, MoveFault>
    /** To any later stage before `published`. */
    readonly advance: (linkId: string, to: Stage, actor: Actor) => Effect.Effect<Link, MoveFault>
    readonly publish: (linkId: string, publishedUrl: string, actor: Actor) => Effect.Effect<Link, MoveFault>
    /** The operator has checked that the published link is online. */
    readonly verify: (linkId: string, actor: Actor) => Effect.Effect<Link, MoveFault>
    readonly cancelLink: (
      linkId: string,
      reason: string,
      actor: Actor,
      refunded?: boolean
    ) => Effect.Effect<Link, MoveFault | OrderNotFound>
    /** Cancels every link that is not online yet; `refunded` without credit. */
    readonly cancelOrder: (
      orderId: string,
      reason: string,
      actor: Actor,
      refunded?: boolean
    ) => Effect.Effect<OrderWithLinks, OrderNotFound | InvalidTransition | StoreUnavailable>
    /** The switch, or the setting while the switch is not set. */
    readonly fulfilment: () => Effect.Effect<Fulfilment, StoreUnavailable>
    readonly switchFulfilment: (fulfilment: Fulfilment, actor: Actor) => Effect.Effect<Fulfilment, StoreUnavailable>
  }
>()("backlinks/usecases/FulfilLinks") {
  static readonly layer = Layer.effect(
    FulfilLinks,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const orders = yield* Orders
      const { render, settings } = yield* ServiceContext

      const move = (linkId: string, to: Stage, publishedUrl: string | null, actor: Actor) =>
        book.transact({ _tag: "ForLink", linkId }, moveLink({ linkId, to, publishedUrl, reason: null, actor, render }))

      return FulfilLinks.of({
        queue: orders.queue,
        assign: Effect.fn("FulfilLinks.assign")((linkId, actor) => move(linkId, "assigned", null, actor)),
        advance: Effect.fn("FulfilLinks.advance")((linkId, to, actor) => move(linkId, to, null, actor)),
        publish: Effect.fn("FulfilLinks.publish")((linkId, url, actor) => move(linkId, "published", url, actor)),
        verify: Effect.fn("FulfilLinks.verify")((linkId, actor) => move(linkId, "verified", null, actor)),
        cancelLink: Effect.fn("FulfilLinks.cancelLink")((linkId, reason, actor, refunded = false) =>
          book.transact({ _tag: "ForLink", linkId }, cancelLink(linkId, { reason, actor, render, refunded }))
        ),
        cancelOrder: Effect.fn("FulfilLinks.cancelOrder")((orderId, reason, actor, refunded = false) =>
          book.transact({ _tag: "ForOrder", orderId }, cancelOrder(orderId, { reason, actor, render, refunded }))
        ),
        fulfilment: Effect.fn("FulfilLinks.fulfilment")(() =>
          book.transact({ _tag: "ForListing", ...noListing }, (books) =>
            Result.succeed(unchanged(books.fulfilment ?? settings.fulfilment))
          )
        ),
        switchFulfilment: Effect.fn("FulfilLinks.switchFulfilment")((fulfilment, actor) =>
          book.transact({ _tag: "ForListing", ...noListing }, switchFulfilment(fulfilment, actor))
        )
      })
    })
  )
}

const noListing = { siteIds: [], articleIds: [], promoCodes: [], projectIds: [], opportunityIds: [], accountIds: [] }
