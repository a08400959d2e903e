// Reads orders and their links from the books. Each key's orders stand in one drawer for each status, so that a filtered list
// has an exact total without looking at the rest.
import { Effect, Layer } from "effect"
import { find, linksOf } from "#core/decisions/Books.ts"
import { type OrderAndLinks, Orders } from "#core/ports/Orders.ts"
import { drawers } from "./Drawers.ts"
import { MemoryBooks } from "./MemoryBooks.ts"
import { cut, placeOf } from "./Paging.ts"

export const layer: Layer.Layer<Orders, never, MemoryBooks> = Layer.effect(
  Orders,
  Effect.gen(function* () {
    const { current, index } = yield* MemoryBooks

    const orderAndLinks = (orderId: string): OrderAndLinks | undefined => {
      const order = find(current().orders, orderId)
      return order === undefined ? undefined : { order, links: linksOf(current(), order) }
    }

    return Orders.of({
      byId: (orderId) => Effect.sync(() => orderAndLinks(orderId) ?? null),
      ofKey: ({ keyId, status, limit, beforeId }) =>
        Effect.sync(() => {
          const drawer = index.drawer(drawers.ordersOf(keyId, status))
          const { rows: orders, more } = cut(drawer.before(placeOf(beforeId)), limit, ({ id }) => orderAndLinks(id))
          return { orders, total: drawer.size, nextBeforeId: more ? (orders.at(-1)?.order.orderId ?? null) : null }
        }),
      queue: ({ limit, afterId }) =>
        Effect.sync(
          () =>
            cut(index.drawer(drawers.queue).after(placeOf(afterId)), limit, ({ id }) => find(current().links, id)).rows
        )
    })
  })
)
