// What every store promises of calls that idempotency keys bind: one is bound, one answer is kept, and neither longer than its time.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { type BoundCall, CALL_BOUND_MS, CALL_SECRET_MS } from "#core/domain/access/BoundCall.ts"
import { BoundCalls } from "#core/ports/access/BoundCalls.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const newCall = Effect.fnUntraced(function* (changes: Partial<BoundCall> = {}) {
  const nth = yield* Effect.flatMap(UniqueNumbers, ({ next }) => next)
  const call: BoundCall = {
    ...{ callHash: `hash${nth}`, fingerprint: "f", boundAtMs: yield* Clock.currentTimeMillis, idPrefix: `p${nth}` },
    ...{ sealed: "bytes", answerStatus: null, answerBody: null, answeredAtMs: null }
  }
  return { ...call, ...changes }
})

const answered = (call: BoundCall, changes: Partial<BoundCall> = {}): BoundCall => ({
  ...call,
  ...{ sealed: null, answerStatus: 200, answerBody: "{}", answeredAtMs: call.boundAtMs },
  ...changes
})

export const boundCallsSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Bound calls of ${name}`, store, (it) => {
    it.effect("are one for 20 concurrent calls of one hash, and keep one answer", () =>
      Effect.gen(function* () {
        const calls = yield* BoundCalls
        const one = yield* newCall()
        const twins = times(20, (nth) => ({ ...one, idPrefix: `twin${nth}` }))
        const bound = yield* concurrently(twins.map(calls.bind))
        const [first = one] = bound
        expect(new Set(bound.map(({ idPrefix }) => idPrefix))).toEqual(new Set([first.idPrefix]))
        const answers = times(20, (nth) => answered(first, { answerBody: `{"nth":${nth}}` }))
        const kept = yield* concurrently(answers.map(calls.answer))
        expect(new Set(kept.map(({ answerBody }) => answerBody)).size).toBe(1)
        expect(yield* calls.bind({ ...one, idPrefix: "late" })).toEqual(kept[0])
        expect(yield* calls.bind({ ...one, fingerprint: "another" })).toEqual(kept[0])
      })
    )

    it.effect("are free once released, unless they are answered", () =>
      Effect.gen(function* () {
        const calls = yield* BoundCalls
        const [one, other] = [yield* newCall(), yield* newCall()]
        yield* calls.bind(one)
        yield* calls.release(one.callHash)
        const again = { ...one, idPrefix: "again" }
        expect(yield* calls.bind(again)).toEqual(again)
        yield* calls.bind(other)
        yield* calls.answer(answered(other))
        yield* calls.release(other.callHash)
        expect(yield* calls.bind({ ...other, idPrefix: "late" })).toEqual(answered(other))
        // A twin that was refused released it meanwhile: the answer is kept all the same.
        yield* calls.release(again.callHash)
        expect(yield* calls.answer(answered(again))).toEqual(answered(again))
        expect(yield* calls.bind(one)).toEqual(answered(again))
      })
    )

    it.effect("are bound for a day, with and without an answer", () =>
      Effect.gen(function* () {
        const calls = yield* BoundCalls
        for (const end of [(call: BoundCall) => call, answered]) {
          const one = yield* newCall()
          yield* calls.bind(one)
          if (end === answered) yield* calls.answer(end(one))
          const within = { ...one, boundAtMs: one.boundAtMs + CALL_BOUND_MS - 1, idPrefix: "within" }
          expect((yield* calls.bind(within)).idPrefix).toBe(one.idPrefix)
          const after = { ...one, boundAtMs: one.boundAtMs + CALL_BOUND_MS, fingerprint: "g", idPrefix: "after" }
          expect(yield* calls.bind(after)).toEqual(after)
          expect(yield* calls.bind(after)).toEqual(after)
        }
      })
    )

    it.effect("and lose their secrets and themselves when their time is over", () =>
      Effect.gen(function* () {
        const calls = yield* BoundCalls
        const nowMs = yield* Clock.currentTimeMillis
        const secret = { sealed: "answer" }
        const aged = (ms: number) => newCall({ boundAtMs: nowMs - ms })
        const fresh = answered(yield* aged(CALL_SECRET_MS - 60_000), secret)
        const spent = answered(yield* aged(CALL_SECRET_MS), secret)
        const unanswered = yield* aged(CALL_BOUND_MS - 60_000)
        const old = answered(yield* aged(CALL_BOUND_MS), secret)
        for (const call of [fresh, spent, unanswered, old]) yield* calls.answer(call)
        yield* calls.prune
        const late = (call: BoundCall) =>
          calls.bind({ ...call, boundAtMs: call.boundAtMs, idPrefix: "late", sealed: "late" })
        expect(yield* late(fresh)).toEqual(fresh)
        expect(yield* late(spent)).toEqual({ ...spent, sealed: null })
        expect(yield* late(unanswered)).toEqual(unanswered)
        expect((yield* late(old)).idPrefix).toBe("late")
      })
    )
  })
}
