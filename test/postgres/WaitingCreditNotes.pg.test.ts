// The credit note of a link whose order waits for its invoice is not passed over, however long the order waits.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import * as PostgresStore from "#adapters/postgres/PostgresStore.ts"
import { Invoices } from "#core/ports/Invoices.ts"
import { terms } from "#test/core/InvoiceGiven.ts"
import { issueAllDue, orderOfLinks } from "#test/ports/InvoiceSteps.ts"
import { cancelLinkById } from "#test/ports/OrderSteps.ts"
import { buyer, topUpAccount } from "#test/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { MovableClock, layer as movableClock } from "#test/scenarios/MovableClock.ts"
import { databaseInTime } from "./DatabaseClock.ts"

const store = Layer.unwrap(Effect.map(databaseInTime, (url) => PostgresStore.layer({ url }))).pipe(
  Layer.provideMerge(movableClock),
  Layer.merge(UniqueNumbers.layer)
)

it.live("a credit note is issued after an invoice that came minutes late", () =>
  Effect.gen(function* () {
    const invoices = yield* Invoices
    yield* invoices.noteSeller(terms())
    const ada = yield* buyer(50_000)
    yield* issueAllDue()
    const { linkIds } = yield* orderOfLinks(ada, 2)
    yield* cancelLinkById(linkIds[0] ?? "")
    for (const _ of [1, 2]) yield* topUpAccount(ada.account.accountId, 1_000)
    yield* (yield* MovableClock).advance("2 minutes")
    // A pass, a document at a time: the order gets its invoice between two steps of the ledger.
    const step = { terms: terms(), limit: 1 }
    const first = yield* invoices.issue({ ...step, source: "ledger", after: null })
    const ordered = yield* invoices.issue({ ...step, source: "orders", after: null })
    const second = yield* invoices.issue({ ...step, source: "ledger", after: first.next })
    const early = [first, ordered, second].flatMap(({ issued }) => issued)
    const kinds = [...early, ...(yield* issueAllDue())].map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind !== "receipt")).toEqual(["invoice", "credit_note"])
  }).pipe(Effect.provide(store))
)
