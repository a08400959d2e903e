// Proves the books in memory, one law after the other. Books never change, so what is looked through is of one moment.
import { Clock, Effect, HashMap, Layer } from "effect"
import { type Finding, Law } from "#core/domain/Finding.ts"
import { Reconciliation } from "#core/ports/Reconciliation.ts"
import type { Breach, Watch } from "./laws/Breaches.ts"
import { eventLaws } from "./laws/EventLaws.ts"
import { offerLaws } from "./laws/OfferLaws.ts"
import { orderLaws } from "./laws/OrderLaws.ts"
import { walletLaws } from "./laws/WalletLaws.ts"
import { MemoryBooks } from "./MemoryBooks.ts"

const watches: Readonly<Record<Law, Watch>> = { ...walletLaws, ...orderLaws, ...offerLaws, ...eventLaws }

const inOrder = (a: Breach, b: Breach): number =>
  a.subject === b.subject ? (a.message < b.message ? -1 : 1) : a.subject < b.subject ? -1 : 1

export const layer: Layer.Layer<Reconciliation, never, MemoryBooks> = Layer.effect(
  Reconciliation,
  Effect.gen(function* () {
    const { current } = yield* MemoryBooks

    return Reconciliation.of({
      prove: Effect.fnUntraced(function* (mostOfEach) {
        const nowMs = yield* Clock.currentTimeMillis
        const books = current()
        const { accounts, ledger, quotes, orders, links, events, deliveries } = books
        const looked = {
          accounts: HashMap.size(accounts),
          ledgerEntries: HashMap.size(ledger),
          quotes: HashMap.size(quotes),
          orders: HashMap.size(orders),
          links: HashMap.size(links),
          events: HashMap.size(events),
          deliveries: HashMap.size(deliveries)
        }
        const findings = Law.literals.flatMap((law): ReadonlyArray<Finding> => {
          const breaches = [...watches[law](books, nowMs)].sort(inOrder).slice(0, mostOfEach)
          return breaches.map((breach) => ({ law, ...breach }))
        })
        return { looked, findings }
      })
    })
  })
)
