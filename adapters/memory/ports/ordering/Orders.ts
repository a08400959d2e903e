// Orders and their links, read from the books in memory. Each key has an index for each order status, so that a filtered list
// has an exact total without a scan.
import { Effect, HashMap, Iterable, Layer } from "effect"
import { find, linksOf, pick } from "#core/decisions/Books.ts"
import { meetsConditions, type OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { OrderId } from "#core/domain/shared/Ids.ts"
import { EXAMINED_ORDERS, Orders } from "#core/ports/ordering/Orders.ts"
import { idsIn } from "../../books/Indexes.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { mergedDescending } from "../../books/MergedEntries.ts"
import { page, unscored } from "../../books/Paging.ts"

export const layer: Layer.Layer<Orders, never, MemoryBooks> = Layer.effect(
  Orders,
  Effect.gen(function* () {
    const { current, indexes } = yield* MemoryBooks

    const withLinks = (orderId: OrderId): OrderWithLinks | undefined => {
      const order = find(current().orders, orderId)
      return order === undefined ? undefined : { order, links: linksOf(current(), order) }
    }

    return Orders.of({
      byId: (orderId) => Effect.sync(() => withLinks(orderId) ?? null),
      ofKey: ({ keyId, status, conditions = {}, limit, beforeId }) =>
        Effect.sync(() => {
          const all = indexes.get(indexKeys.ordersOf(keyId, status))
          const isNarrowed = Object.keys(conditions).length > 0
          const matching = (orderId: OrderId): OrderWithLinks | undefined => {
            const found = withLinks(orderId)
            return found !== undefined && meetsConditions(found, conditions) ? found : undefined
          }
          const { rows: orders, nextId: nextBeforeId } = page(all.before(unscored(beforeId)), limit, matching)
          const total = isNarrowed ? page(all.before(null), Number.POSITIVE_INFINITY, matching).rows.length : all.size
          return { orders, total, nextBeforeId }
        }),
      ofKeys: ({ keyIds, statuses, conditions = {}, examine = EXAMINED_ORDERS, limit, beforeId }) =>
        Effect.sync(() => {
          const lists = keyIds.flatMap((keyId) =>
            statuses.map((status) => indexes.get(indexKeys.ordersOf(keyId, status)).before(unscored(beforeId)))
          )
          const newest = mergedDescending(lists)
          const isNarrowed = Object.keys(conditions).length > 0
          const examined = isNarrowed ? Array.from(Iterable.take(newest, examine)) : []
          const { rows: orders, nextId } = page(isNarrowed ? examined : newest, limit, (orderId) => {
            const found = withLinks(orderId)
            return found !== undefined && meetsConditions(found, conditions) ? found : undefined
          })
          const last = examined.length === examine ? examined.at(-1) : undefined
          const lastOrder = last && find(current().orders, last.id)
          return nextId !== null || lastOrder === undefined
            ? { orders, nextBeforeId: nextId, examinedToMs: null }
            : { orders, nextBeforeId: lastOrder.orderId, examinedToMs: lastOrder.createdAtMs }
        }),
      reversalsOf: (quoteId) =>
        Effect.sync(() =>
          Array.from(HashMap.values(pick(current().reversals, idsIn(indexes, indexKeys.reversalsOf(quoteId))))).sort(
            (a, b) => a.atMs - b.atMs || (a.reversalId < b.reversalId ? -1 : 1)
          )
        ),
      queue: ({ limit, afterId }) =>
        Effect.sync(() => {
          const oldestFirst = indexes.get(indexKeys.queue).after(unscored(afterId))
          return page(oldestFirst, limit, (linkId) => find(current().links, linkId)).rows
        })
    })
  })
)
