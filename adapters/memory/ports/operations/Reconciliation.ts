// Reconciles the books in memory. Books are immutable, so that all checks see the same state.
import { Clock, Effect, HashMap, Layer } from "effect"
import { violationsOf } from "#core/decisions/Invariants.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

export const layer: Layer.Layer<Reconciliation, never, MemoryBooks> = Layer.effect(
  Reconciliation,
  Effect.gen(function* () {
    const { current } = yield* MemoryBooks

    return Reconciliation.of({
      reconcile: Effect.fnUntraced(function* (limitPerInvariant) {
        const nowMs = yield* Clock.currentTimeMillis
        const books = current()
        const { accounts, ledger, quotes, orders, links, events, deliveries } = books
        const checked = {
          accounts: HashMap.size(accounts),
          ledgerEntries: HashMap.size(ledger),
          quotes: HashMap.size(quotes),
          orders: HashMap.size(orders),
          links: HashMap.size(links),
          events: HashMap.size(events),
          deliveries: HashMap.size(deliveries)
        }
        return { checked, violations: violationsOf(books, nowMs, limitPerInvariant) }
      })
    })
  })
)
