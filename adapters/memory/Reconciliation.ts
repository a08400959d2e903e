// Proves the books in memory, one law after the other. Books never change, so what is looked through is of one moment.
import { Clock, Effect, HashMap, Layer } from "effect"
import { Invariant, type Violation } from "#core/domain/Invariant.ts"
import { Reconciliation } from "#core/ports/Reconciliation.ts"
import { MemoryBooks } from "./books/MemoryBooks.ts"
import type { Breach, Watch } from "./laws/Breaches.ts"
import { eventLaws } from "./laws/EventLaws.ts"
import { offerLaws } from "./laws/OfferLaws.ts"
import { orderLaws } from "./laws/OrderLaws.ts"
import { walletLaws } from "./laws/WalletLaws.ts"

const watches: Readonly<Record<Invariant, Watch>> = { ...walletLaws, ...orderLaws, ...offerLaws, ...eventLaws }

const inOrder = (a: Breach, b: Breach): number =>
  a.subject === b.subject ? (a.message < b.message ? -1 : 1) : a.subject < b.subject ? -1 : 1

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
        const violations = Invariant.literals.flatMap((invariant): ReadonlyArray<Violation> => {
          const breaches = [...watches[invariant](books, nowMs)].sort(inOrder).slice(0, limitPerInvariant)
          return breaches.map((breach) => ({ invariant, ...breach }))
        })
        return { checked, violations }
      })
    })
  })
)
