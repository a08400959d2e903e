// Topping up over the simulated processor: a lost answer, repeated notices, an abandoned page, and a sweep after a lost notice.
import { it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import * as FaultyProcessor from "#bench/service/FaultyProcessor.ts"
import { closeAccount } from "#core/decisions/members/AccountState.ts"
import { resolvePayment } from "#core/decisions/ordering/ResolvePayment.ts"
import { type PayableId, PaymentId, TopUpId } from "#core/domain/shared/Ids.ts"
import { TOP_UP_TTL_MS } from "#core/domain/wallet/TopUp.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { type AskedSession, PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { FollowTopUps } from "#core/usecases/wallet/FollowTopUps.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { balance, environment, signInTo } from "./TopUpSteps.ts"

it.effect("a lost answer of the processor is made good by the same form, and a payment counts once", () =>
  Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const ada = yield* signInTo("ada@brand.example")
    const request = { topUpId: yield* topUps.newId, cents: 2_500 }
    const { lostAnswers } = yield* FaultyProcessor.ProcessorFaults
    yield* Ref.set(lostAnswers, 1)
    expect(yield* topUps.start(ada, request)).toMatchObject({ status: "open", paymentUrl: null })
    const [topUp, again] = yield* Effect.all([topUps.start(ada, request), topUps.start(ada, request)], {
      concurrency: "unbounded"
    })
    expect(topUp.paymentUrl).toBe(`https://shop.example/${topUp.paymentToken}`)
    expect(again).toEqual(topUp)
    yield* concurrently(times(20, () => topUps.pay(topUp.paymentToken)))
    expect((yield* topUps.view(ada, topUp.topUpId)).status).toBe("paid")
    expect(yield* balance(ada)).toBe(2_500)
    expect((yield* topUps.abandon(topUp.paymentToken)).status).toBe("paid")
    expect(yield* balance(ada)).toBe(2_500)
  }).pipe(Effect.provide(environment))
)

it.effect("a payment whose notice was lost is found when the member looks, or by the sweep; an unpaid one ends", () =>
  Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const { sweep } = yield* FollowTopUps
    const { simulatePayment } = yield* PaymentProcessor
    const ada = yield* signInTo("ada@brand.example")
    const start = Effect.flatMap(topUps.newId, (topUpId) => topUps.start(ada, { topUpId, cents: 1_000 }))
    const [seen, swept, unpaid] = [yield* start, yield* start, yield* start]
    if (simulatePayment === null) throw new Error("the processor is real")
    yield* simulatePayment(seen.topUpId, 1_000)
    expect((yield* topUps.view(ada, seen.topUpId)).status).toBe("paid")
    yield* simulatePayment(swept.topUpId, 1_000)
    expect(yield* sweep).toBe(0)
    yield* TestClock.adjust(TOP_UP_TTL_MS)
    expect(yield* sweep).toBe(2)
    expect(yield* sweep).toBe(0)
    const { topUps: listed } = yield* topUps.list(ada, { limit: 10, beforeId: null })
    const statuses = new Map(listed.map(({ topUpId, status }) => [topUpId, status]))
    expect([seen, swept, unpaid].map(({ topUpId }) => statuses.get(topUpId))).toEqual(["paid", "paid", "ended"])
    expect(yield* balance(ada)).toBe(2_000)
  }).pipe(Effect.provide(environment))
)

it.effect("another account's top-up, and an id of another form, are not found", () =>
  Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const [ada, eve] = [yield* signInTo("ada@brand.example"), yield* signInTo("eve@brand.example")]
    const { topUpId } = yield* topUps.start(ada, { topUpId: yield* topUps.newId, cents: 1_000 })
    expect((yield* Effect.flip(topUps.view(eve, topUpId)))._tag).toBe("TopUpNotFound")
    expect((yield* Effect.flip(topUps.start(eve, { topUpId, cents: 1_000 })))._tag).toBe("TopUpNotFound")
    expect((yield* Effect.flip(topUps.start(eve, { topUpId: TopUpId.make("q_1"), cents: 1_000 })))._tag).toBe(
      "TopUpNotFound"
    )
  }).pipe(Effect.provide(environment))
)

it.effect("a top-up that began while the processor was down can be paid once it answers, by looking at it", () =>
  Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const ada = yield* signInTo("ada@brand.example")
    const topUpId = yield* topUps.newId
    const { down } = yield* FaultyProcessor.ProcessorFaults
    yield* Ref.set(down, true)
    expect(yield* topUps.start(ada, { topUpId, cents: 2_500 })).toMatchObject({ status: "open", paymentUrl: null })
    expect(yield* topUps.view(ada, topUpId)).toMatchObject({ status: "open", paymentUrl: null })
    yield* Ref.set(down, false)
    const seen = yield* topUps.view(ada, topUpId)
    expect(seen.paymentUrl).toBe(`https://shop.example/${seen.paymentToken}`)
    yield* topUps.pay(seen.paymentToken)
    expect(yield* balance(ada)).toBe(2_500)
  }).pipe(Effect.provide(environment))
)

it.effect("what is paid after the account was closed is set aside, once, and the operator credits it", () =>
  Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const book = yield* OrderBook
    const ada = yield* signInTo("ada@brand.example")
    const { accountId } = ada.account
    const { topUpId, paymentToken } = yield* topUps.start(ada, { topUpId: yield* topUps.newId, cents: 2_500 })
    yield* book.transact({ _tag: "ForAccount", accountId }, closeAccount(accountId, "moved away", "olga"))
    yield* concurrently(times(5, () => topUps.pay(paymentToken)))
    expect(yield* balance(ada)).toBe(0)
    const quotes = yield* Quotes
    const [setAside, ...others] = yield* quotes.setAside({ limit: 10 })
    expect(others).toEqual([])
    expect(setAside).toMatchObject({ quoteId: topUpId, amountCents: 2_500, reason: "closed", outcome: null })
    // The sweep looks at it no more.
    yield* TestClock.adjust(TOP_UP_TTL_MS)
    expect(yield* (yield* FollowTopUps).sweep).toBe(0)
    const paymentId = setAside?.paymentId ?? PaymentId.make("")
    const decide = resolvePayment({ paymentId, outcome: "credited", reason: "opened again", actor: "olga" })
    yield* concurrently(times(3, () => book.transact({ _tag: "ForTopUp", topUpId, reference: paymentId }, decide)))
    expect(yield* balance(ada)).toBe(2_500)
    expect((yield* (yield* TopUps).byId(topUpId))?.status).toBe("paid")
  }).pipe(Effect.provide(environment))
)

it.effect("two sweepers ask the processor once about each top-up, also about what is beyond a page", () => {
  const asked: Array<PayableId> = []
  const counting = Layer.effect(
    PaymentProcessor,
    Effect.map(PaymentProcessor, (processor) => ({
      ...processor,
      expire: <Id extends PayableId>(session: AskedSession<Id>) =>
        Effect.suspend(() => {
          asked.push(session.quoteId)
          return Effect.andThen(Effect.yieldNow, processor.expire(session))
        })
    }))
  )
  const sweeper = Effect.provide(FollowTopUps, Layer.fresh(FollowTopUps.layer.pipe(Layer.provide(counting))))
  return Effect.gen(function* () {
    const topUps = yield* TopUpCredit
    const ada = yield* signInTo("ada@brand.example")
    const start = Effect.flatMap(topUps.newId, (topUpId) => topUps.start(ada, { topUpId, cents: 1_000 }))
    const opened = yield* Effect.forEach(
      times(120, (n) => n),
      () => start
    )
    yield* TestClock.adjust(TOP_UP_TTL_MS)
    const swept = yield* concurrently([yield* sweeper, yield* sweeper].map(({ sweep }) => sweep))
    expect(swept.reduce((sum, one) => sum + one, 0)).toBe(120)
    expect([...asked].sort()).toEqual(opened.map(({ topUpId }) => topUpId).sort())
  }).pipe(Effect.provide(environment))
})
