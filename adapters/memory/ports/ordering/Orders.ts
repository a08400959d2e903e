// Orders and their links, read from the books in memory.
import { find, linksOf } from "#core/decisions/Books.ts"
import { MAX_COUNTED } from "#core/domain/access/ListScope.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import { isOverdue } from "#core/domain/ordering/DueDate.ts"
import { canCancel, type Link } from "#core/domain/ordering/Link.ts"
import {
  meetsConditions,
  type Order,
  type OrderConditions,
  type OrderStatus,
  type OrderWithLinks,
  orderStatus,
  totalsOf
} from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { EXAMINED_ORDERS, Orders } from "#core/ports/ordering/Orders.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page, rowsWhere, sorted } from "../../books/Rows.ts"

const newestFirst = { by: ({ order }: OrderWithLinks) => [order.orderId], isDescending: true }

export const layer = overBooks(Orders, ({ current }) => {
  const withLinks = (order: Order): OrderWithLinks => ({ order, links: linksOf(current(), order) })

  /** The orders of keys with one of these statuses; `null`: with any. */
  const ordersOf = (keyIds: ReadonlyArray<KeyId>, statuses: ReadonlyArray<OrderStatus> | null) =>
    rowsWhere(current().orders, ({ keyId }) => keyIds.includes(keyId))
      .map(withLinks)
      .filter(({ links }) => statuses === null || statuses.includes(orderStatus(links)))

  const meeting = (orders: ReadonlyArray<OrderWithLinks>, conditions: OrderConditions) =>
    orders.filter((found) => meetsConditions(found, conditions))

  /** Whether a top-up that was refunded or disputed since had been booked when credit paid this link. */
  const reversedBefore = ({ accountId }: Link, { quoteId }: Quote): boolean => {
    const { topUps, ledger } = current()
    const paidAt = rowsWhere(ledger, (one) => one.kind === "capture" && one.quoteId === quoteId)[0]?.entryId ?? ""
    const reversed = rowsWhere(topUps, (one) => one.accountId === accountId && (one.reversedCents ?? 0) > 0)
    return rowsWhere(ledger, (one) => one.kind === "top_up" && one.accountId === accountId).some(
      ({ entryId, reference }) => entryId < paidAt && reversed.some(({ paymentId }) => paymentId === reference)
    )
  }

  return {
    byId: (orderId) => {
      const order = find(current().orders, orderId)
      return order === undefined ? null : withLinks(order)
    },
    byIds: (orderIds) => rowsWhere(current().orders, ({ orderId }) => orderIds.includes(orderId)).map(withLinks),
    linksNamed: (linkIds) => linkIds.flatMap((linkId) => find(current().links, linkId) ?? []),
    listed: ({ shown, leftOut, status, conditions = {}, limit, beforeId }) => {
      const matching = (keyIds: ReadonlyArray<KeyId>) =>
        meeting(ordersOf(keyIds, status === null ? null : [status]), conditions)
      const all = matching(shown)
      const { rows: orders, next } = page(all, { ...newestFirst, after: afterId(beforeId), limit })
      const leftOutCount = Math.min(matching(leftOut).length, MAX_COUNTED)
      const totals = beforeId === null ? { totals: all.length > MAX_COUNTED ? null : totalsOf(all) } : {}
      return { orders, total: all.length, leftOutCount, ...totals, nextBeforeId: next?.order.orderId ?? null }
    },
    ofKeys: ({ keyIds, statuses, conditions = {}, examine = EXAMINED_ORDERS, limit, beforeId }) => {
      const examined = page(ordersOf(keyIds, statuses), {
        ...newestFirst,
        after: afterId(beforeId),
        limit: Object.keys(conditions).length > 0 ? examine : Number.POSITIVE_INFINITY
      })
      const { rows: orders, next } = page(meeting(examined.rows, conditions), { ...newestFirst, limit })
      const isCut = next === null && examined.rows.length === examine
      const last = isCut && Object.keys(conditions).length > 0 ? examined.rows.at(-1)?.order : undefined
      return last === undefined
        ? { orders, nextBeforeId: next?.order.orderId ?? null, examinedToMs: null }
        : { orders, nextBeforeId: last.orderId, examinedToMs: last.createdAtMs }
    },
    reversalsOf: (quoteId) =>
      sorted(
        rowsWhere(current().reversals, (one) => one.quoteId === quoteId),
        { by: ({ atMs, reversalId }) => [atMs, reversalId] }
      ),
    atRisk: (linkIds) => {
      const { links, quotes, accounts } = current()
      return linkIds.filter((linkId) => {
        const link = find(links, linkId)
        const quote = link && find(quotes, link.quoteId)
        if (link === undefined || quote === undefined || quote.creditCents === 0 || link.mode !== "live") return false
        const owes = owedCentsOf(find(accounts, link.accountId) ?? {}) > 0
        return owes && canCancel(link.status) && reversedBefore(link, quote)
      })
    },
    queue: ({ limit, afterId: lastId, overdueAtMs }) => {
      const toWorkOn = rowsWhere(
        current().links,
        (link) =>
          link.mode === "live" && canCancel(link.status) && (overdueAtMs === undefined || isOverdue(link, overdueAtMs))
      )
      return sorted(toWorkOn, { by: ({ linkId }) => [linkId], after: afterId(lastId), limit })
    }
  }
})
