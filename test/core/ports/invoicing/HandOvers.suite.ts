// What every store promises of HandOvers: documents come in the order of issue, to one caller at a time, and again until they are recorded.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { HandOvers } from "#core/ports/invoicing/HandOvers.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { terms } from "#test/core/InvoiceGiven.ts"
import { outboxPromises } from "../OutboxPromises.ts"
import { buyer } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { issueAllDue, orderOfLinks } from "./InvoiceSteps.ts"

const LONG_MS = 600_000

export const handOversSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`HandOvers of ${name}`, store, (it) => {
    /** This number of orders, whose documents and those before are all issued, and nothing else is due. */
    const issued = Effect.fnUntraced(function* (orders: number) {
      yield* (yield* Invoices).noteSeller(terms())
      const ada = yield* buyer(50_000)
      for (let count = 0; count < orders; count++) yield* orderOfLinks(ada, 1)
      yield* issueAllDue()
      // Until the millisecond of the last document is over.
      yield* Effect.sleep("2 millis")
    })

    /** Waits while another test's documents are issued. */
    const claim = Effect.fnUntraced(function* (limit: number, leaseMs = LONG_MS) {
      return yield* (yield* HandOvers).claim({ nowMs: yield* Clock.currentTimeMillis, limit, leaseMs })
    })

    /** In the order of issue. */
    const documents = Effect.gen(function* () {
      const query = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: 1_000, before: null }
      return (yield* (yield* Invoices).issuedIn(query)).invoices.toReversed()
    })

    const recordAll = Effect.gen(function* () {
      const { record } = yield* HandOvers
      yield* record(null)
      const all = []
      for (;;) {
        const claimed = yield* claim(3)
        const last = claimed.at(-1)
        if (last === undefined) return all
        all.push(...claimed)
        yield* record(last)
      }
    })

    it.effect("hands over every document once, in the order of issue", () =>
      Effect.gen(function* () {
        yield* issued(5)
        const first = yield* recordAll
        yield* issued(2)
        const second = yield* recordAll
        const ids = [...first, ...second].map(({ invoiceId }) => invoiceId)
        expect(new Set(ids).size).toBe(ids.length)
        expect(second.map(({ kind }) => kind).sort()).toEqual(["invoice", "invoice", "receipt"])
        const times = [...first, ...second].map(({ issuedAtMs }) => issuedAtMs)
        expect(times).toEqual([...times].sort((a, b) => a - b))
        const numbers = [...first, ...second].flatMap(({ kind, facts }) => (kind === "invoice" ? [facts.number] : []))
        expect(numbers).toHaveLength(7)
        expect(yield* recordAll).toEqual([])
      })
    )

    outboxPromises(
      it,
      Effect.gen(function* () {
        const { claim, record } = yield* HandOvers
        yield* recordAll
        return {
          add: Effect.gen(function* () {
            const before = yield* documents
            yield* issued(1)
            const ids = (yield* documents).map(({ invoiceId }) => invoiceId)
            return ids.filter((id) => !before.some(({ invoiceId }) => invoiceId === id))
          }),
          claim: (query) =>
            Effect.map(claim(query), (claimed) => {
              const ids = claimed.map(({ invoiceId }) => invoiceId)
              const item = { ids, done: record(claimed.at(-1) ?? null), release: record(null), fail: null }
              return claimed.length === 0 ? [] : [item]
            })
        }
      })
    )

    it.effect("gives what follows the last one that was recorded, and at most the limit", () =>
      Effect.gen(function* () {
        const { record } = yield* HandOvers
        yield* recordAll
        yield* issued(3)
        const claimed = yield* claim(2)
        expect(claimed).toHaveLength(2)
        yield* record(claimed[0] ?? null)
        expect((yield* claim(1))[0]).toEqual(claimed[1])
        yield* record(claimed[1] ?? null)
        const rest = yield* recordAll
        expect(rest.map(({ invoiceId }) => invoiceId)).not.toContain(claimed[1]?.invoiceId)
        expect(rest).toHaveLength(2)
      })
    )
  })
