// What every store promises of leases of sweepers: one sweeper at a time has an item, and ends its own lease alone.
import { Effect } from "effect"
import { expect } from "vitest"
import { QuoteId, TopUpId } from "#core/domain/shared/Ids.ts"
import { SweepLeases } from "#core/ports/ordering/SweepLeases.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const MINUTE_MS = 60_000

const fresh = Effect.map(
  Effect.flatMap(UniqueNumbers, ({ next }) => next),
  (number) => `lease${number}`
)

export const sweepLeasesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Leases of sweepers of ${name}`, store, (it) => {
    for (const { what, idOf } of [
      { what: "a quote", idOf: (text: string) => QuoteId.make(`q_${text}`) },
      { what: "a top-up", idOf: (text: string) => TopUpId.make(`top_${text}`) }
    ])
      it.effect(`${what} is leased to one of 20 at once, until that one releases it`, () =>
        Effect.gen(function* () {
          const leases = yield* SweepLeases
          const id = idOf(yield* fresh)
          const claims = yield* concurrently(times(20, () => leases.claim(id, MINUTE_MS)))
          const [lease, ...others] = claims.filter((claimed) => claimed !== null)
          expect([lease?.id, others]).toEqual([id, []])
          expect(yield* leases.claim(id, MINUTE_MS)).toBe(null)
          if (lease === undefined) return
          yield* leases.release(lease)
          const next = yield* leases.claim(id, 2 * MINUTE_MS)
          expect(next?.id).toBe(id)
          // A sweeper that was slow releases what was its own once more, and the next one keeps its lease.
          yield* leases.release(lease)
          expect(yield* leases.claim(id, MINUTE_MS)).toBe(null)
        })
      )

    it.effect("a lease that has ended is another sweeper's, and is not ended by the first", () =>
      Effect.gen(function* () {
        const leases = yield* SweepLeases
        const id = QuoteId.make(`q_${yield* fresh}`)
        const killed = yield* leases.claim(id, 0)
        const next = yield* leases.claim(id, MINUTE_MS)
        expect([killed?.id, next?.id]).toEqual([id, id])
        if (killed !== null) yield* leases.release(killed)
        expect(yield* leases.claim(id, MINUTE_MS)).toBe(null)
      })
    )
  })
