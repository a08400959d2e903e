// Cancels links of an order for the agent that placed it, or for an owner of its account. No work has begun on them, and the agent's order
// was not decided by a human. In one decision with the links' status, so that a link which is assigned at the same moment is either
// cancelled or worked on.
import { Result } from "effect"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import { judgeCancel, whoCanCancel } from "#core/domain/ordering/Cancelling.ts"
import {
  LinkNotOfOrder,
  LinksNotCancellable,
  OrderNotCancellable,
  OrderPaymentReversed
} from "#core/domain/ordering/CancelRefusal.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { Order, OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { OrderNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { isReversed } from "#core/domain/ordering/Reversal.ts"
import type { AccountId, KeyId, LinkId, MemberId, OrderId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { type Books, find, linksOf } from "../Books.ts"
import { type Decide, Draft, unchanged } from "../Draft.ts"
import { requireOwner } from "../members/Members.ts"
import { cancelOnDraft } from "./CancelLinks.ts"
import { reversalsOf } from "./RecordReversal.ts"

interface Asked {
  readonly orderId: OrderId
  /** All links of the order where it is `null`. */
  readonly linkIds: ReadonlyArray<LinkId> | null
  readonly render: Rendering
}

export interface CancelOwnOrder extends Asked {
  /** The credential that asks. */
  readonly keyId: KeyId
  /** Cancels those that can be cancelled and keeps the others; otherwise all of them are cancelled, or none. */
  readonly cancellableOnly?: boolean
}

export interface CancelForOwner extends Asked {
  readonly accountId: AccountId
  readonly memberId: MemberId
}

/** The order afterwards, and the links that were asked for, as they are then. */
export interface CancelReply extends OrderWithLinks {
  readonly asked: ReadonlyArray<Link>
}

/** Placed in the Shop, paid for by card, or approved. */
export const isDecidedByHuman = ({ keyId, cardCents, approvedAtMs }: Quote): boolean =>
  isWebCredential(keyId) || cardCents > 0 || approvedAtMs !== null

const checkCredential = (
  books: Books,
  order: Order,
  asked: ReadonlyArray<Link>,
  keyId: KeyId
): Result.Result<void, OrderNotCancellable> => {
  const { orderId, quoteId } = order
  const refuse = (decidedBy: OrderNotCancellable["decidedBy"]) =>
    Result.fail(new OrderNotCancellable({ orderId, decidedBy, whoCan: whoCanCancel(asked) }))
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

interface AskedOfOrder {
  readonly order: Order
  readonly asked: ReadonlyArray<Link>
}

const found = (
  books: Books,
  { orderId, linkIds }: Asked
): Result.Result<AskedOfOrder, LinkNotOfOrder | OrderNotFound> =>
  Result.gen(function* () {
    const order = yield* Result.fromNullishOr(find(books.orders, orderId), () => new OrderNotFound({ orderId }))
    return { order, asked: yield* linksAskedFor(order, linksOf(books, order), linkIds) }
  })

const refuseKept = ({ orderId }: Order, asked: ReadonlyArray<Link>): Result.Result<void, LinksNotCancellable> => {
  const links = asked.filter((link) => judgeCancel(link) === "kept").map(({ linkId, status }) => ({ linkId, status }))
  return links.length === 0 ? Result.void : Result.fail(new LinksNotCancellable({ orderId, links }))
}

const cancelOpen = (
  draft: Draft,
  { order, asked }: AskedOfOrder,
  how: { readonly reason: string; readonly actor: Actor; readonly render: Rendering }
) => {
  const open = asked.filter((link) => judgeCancel(link) === "open")
  const replyOf = (books: Books): CancelReply => {
    const links = linksOf(books, order)
    return { order, links, asked: asked.flatMap(({ linkId }) => find(books.links, linkId) ?? []) }
  }
  if (open.length === 0) return unchanged(replyOf(draft.books))
  cancelOnDraft(draft, order, open, how)
  return draft.decided(replyOf(draft.books))
}

/** A link that is cancelled already counts as cancelled. */
export const cancelOwnOrder =
  (
    input: CancelOwnOrder
  ): Decide<CancelReply, LinkNotOfOrder | LinksNotCancellable | OrderNotCancellable | OrderNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const { keyId, cancellableOnly = false, render } = input
      const of = yield* found(books, input)
      yield* checkCredential(books, of.order, of.asked, keyId)
      if (!cancellableOnly) yield* refuseKept(of.order, of.asked)
      const reason = "Cancelled by the agent that ordered it."
      return cancelOpen(new Draft(books, context), of, { reason, actor: keyId, render })
    })

export interface Cancellable {
  /** Its payment was refunded or is disputed, so that an owner cancels nothing of it. */
  readonly isReversed: boolean
  /** The links on which no work has begun. */
  readonly open: ReadonlyArray<Link>
}

/** What an owner of its account could cancel of an order now; nothing of an order that is not known. */
export const cancellableOf =
  (orderId: OrderId): Decide<Cancellable, never> =>
  (books) => {
    const order = find(books.orders, orderId)
    const links = order === undefined ? [] : linksOf(books, order)
    return Result.succeed(
      unchanged({
        isReversed: order !== undefined && isReversed(reversalsOf(books, order.quoteId)),
        open: links.filter((link) => judgeCancel(link) === "open")
      })
    )
  }

/**
 * All of the links or none, however the order was placed and paid for; not where its payment was refunded or is disputed. Its books have to
 * include the members of the account.
 */
export const cancelForOwner =
  (
    input: CancelForOwner
  ): Decide<CancelReply, LinkNotOfOrder | LinksNotCancellable | OrderNotFound | OrderPaymentReversed | OwnerOnly> =>
  (books, context) =>
    Result.gen(function* () {
      const { orderId, accountId, memberId, render } = input
      const of = yield* found(books, input)
      if (of.order.accountId !== accountId) return yield* Result.fail(new OrderNotFound({ orderId }))
      yield* requireOwner(books, accountId, { memberId })
      if (isReversed(reversalsOf(books, of.order.quoteId)))
        return yield* Result.fail(new OrderPaymentReversed({ orderId }))
      yield* refuseKept(of.order, of.asked)
      const reason = "Cancelled by an owner of the account."
      return cancelOpen(new Draft(books, context), of, { reason, actor: memberId, render })
    })
