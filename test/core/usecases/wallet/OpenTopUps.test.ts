// Payment pages of top-ups that the processor did not open at once: the sweep opens them, unless they are withdrawn or expire.
import { it } from "@effect/vitest"
import { Effect, HashMap, Ref } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import * as FaultyProcessor from "#bench/service/FaultyProcessor.ts"
import { TOP_UP_TTL_MS } from "#core/domain/wallet/TopUp.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { OpenTopUps } from "#core/usecases/wallet/OpenTopUps.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { balance, environment, signInTo } from "./TopUpSteps.ts"

it.effect("a top-up without a payment page gets it by the sweep, once the processor answers", () =>
  Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const { sweep } = yield* OpenTopUps
    const { down, sessions } = yield* FaultyProcessor.ProcessorFaults
    const ada = yield* signInTo("ada@brand.example")
    const topUpId = yield* topUps.newId
    yield* Ref.set(down, true)
    yield* topUps.start(ada, { topUpId, cents: 2_500 })
    const found = Effect.flatMap(TopUps, ({ byId }) => byId(topUpId))
    expect(yield* sweep).toBe(0)
    yield* TestClock.adjust("15 seconds")
    expect(yield* sweep).toBe(1)
    // Others leave it alone for a while, and so does who looks at it.
    expect(yield* sweep).toBe(0)
    yield* Ref.set(down, false)
    expect((yield* topUps.view(ada, topUpId)).paymentUrl).toBeNull()
    yield* TestClock.adjust("20 seconds")
    expect(yield* concurrently(times(3, () => sweep))).toEqual(expect.arrayContaining([1, 0, 0]))
    const opened = yield* found
    expect(opened?.paymentUrl).toBe(`https://shop.example/${opened?.paymentToken}`)
    expect([...HashMap.values(yield* Ref.get(sessions))]).toEqual([1])
    expect(yield* sweep).toBe(0)
    yield* topUps.pay(opened?.paymentToken ?? "")
    expect(yield* balance(ada)).toBe(2_500)
  }).pipe(Effect.provide(environment))
)

it.effect("while the processor is down, the sweep tries at most once a minute, until the top-up expires", () =>
  Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const { sweep } = yield* OpenTopUps
    const { down } = yield* FaultyProcessor.ProcessorFaults
    const ada = yield* signInTo("ada@brand.example")
    yield* Ref.set(down, true)
    yield* topUps.start(ada, { topUpId: yield* topUps.newId, cents: 2_500 })
    const triedIn = Effect.fnUntraced(function* (minutes: number) {
      let tried = 0
      for (let at = 0; at < minutes * 6; at++) {
        yield* TestClock.adjust("10 seconds")
        tried += yield* sweep
      }
      return tried
    })
    expect(yield* triedIn(10)).toBeLessThanOrEqual(14)
    expect(yield* triedIn(60)).toBeLessThanOrEqual(60)
    yield* TestClock.adjust(TOP_UP_TTL_MS)
    expect(yield* sweep).toBe(0)
  }).pipe(Effect.provide(environment))
)

it.effect("one without a payment page is withdrawn while the processor is down, and never opened again", () =>
  Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const { sweep } = yield* OpenTopUps
    const { down, sessions } = yield* FaultyProcessor.ProcessorFaults
    const ada = yield* signInTo("ada@brand.example")
    const topUpId = yield* topUps.newId
    yield* Ref.set(down, true)
    yield* topUps.start(ada, { topUpId, cents: 2_500 })
    expect((yield* topUps.cancel(ada, topUpId)).status).toBe("ended")
    yield* Ref.set(down, false)
    yield* TestClock.adjust("1 minute")
    expect(yield* sweep).toBe(0)
    expect(yield* topUps.view(ada, topUpId)).toMatchObject({ status: "ended", paymentUrl: null })
    expect([...HashMap.values(yield* Ref.get(sessions))]).toEqual([])
    // One whose page was shown may be paid there: it stays as it is.
    const shown = yield* topUps.start(ada, { topUpId: yield* topUps.newId, cents: 1_000 })
    yield* Ref.set(down, true)
    expect((yield* Effect.flip(topUps.cancel(ada, shown.topUpId)))._tag).toBe("ProcessorUnavailable")
    expect(yield* (yield* TopUps).byId(shown.topUpId)).toMatchObject({ status: "open" })
  }).pipe(Effect.provide(environment))
)

it.effect("one that is withdrawn while the sweep opens it is ended, with its session", () =>
  Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const { sweep } = yield* OpenTopUps
    const { down, meanwhile } = yield* FaultyProcessor.ProcessorFaults
    const ada = yield* signInTo("ada@brand.example")
    const topUpId = yield* topUps.newId
    yield* Ref.set(down, true)
    yield* topUps.start(ada, { topUpId, cents: 2_500 })
    yield* Ref.set(down, false)
    yield* Ref.set(meanwhile, () => Effect.ignore(topUps.cancel(ada, topUpId)))
    yield* TestClock.adjust("15 seconds")
    yield* sweep
    const ended = yield* (yield* TopUps).byId(topUpId)
    expect(ended?.status).toBe("ended")
    expect(yield* balance(ada)).toBe(0)
    expect(yield* sweep).toBe(0)
  }).pipe(Effect.provide(environment))
)
