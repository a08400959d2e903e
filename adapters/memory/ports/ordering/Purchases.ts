// What credentials have bought, read from the books in memory.
import { find, linksOf } from "#core/decisions/Books.ts"
import { MAX_COUNTED } from "#core/domain/access/ListScope.ts"
import { orderedAtMs } from "#core/domain/ordering/DueDate.ts"
import { linkCreditedCents } from "#core/domain/ordering/Link.ts"
import { isListed, linkProgress, placeIn } from "#core/domain/ordering/LinkLists.ts"
import { linkMeets, type OrderedLink, orderStatus } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import { sum } from "#core/domain/pricing/Money.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { type ListedQuote, Purchases } from "#core/ports/ordering/Purchases.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page, rowsWhere, type SortKey } from "../../books/Rows.ts"

/** Orders descend, and the links of each ascend. */
const position = ({ order, link }: OrderedLink): SortKey => [order.orderId, -link.index]

const totalsOf = (all: ReadonlyArray<OrderedLink>) => ({
  count: all.length,
  totalCents: sum(all.map(({ link }) => link.netCents)),
  creditedCents: sum(all.map(({ link }) => linkCreditedCents(link)))
})

export const layer = overBooks(Purchases, ({ current }) => {
  const listed = (quote: Quote): ListedQuote => {
    const order = find(current().orders, quote.orderId)
    return { quote, orderStatus: order === undefined ? null : orderStatus(linksOf(current(), order)) }
  }

  const linksOfKeys = (keyIds: ReadonlyArray<KeyId>) =>
    rowsWhere(current().orders, ({ keyId }) => keyIds.includes(keyId)).flatMap((order) =>
      linksOf(current(), order).map((link) => ({ order, link }))
    )

  return {
    quotes: ({ shown, leftOut, statuses, limit, beforeId }) => {
      const ofKeys = (keyIds: ReadonlyArray<KeyId>) =>
        rowsWhere(current().quotes, (one) => keyIds.includes(one.keyId) && statuses.includes(one.status))
      const { rows, next } = page(ofKeys(shown), {
        by: ({ quoteId }) => [quoteId],
        isDescending: true,
        after: afterId(beforeId),
        limit
      })
      return {
        quotes: rows.map(listed),
        leftOutCount: Math.min(ofKeys(leftOut).length, MAX_COUNTED),
        nextBeforeId: next?.quoteId ?? null
      }
    },
    links: ({ shown, leftOut, conditions, asOfMs, limit, after }) => {
      const matching = (keyIds: ReadonlyArray<KeyId>) =>
        linksOfKeys(keyIds).filter((one) => linkMeets(one, conditions, asOfMs))
      const all = matching(shown)
      const { rows, next } = page(all, {
        by: position,
        isDescending: true,
        after: after === null ? null : [after.orderId, -after.index],
        limit
      })
      return {
        links: rows,
        leftOutCount: Math.min(matching(leftOut).length, MAX_COUNTED),
        ...(after === null ? { totals: all.length <= MAX_COUNTED ? totalsOf(all) : null } : {}),
        next: next === null ? null : { orderId: next.order.orderId, index: next.link.index }
      }
    },
    progress: ({ keyIds, asOfMs }) =>
      linkProgress(
        linksOfKeys(keyIds).map(({ link }) => link),
        asOfMs
      ),
    inList: ({ keyIds, asOfMs, list, limit, after }) => {
      const { rows, next } = page(
        linksOfKeys(keyIds).filter(({ link }) => isListed(link, list, asOfMs)),
        {
          by: ({ link }) => [placeIn(link, list), link.linkId],
          after: after === null ? null : [after.at, after.linkId],
          limit
        }
      )
      return { links: rows, next: next === null ? null : { at: placeIn(next.link, list), linkId: next.link.linkId } }
    },
    orderedOn: ({ accountId, siteIds, hosts, sinceMs }) =>
      rowsWhere(
        current().links,
        (link) =>
          link.accountId === accountId &&
          link.mode === "live" &&
          link.status !== "cancelled" &&
          siteIds.includes(link.siteId) &&
          hosts.includes(targetHost(link)) &&
          orderedAtMs(link) >= sinceMs
      ).map((link) => ({
        siteId: link.siteId,
        targetUrl: link.targetUrl,
        anchorText: link.anchorText,
        orderId: link.orderId,
        orderedAtMs: orderedAtMs(link)
      }))
  }
})
