// Finds quotes in the books by what is known of them: token, idempotency key, items, or that it is time to see to them.
import { Effect, Layer } from "effect"
import { bindingId, find } from "#core/decisions/Books.ts"
import type { Quote } from "#core/domain/Quote.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/Warning.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { drawers } from "./Drawers.ts"
import { MemoryBooks } from "./MemoryBooks.ts"
import { cut } from "./Paging.ts"
import type { Entry } from "./Sorted.ts"

export const layer: Layer.Layer<Quotes, never, MemoryBooks> = Layer.effect(
  Quotes,
  Effect.gen(function* () {
    const { current, index } = yield* MemoryBooks
    const quote = (quoteId: string | undefined): Quote | null =>
      quoteId === undefined ? null : (find(current().quotes, quoteId) ?? null)

    /** The ids at the head of a drawer, or from a place in it on, as long as their rank is one that is asked for. */
    const head = (drawer: string, limit: number, place: Entry | null, isAsked: (rank: number) => boolean) =>
      cut(index.drawer(drawer).after(place), limit, (entry) => entry)
        .rows.filter(({ rank }) => isAsked(rank))
        .map(({ id }) => id)

    return Quotes.of({
      byId: (quoteId) => Effect.sync(() => quote(quoteId)),
      byPaymentToken: (token) => Effect.sync(() => quote(index.drawer(drawers.quoteWithToken(token)).first()?.id)),
      byIdempotencyKey: (keyId, idempotencyKey) =>
        Effect.sync(() => quote(find(current().bindings, bindingId(keyId, idempotencyKey))?.quoteId)),
      due: ({ nowMs, limit, accountId, after = null }) =>
        Effect.sync(() => {
          const drawer = accountId === undefined ? drawers.due : drawers.dueOf(accountId)
          const last = quote(after ?? undefined)
          const place = last && { rank: last.expiresAtMs, id: last.quoteId }
          return head(drawer, limit, place, (expiresAtMs) => expiresAtMs <= nowMs)
        }),
      withoutSession: ({ beforeMs, limit, after = null }) =>
        Effect.sync(() => {
          const last = quote(after ?? undefined)
          const place = last && { rank: last.createdAtMs, id: last.quoteId }
          return head(drawers.withoutSession, limit, place, (createdAtMs) => createdAtMs < beforeMs)
        }),
      lookAlike: ({ keyId, itemsDigest, nowMs }) =>
        Effect.sync(() => {
          const newest = index.drawer(drawers.lookAlikes(keyId, itemsDigest)).last()
          return newest !== undefined && newest.rank >= nowMs - SIMILAR_ORDER_WINDOW_MS ? newest.id : null
        })
    })
  })
)
