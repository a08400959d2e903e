// Events, read from the books in memory: those that were raised, and those that follow from an order without having been.
import { HashMap } from "effect"
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import { MAX_COUNTED } from "#core/domain/access/ListScope.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import type { Event } from "#core/domain/webhooks/Event.ts"
import { eventIdOfNew } from "#core/domain/webhooks/EventIds.ts"
import { type EventConditions, Events, type ListedEvent } from "#core/ports/webhooks/Events.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page, rowsWhere } from "../../books/Rows.ts"

const sourceOf = (books: Books, order: Order) => {
  const quote = find(books.quotes, order.quoteId)
  return quote === undefined ? undefined : { order, quote, links: linksOf(books, order) }
}

const stored = (books: Books, { eventId, type, atMs, body, orderId, facts }: Event): ReadonlyArray<ListedEvent> => {
  if (body !== null) return [{ eventId, type, atMs, content: { body } }]
  const order = find(books.orders, orderId)
  const source = order === undefined ? undefined : sourceOf(books, order)
  return source === undefined || facts === undefined ? [] : [{ eventId, type, atMs, content: { ...source, facts } }]
}

const ofNewOrders = ["order.accepted", "quote.paid"] as const

export const layer = overBooks(Events, ({ current }) => {
  const matching = (keyIds: ReadonlyArray<KeyId>, conditions: EventConditions): ReadonlyArray<ListedEvent> => {
    const { type, orderId, quoteId, fromMs } = conditions
    const books = current()
    const raised = HashMap.toValues(books.events)
    const known = new Set(raised.map((event) => `${event.type} ${event.orderId ?? event.quoteId}`))
    const isOfOrder = (order: string | null, quote: string | null) =>
      (orderId === undefined || order === orderId) && (quoteId === undefined || quote === quoteId)
    const derived = rowsWhere(books.orders, ({ keyId }) => keyIds.includes(keyId)).flatMap((order) =>
      ofNewOrders.flatMap((one) => {
        const [ofOrder, ofQuote] = one === "quote.paid" ? [null, order.quoteId] : [order.orderId, null]
        const source = sourceOf(books, order)
        if (source === undefined || known.has(`${one} ${ofOrder ?? ofQuote}`) || !isOfOrder(ofOrder, ofQuote)) return []
        const eventId = eventIdOfNew(one, order.mode, order.orderId)
        return [{ eventId, type: one, atMs: order.createdAtMs, content: { ...source, facts: null } }]
      })
    )
    return [
      ...raised
        .filter((event) => keyIds.includes(event.keyId) && isOfOrder(event.orderId, event.quoteId))
        .flatMap((event) => stored(books, event)),
      ...derived
    ].filter((event) => event.atMs >= fromMs && (type === undefined || event.type === type))
  }

  return {
    listed: ({ shown, leftOut, limit, beforeId, ...conditions }) => {
      const listing = {
        by: ({ eventId }: ListedEvent) => [eventId],
        isDescending: true,
        after: afterId(beforeId),
        limit
      }
      const { rows, next } = page(matching(shown, conditions), listing)
      const others = leftOut.length === 0 ? 0 : matching(leftOut, conditions).length
      return { events: rows, nextBeforeId: next?.eventId ?? null, leftOutCount: Math.min(others, MAX_COUNTED) }
    }
  }
})
