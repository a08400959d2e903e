// How far documents were handed over, in memory.
import { Effect, Iterable, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import { HandOvers } from "#core/ports/invoicing/HandOvers.ts"
import type { InvoicePosition } from "#core/ports/invoicing/Invoices.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

const isLater = (a: InvoicePosition, b: InvoicePosition | null): boolean =>
  b === null || a.issuedAtMs > b.issuedAtMs || (a.issuedAtMs === b.issuedAtMs && a.invoiceId > b.invoiceId)

export const layer: Layer.Layer<HandOvers, never, MemoryBooks> = Layer.effect(
  HandOvers,
  Effect.map(MemoryBooks, ({ current, indexes }) => {
    let position: InvoicePosition | null = null
    let leasedUntilMs = 0

    return HandOvers.of({
      claim: ({ nowMs, leaseMs, limit }) =>
        Effect.sync(() => {
          if (nowMs < leasedUntilMs) return []
          const place = position === null ? null : { score: position.issuedAtMs, id: position.invoiceId }
          // More documents may still get the time of this millisecond.
          const settled = Iterable.takeWhile(indexes.get(indexKeys.invoices).after(place), ({ score }) => score < nowMs)
          const next = Iterable.flatMap(settled, ({ id }) => {
            const found = find(current().invoices, id)
            return found === undefined ? [] : [found]
          })
          const claimed = Array.from(Iterable.take(next, limit))
          if (claimed.length > 0) leasedUntilMs = nowMs + leaseMs
          return claimed
        }),
      record: (last) =>
        Effect.sync(() => {
          leasedUntilMs = 0
          if (last !== null && isLater(last, position)) position = last
        })
    })
  })
)
