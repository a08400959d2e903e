// What every store promises of HandOvers: documents come in the order of issue, to one caller at a time, and again until they are recorded.
import { Effect } from "effect"
import { expect } from "vitest"
import { HandOvers } from "#core/ports/invoicing/HandOvers.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { terms } from "#test/core/InvoiceGiven.ts"
import { buyer } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
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
      return yield* (yield* HandOvers).claim({ limit, leaseMs })
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

    it.effect("gives what is not recorded again, to one caller at a time", () =>
      Effect.gen(function* () {
        const { record } = yield* HandOvers
        yield* recordAll
        yield* issued(3)
        const claims = yield* concurrently(times(6, () => claim(2)))
        const [claimed = [], ...others] = claims.filter(({ length }) => length > 0)
        expect([claimed.length, others]).toEqual([2, []])
        expect(yield* claim(2)).toEqual([])
        yield* record(null)
        expect(yield* claim(2)).toEqual(claimed)
        // Recorded up to the first: the second comes again.
        yield* record(claimed[0] ?? null)
        expect((yield* claim(1))[0]).toEqual(claimed[1])
        yield* record(claimed[1] ?? null)
        // An instance whose lease ran out reports late: nothing goes back.
        yield* record(claimed[0] ?? null)
        const rest = yield* recordAll
        expect(rest.map(({ invoiceId }) => invoiceId)).not.toContain(claimed[1]?.invoiceId)
        expect(rest).toHaveLength(2)
      })
    )

    it.effect("takes documents back from an instance that is gone", () =>
      Effect.gen(function* () {
        yield* recordAll
        yield* issued(1)
        const lost = yield* claim(5, 20)
        expect(lost).toHaveLength(2)
        const again = yield* Effect.repeat(claim(5), { until: ({ length }) => length > 0 })
        expect(again).toEqual(lost)
        yield* recordAll
      })
    )
  })
