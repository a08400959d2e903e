// The operator's work on live links: assign, advance, publish, verify, correct, cancel; and the fulfilment switch for Plancton links.
import { Context, Effect, Layer, Result } from "effect"
import { unchanged } from "#core/decisions/Draft.ts"
import { switchFulfilment } from "#core/decisions/operations/SwitchFulfilment.ts"
import { type CancelLinks, cancelLink, cancelOrder } from "#core/decisions/ordering/CancelLinks.ts"
import { type CorrectLink, correctLink } from "#core/decisions/ordering/CorrectLink.ts"
import { type MoveLink, moveLink } from "#core/decisions/ordering/MoveLink.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { LinkTextChanged } from "#core/domain/ordering/ChangeRefusal.ts"
import type { Link, Stage } from "#core/domain/ordering/Link.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type {
  InvalidTransition,
  LinkNotFound,
  OrderNotFound,
  PublishedElsewhere
} from "#core/domain/ordering/OrderRefusal.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"

type MoveFault = LinkNotFound | InvalidTransition | LinkTextChanged | PublishedElsewhere | StoreUnavailable

/** `revision`: of the link's text that the operator has seen. `anyway`: also on another host than the site's. */
type HowToMove = Pick<MoveLink, "anyway" | "revision">

/** Whether the card part is refunded outside, and whether links that are online are cancelled, too. */
type HowToCancel = Pick<CancelLinks, "refunded" | "published">

export class FulfilLinks extends Context.Service<
  FulfilLinks,
  {
    /** Live links that are neither online nor cancelled, oldest first. */
    readonly queue: Orders["Service"]["queue"]
    readonly atRisk: Orders["Service"]["atRisk"]
    readonly assign: (linkId: LinkId, actor: Actor, how?: HowToMove) => Effect.Effect<Link, MoveFault>
    /** To any later stage before `published`. */
    readonly advance: (linkId: LinkId, to: Stage, actor: Actor, how?: HowToMove) => Effect.Effect<Link, MoveFault>
    readonly publish: (
      linkId: LinkId,
      publishedUrl: string,
      actor: Actor,
      how?: HowToMove
    ) => Effect.Effect<Link, MoveFault>
    /** Replaces the URL of a link that is online. */
    readonly correct: (
      correction: Omit<CorrectLink, "actor" | "render">,
      actor: Actor
    ) => Effect.Effect<Link, MoveFault>
    /** The operator has checked that the published link is online. */
    readonly verify: (linkId: LinkId, actor: Actor) => Effect.Effect<Link, MoveFault>
    readonly cancelLink: (
      linkId: LinkId,
      reason: string,
      actor: Actor,
      how?: HowToCancel
    ) => Effect.Effect<Link, MoveFault | OrderNotFound>
    /** Cancels every link that is not online yet, unless `how` says more. */
    readonly cancelOrder: (
      orderId: OrderId,
      reason: string,
      actor: Actor,
      how?: HowToCancel
    ) => Effect.Effect<OrderWithLinks, OrderNotFound | InvalidTransition | StoreUnavailable>
    /** The switch, or the setting while the switch is not set. */
    readonly fulfilment: () => Effect.Effect<Fulfilment, StoreUnavailable>
    readonly switchFulfilment: (fulfilment: Fulfilment, actor: Actor) => Effect.Effect<Fulfilment, StoreUnavailable>
  }
>()("backlinks/usecases/ordering/FulfilLinks") {
  static readonly layer = Layer.effect(
    FulfilLinks,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const orders = yield* Orders
      const { render, settings } = yield* ServiceContext

      const move = (input: Omit<MoveLink, "reason" | "render">) =>
        book.transact({ _tag: "ForLink", linkId: input.linkId }, moveLink({ ...input, reason: null, render }))

      return FulfilLinks.of({
        queue: orders.queue,
        atRisk: orders.atRisk,
        assign: Effect.fn("FulfilLinks.assign")((linkId, actor, how = {}) =>
          move({ linkId, to: "assigned", publishedUrl: null, actor, ...how })
        ),
        advance: Effect.fn("FulfilLinks.advance")((linkId, to, actor, how = {}) =>
          move({ linkId, to, publishedUrl: null, actor, ...how })
        ),
        publish: Effect.fn("FulfilLinks.publish")((linkId, publishedUrl, actor, how = {}) =>
          move({ linkId, to: "published", publishedUrl, actor, ...how })
        ),
        correct: Effect.fn("FulfilLinks.correct")((correction, actor) =>
          book.transact({ _tag: "ForLink", linkId: correction.linkId }, correctLink({ ...correction, actor, render }))
        ),
        verify: Effect.fn("FulfilLinks.verify")((linkId, actor) =>
          move({ linkId, to: "verified", publishedUrl: null, actor })
        ),
        cancelLink: Effect.fn("FulfilLinks.cancelLink")((linkId, reason, actor, how = {}) =>
          book.transact({ _tag: "ForLink", linkId }, cancelLink(linkId, { ...how, reason, actor, render }))
        ),
        cancelOrder: Effect.fn("FulfilLinks.cancelOrder")((orderId, reason, actor, how = {}) =>
          book.transact({ _tag: "ForOrder", orderId }, cancelOrder(orderId, { ...how, reason, actor, render }))
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
