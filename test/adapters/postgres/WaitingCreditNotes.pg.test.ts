// The credit note of a link whose order waits for its invoice is not passed over, however long the order waits.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { terms } from "#test/core/InvoiceGiven.ts"
import { issueAllDue } from "#test/core/ports/invoicing/InvoiceSteps.ts"
import { cancelLinkById, pay } from "#test/core/ports/ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order, topUpAccount } from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { MovableClock, layer as movableClock } from "#test/scenarios/MovableClock.ts"
import { databaseInTime } from "./DatabaseClock.ts"

const store = Layer.unwrap(Effect.map(databaseInTime, (url) => PostgresStore.layer({ url }))).pipe(
  Layer.provideMerge(movableClock),
  Layer.merge(UniqueNumbers.layer)
)

const cases = [
  { source: "ledger", credit: 50_000 },
  { source: "refunds", credit: 0 }
] as const

it.live.each(cases)(
  "a credit note from $source is issued after an invoice that came minutes late",
  ({ source, credit }) =>
    Effect.gen(function* () {
      const invoices = yield* Invoices
      yield* invoices.noteSeller(terms())
      const ada = yield* buyer(credit)
      yield* issueAllDue()
      const { quote } = yield* order(ada.caller, { items: linksOn(yield* listSite(), yield* listSite()) })
      if (quote.orderId === null) yield* pay(quote)
      const placed = yield* (yield* Orders).listed({
        shown: [ada.caller.keyId],
        leftOut: [],
        status: null,
        limit: 1,
        beforeId: null
      })
      yield* cancelLinkById(placed.orders[0]?.links[0]?.linkId ?? LinkId.make(""), { refunded: source === "refunds" })
      for (const _ of [1, 2]) yield* topUpAccount(ada.account.accountId, 1_000)
      yield* (yield* MovableClock).advance("2 minutes")
      // A pass, a document at a time: the order gets its invoice between two steps of the source.
      const step = { terms: terms(), limit: 1 }
      const first = yield* invoices.issue({ ...step, source, after: null })
      const ordered = yield* invoices.issue({ ...step, source: "orders", after: null })
      const second = yield* invoices.issue({ ...step, source, after: first.next })
      const early = [first, ordered, second].flatMap(({ issued }) => issued)
      const kinds = [...early, ...(yield* issueAllDue())].map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind !== "receipt")).toEqual(["invoice", "credit_note"])
    }).pipe(Effect.provide(store))
)
