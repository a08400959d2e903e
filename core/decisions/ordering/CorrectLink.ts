// Corrects the URL where a link is online. The link keeps its status; the correction is a further entry of its history.
import { Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import { isOnline, type Link } from "#core/domain/ordering/Link.ts"
import { InvalidTransition, type LinkNotFound, type PublishedElsewhere } from "#core/domain/ordering/OrderRefusal.ts"
import type { LinkId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { raiseUpdated } from "../webhooks/RaiseEvent.ts"
import { elsewhere, findLink, overridden } from "./MoveLink.ts"

export interface CorrectLink {
  readonly linkId: LinkId
  readonly publishedUrl: string
  readonly reason: string
  /** Also on another host than the site's. */
  readonly anyway?: boolean
  readonly actor: Actor | null
  readonly render: Rendering
}

/** Returns the link as it is afterwards. The URL that it has already changes nothing. */
export const correctLink =
  (input: CorrectLink): Decide<Link, LinkNotFound | InvalidTransition | PublishedElsewhere> =>
  (books, context) =>
    Result.gen(function* () {
      const { linkId, publishedUrl, reason, actor, render } = input
      const link = yield* findLink(books, linkId)
      const { status } = link
      if (!isOnline(status)) {
        const why = "Only a link that is online has a URL to correct."
        return yield* Result.fail(new InvalidTransition({ from: status, to: status, reason: why }))
      }
      const wrong = elsewhere(link, input)
      if (wrong !== undefined) return yield* Result.fail(wrong)
      if (link.publishedUrl === publishedUrl) return unchanged(link)
      const draft = new Draft(books, context)
      const move = { linkId, to: status, atMs: context.nowMs, reason, publishedUrl }
      draft.record({ _tag: "LinkMoved", move })
      const details = { from_url: link.publishedUrl, to_url: publishedUrl, reason, ...overridden(link, input) }
      audit(draft, actor, { action: "link.correct", subject: linkId, accountId: link.accountId, details })
      const order = find(books.orders, link.orderId)
      if (order !== undefined) raiseUpdated(draft, render, order)
      return draft.decided(find(draft.books.links, linkId) ?? link)
    })
