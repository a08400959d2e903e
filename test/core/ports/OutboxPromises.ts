// What every outbox promises, said once: an item goes to one caller at a time, and comes again until it is done.
import type { Vitest } from "@effect/vitest"
import { Clock, Effect, type Scope } from "effect"
import { expect } from "vitest"
import type { StorePorts } from "#adapters/postgres/PostgresStore.ts"
import type { Claim } from "#core/ports/shared/Outbox.ts"
import { concurrently, times, type UniqueNumbers } from "./StoreSuite.ts"

type Step<A> = Effect.Effect<A, unknown, StorePorts | UniqueNumbers | Scope.Scope>

export interface ClaimedItem {
  /** What was added and goes to its receiver with this item, in order. */
  readonly ids: ReadonlyArray<string>
  readonly done: Step<unknown>
  readonly release: Step<unknown>
  /** Records a failed attempt; returns when the next one is due. `null` where the queue keeps no retries. */
  readonly fail: Step<number> | null
}

/** A receiver for whom nothing is queued yet. */
export interface Trial {
  /** Queues something for the receiver; returns the ids of what it gets. */
  readonly add: Step<ReadonlyArray<string>>
  readonly claim: (claim: Claim) => Step<ReadonlyArray<ClaimedItem>>
}

const LEASE_MS = 60_000

/** More than the rest of a test takes. */
const SOME_TIME_MS = 20_000

export const outboxPromises = (it: Vitest.MethodsNonLive<StorePorts | UniqueNumbers>, trial: Step<Trial>): void => {
  const claimIn = Effect.fnUntraced(function* ({ claim }: Trial, afterMs = 0) {
    const nowMs = (yield* Clock.currentTimeMillis) + afterMs
    return yield* claim({ nowMs, leaseMs: LEASE_MS, limit: 10_000 })
  })
  const idsIn = (claimed: ReadonlyArray<ClaimedItem>) => claimed.flatMap(({ ids }) => ids)

  it.effect("give an item to one of 20 callers at once, and again after the lease", () =>
    Effect.gen(function* () {
      const receiver = yield* trial
      const ids = yield* receiver.add
      const claims = yield* concurrently(times(20, () => claimIn(receiver)))
      expect(claims.map(idsIn).filter(({ length }) => length > 0)).toEqual([ids])
      expect(yield* claimIn(receiver, LEASE_MS - SOME_TIME_MS)).toEqual([])
      expect(idsIn(yield* claimIn(receiver, LEASE_MS))).toEqual(ids)
    })
  )

  it.effect("give what was added later with what is not done, and nothing that is done", () =>
    Effect.gen(function* () {
      const receiver = yield* trial
      const first = yield* receiver.add
      const early = yield* claimIn(receiver)
      const second = yield* receiver.add
      const late = yield* claimIn(receiver, LEASE_MS)
      expect(idsIn(late)).toEqual([...first, ...second])
      for (const { done } of late) yield* done
      // A caller whose lease had ended reports late: nothing goes back.
      for (const { done, release } of early) yield* Effect.andThen(done, release)
      expect(yield* claimIn(receiver, 10 * LEASE_MS)).toEqual([])
      const third = yield* receiver.add
      expect(idsIn(yield* claimIn(receiver, 10 * LEASE_MS))).toEqual(third)
    })
  )

  it.effect("give what was released to the next caller, and what failed once its retry is due", () =>
    Effect.gen(function* () {
      const receiver = yield* trial
      const ids = yield* receiver.add
      for (const { release } of yield* claimIn(receiver)) yield* release
      const again = yield* claimIn(receiver)
      expect(idsIn(again)).toEqual(ids)
      for (const { fail } of again) {
        if (fail === null) continue
        const dueInMs = (yield* fail) - (yield* Clock.currentTimeMillis)
        expect(dueInMs).toBeGreaterThan(SOME_TIME_MS)
        expect(yield* claimIn(receiver, dueInMs - SOME_TIME_MS)).toEqual([])
        expect(idsIn(yield* claimIn(receiver, dueInMs))).toEqual(ids)
      }
    })
  )
}
