// Cancels one link, or all links of an order; those that are online only when asked for. The net price of each is credited once, however
// it was paid; where the card's part goes back by refund or dispute, only what credit had paid.
import { Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import { canCancel, isOnline, isRefunded, type Link } from "#core/domain/ordering/Link.ts"
import { type Order, type OrderWithLinks, orderStatus } from "#core/domain/ordering/Order.ts"
import { InvalidTransition, type LinkNotFound, OrderNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { atRiskCents } from "#core/domain/ordering/Reversal.ts"
import { allocate, type Cents } from "#core/domain/pricing/Money.ts"
import type { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { type Books, find, linksOf } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { bookCredit } from "../wallet/OwedCredit.ts"
import { raiseEvent, raiseUpdated } from "../webhooks/RaiseEvent.ts"
import { findLink } from "./MoveLink.ts"
import { leftToGiveBack, reversalsOf } from "./RecordReversal.ts"

export interface CancelLinks {
  readonly reason: string
  /** The card's part goes back by refund or dispute: only what credit had paid is credited. */
  readonly refunded?: boolean
  /** Also what is online: published by mistake, or taken down. */
  readonly published?: boolean
  readonly actor: Actor | null
  /** The `idPrefix` of a call under an idempotency key. */
  readonly call?: string
  readonly render: Rendering
}

/** The part of the link's net price that credit paid; the parts of all lines add up to the quote's credit. */
const paidByCredit = ({ creditCents, lines }: Quote, { index }: Link): Cents =>
  allocate(
    creditCents,
    lines.map(({ netCents }) => netCents)
  )[index] ?? 0

/** What a refunded link credits: what credit paid of it, as far as other links' credit and what went back elsewhere leave it. */
const creditOfRefunded = ({ books }: Draft, link: Link): Cents => {
  const quote = find(books.quotes, link.quoteId)
  if (quote === undefined) return 0
  const left = leftToGiveBack(books, quote, atRiskCents(reversalsOf(books, link.quoteId)))
  return Math.min(paidByCredit(quote, link), Math.max(0, left))
}

const recredit = (draft: Draft, link: Link, cents: Cents): void => {
  const { linkId, orderId, quoteId, accountId, articleId } = link
  if (cents > 0) bookCredit(draft, accountId, { kind: "recredit", cents }, { quoteId, orderId, linkId })
  if (articleId !== null) draft.record({ _tag: "ArticleFreed", articleId, quoteId })
}

/** For links that may be cancelled. */
export const cancelOnDraft = (
  draft: Draft,
  order: Order,
  cancellable: ReadonlyArray<Link>,
  input: CancelLinks
): void => {
  const { reason, actor, call, render, refunded = false } = input
  const by = call === undefined ? {} : { call }
  const atMs = draft.context.nowMs
  for (const link of cancellable) {
    const { linkId } = link
    const credited = refunded ? creditOfRefunded(draft, link) : link.netCents
    const how = refunded ? { refunded, creditedCents: credited } : {}
    const move = { linkId, to: "cancelled" as const, atMs, reason, publishedUrl: null, ...how, ...by }
    draft.record({ _tag: "LinkMoved", move })
    if (link.mode === "live") recredit(draft, link, credited)
    const refund = refunded ? { refunded, credited_cents: credited } : {}
    const details = { from: link.status, reason, net_cents: link.netCents, ...refund }
    audit(draft, actor, { action: "link.cancel", subject: linkId, accountId: link.accountId, details })
  }
  const links = linksOf(draft.books, order)
  const quote = find(draft.books.quotes, order.quoteId)
  if (quote !== undefined && orderStatus(links) === "cancelled")
    raiseEvent(draft, render, "order.cancelled", { order, quote, links })
  raiseUpdated(draft, render, order)
}

/** Whether so much credit would give the money of a refunded or disputed payment back twice. */
const givesBackTwice = (books: Books, order: Order, links: ReadonlyArray<Link>, input: CancelLinks): boolean => {
  const quote = find(books.quotes, order.quoteId)
  const reversals = reversalsOf(books, order.quoteId)
  if (input.refunded === true || quote === undefined || reversals.length === 0) return false
  const cents = links.reduce((total, { netCents }) => total + netCents, 0)
  return cents > Math.max(0, leftToGiveBack(books, quote, atRiskCents(reversals)))
}

const refuseTwice = (from: string): Result.Result<never, InvalidTransition> =>
  Result.fail(
    new InvalidTransition({
      from,
      to: "cancelled",
      reason:
        "The payment was refunded or is disputed, so credit would give the money back twice. Cancel it as refunded: operator cancel … --refunded."
    })
  )

/** Where credit paid an order alone, no payment of it can have been refunded: as refunded, it would be credited in full without a word. */
const refuseRefunded = (
  books: Books,
  order: Order,
  from: string,
  { refunded }: CancelLinks
): Result.Result<void, InvalidTransition> =>
  refunded === true && find(books.quotes, order.quoteId)?.cardCents === 0
    ? Result.fail(
        new InvalidTransition({
          from,
          to: "cancelled",
          reason:
            "Credit alone paid this order, so no payment of it was refunded. Cancel it without --refunded: its price comes back as credit, and what the account owes of a refunded or disputed top-up is taken from that at once."
        })
      )
    : Result.void

const mayCancel = ({ status }: Link, { published = false }: CancelLinks): boolean =>
  canCancel(status) || (published && isOnline(status))

/** Cancelled already, and in the way that is asked for: what was credited cannot be refunded too, nor the other way round. */
const isDone = (link: Link, { refunded = false }: CancelLinks): boolean =>
  link.status === "cancelled" && isRefunded(link) === refunded

const findOrder = (books: Books, orderId: OrderId): Result.Result<Order, OrderNotFound> =>
  Result.fromNullishOr(find(books.orders, orderId), () => new OrderNotFound({ orderId }))

export const cancelLink =
  (linkId: LinkId, input: CancelLinks): Decide<Link, LinkNotFound | OrderNotFound | InvalidTransition> =>
  (books, context) =>
    Result.gen(function* () {
      const link = yield* findLink(books, linkId)
      const order = yield* findOrder(books, link.orderId)
      if (isDone(link, input)) return unchanged(link)
      if (!mayCancel(link, input)) {
        const reason = isOnline(link.status)
          ? "This link is online. If it was published by mistake or taken down, cancel it as published: operator cancel … --published."
          : isRefunded(link)
            ? "This link is cancelled already, as refunded."
            : "This link is cancelled already, and its price came back as credit."
        return yield* Result.fail(new InvalidTransition({ from: link.status, to: "cancelled", reason }))
      }
      yield* refuseRefunded(books, order, link.status, input)
      if (givesBackTwice(books, order, [link], input)) return yield* refuseTwice(link.status)
      const draft = new Draft(books, context)
      cancelOnDraft(draft, order, [link], input)
      return draft.decided(find(draft.books.links, linkId) ?? link)
    })

export const cancelOrder =
  (orderId: OrderId, input: CancelLinks): Decide<OrderWithLinks, OrderNotFound | InvalidTransition> =>
  (books, context) =>
    Result.gen(function* () {
      const order = yield* findOrder(books, orderId)
      const links = linksOf(books, order)
      const cancellable = links.filter((link) => mayCancel(link, input))
      if (links.every((link) => isDone(link, input))) return unchanged({ order, links })
      if (cancellable.length === 0) {
        const reason = "Every link of this order is online or cancelled already."
        return yield* Result.fail(new InvalidTransition({ from: orderStatus(links), to: "cancelled", reason }))
      }
      yield* refuseRefunded(books, order, orderStatus(links), input)
      if (givesBackTwice(books, order, cancellable, input)) return yield* refuseTwice(orderStatus(links))
      const draft = new Draft(books, context)
      cancelOnDraft(draft, order, cancellable, input)
      return draft.decided({ order, links: linksOf(draft.books, order) })
    })
