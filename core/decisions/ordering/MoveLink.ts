// Moves a link to a later stage, and raises `order.published` when it goes online, `order.updated` in any case.
import { Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import { LinkTextChanged } from "#core/domain/ordering/ChangeRefusal.ts"
import { canMove, isOnline, isOnSite, type Link, type Stage, stagesPassed } from "#core/domain/ordering/Link.ts"
import { hasUnseenText, textRevision } from "#core/domain/ordering/LinkChange.ts"
import { InvalidTransition, LinkNotFound, PublishedElsewhere } from "#core/domain/ordering/OrderRefusal.ts"
import { blockingDispute } from "#core/domain/ordering/Reversal.ts"
import type { LinkId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { type Books, find, linksOf } from "../Books.ts"
import { audit, type Decide, Draft } from "../Draft.ts"
import { raiseEvent, raiseUpdated } from "../webhooks/RaiseEvent.ts"
import { reversalsOf } from "./RecordReversal.ts"

export interface MoveLink {
  readonly linkId: LinkId
  readonly to: Stage
  /** Where the link is online. Required by the move that publishes the link, refused by any other. */
  readonly publishedUrl: string | null
  /** Also on another host than the site's. */
  readonly anyway?: boolean
  /** The revision of the link's text that the operator has seen. */
  readonly revision?: number
  readonly reason: string | null
  readonly actor: Actor | null
  /** The `idPrefix` of a call under an idempotency key. */
  readonly call?: string
  readonly render: Rendering
}

interface Publication {
  readonly publishedUrl: string | null
  readonly anyway?: boolean
}

export const elsewhere = (
  link: Link,
  { publishedUrl: url, anyway = false }: Publication
): PublishedElsewhere | undefined =>
  url === null || anyway || isOnSite(link, url) ? undefined : new PublishedElsewhere({ url, domain: link.domain })

/** For the audit: the override, where it was needed. */
export const overridden = (link: Link, { publishedUrl }: Publication): { readonly anyway?: true } =>
  publishedUrl === null || isOnSite(link, publishedUrl) ? {} : { anyway: true }

const refusalOf = (link: Link, { to, publishedUrl }: MoveLink): InvalidTransition | undefined => {
  const refuse = (reason: string) => new InvalidTransition({ from: link.status, to, reason })
  if (!canMove(link.status, to)) return refuse("A link only moves forward, and a cancelled one not at all.")
  const publishes = stagesPassed(link.status, to).includes("published")
  if (publishes && publishedUrl === null) return refuse("Publishing needs the URL where the link is online.")
  if (!publishes && publishedUrl !== null) return refuse("A published URL belongs to the move that publishes.")
  return undefined
}

export const textChangedOf = (link: Link): LinkTextChanged => {
  const { linkId, targetUrl, anchorText, anchorType, brief } = link
  return new LinkTextChanged({ linkId, revision: textRevision(link), targetUrl, anchorText, anchorType, brief })
}

/**
 * The operator writes for the text that the link has: what was written before a change is not moved on by somebody who has not seen it. The
 * answer to an assignment shows the text before anything is written, so that it needs no revision.
 */
const unseenText = (link: Link, { to, revision: seen }: MoveLink): LinkTextChanged | undefined => {
  const isSeen = seen === undefined ? to === "assigned" || !hasUnseenText(link) : seen === textRevision(link)
  return isSeen ? undefined : textChangedOf(link)
}

const raisePublished = (draft: Draft, linkId: LinkId, render: Rendering): void => {
  const link = find(draft.books.links, linkId)
  const order = link === undefined ? undefined : find(draft.books.orders, link.orderId)
  const quote = order === undefined ? undefined : find(draft.books.quotes, order.quoteId)
  if (link === undefined || order === undefined || quote === undefined) return
  raiseEvent(draft, render, "order.published", { order, quote, links: linksOf(draft.books, order), link })
}

export const moveOnDraft = (draft: Draft, link: Link, input: MoveLink): Result.Result<void, InvalidTransition> => {
  const wrong = refusalOf(link, input)
  if (wrong !== undefined) return Result.fail(wrong)
  const { linkId, reason, publishedUrl, call } = input
  const by = call === undefined ? {} : { call }
  for (const to of stagesPassed(link.status, input.to)) {
    const url = to === "published" ? publishedUrl : null
    const move = { linkId, to, atMs: draft.context.nowMs, reason, publishedUrl: url, ...by }
    draft.record({ _tag: "LinkMoved", move })
    if (to === "published") raisePublished(draft, linkId, input.render)
  }
  const details = { from: link.status, to: input.to, published_url: publishedUrl, reason, ...overridden(link, input) }
  audit(draft, input.actor, { action: "link.move", subject: linkId, accountId: link.accountId, details })
  return Result.void
}

export const findLink = (books: Books, linkId: LinkId): Result.Result<Link, LinkNotFound> =>
  Result.fromNullishOr(find(books.links, linkId), () => new LinkNotFound({ linkId }))

/** Returns the link as it is afterwards. */
export const moveLink =
  (input: MoveLink): Decide<Link, LinkNotFound | InvalidTransition | LinkTextChanged | PublishedElsewhere> =>
  (books, context) =>
    Result.gen(function* () {
      const link = yield* findLink(books, input.linkId)
      const dispute = blockingDispute(reversalsOf(books, link.quoteId))
      if (dispute !== undefined && !isOnline(link.status)) {
        const reason = `Dispute ${dispute.reversalId} of the payment blocks unpublished links of this order until it is won.`
        return yield* Result.fail(new InvalidTransition({ from: link.status, to: input.to, reason }))
      }
      const unseen = canMove(link.status, input.to) ? unseenText(link, input) : undefined
      if (unseen !== undefined) return yield* Result.fail(unseen)
      const wrong = elsewhere(link, input)
      if (wrong !== undefined) return yield* Result.fail(wrong)
      const draft = new Draft(books, context)
      yield* moveOnDraft(draft, link, input)
      const order = find(books.orders, link.orderId)
      if (order !== undefined) raiseUpdated(draft, input.render, order)
      return draft.decided(find(draft.books.links, link.linkId) ?? link)
    })
