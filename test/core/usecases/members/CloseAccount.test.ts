// Top-ups of an account that is closed: their payment pages end with it, also where the processor is away, and what is paid meanwhile is set aside.
import { it } from "@effect/vitest"
import { Effect, HashMap, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import * as FaultyProcessor from "#bench/service/FaultyProcessor.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { CloseAccount } from "#core/usecases/members/CloseAccount.ts"
import { AbandonQuote } from "#core/usecases/ordering/AbandonQuote.ts"
import { PaymentSessions } from "#core/usecases/ordering/PaymentSessions.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { FollowTopUps } from "#core/usecases/wallet/FollowTopUps.ts"
import { OpenTopUps } from "#core/usecases/wallet/OpenTopUps.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { givenService } from "../GivenService.ts"
import { balance, environment, signInTo } from "../wallet/TopUpSteps.ts"

const closing = CloseAccount.layer.pipe(
  Layer.provide(AbandonQuote.layer),
  Layer.provide(PaymentSessions.layer),
  Layer.provide(Payments.layer),
  Layer.provideMerge(environment),
  Layer.provide(givenService)
)

const ways = {
  "an owner": (who: SignedIn) =>
    // The confirmation is not what this is about.
    CloseAccount.use(({ closeOwn }) => closeOwn(who, { memberId: who.member.memberId } as Confirmed)),
  "the operator": ({ account: { accountId } }: SignedIn) =>
    CloseAccount.use(({ close }) => close({ accountId, reason: "moved away" }, "olga"))
}

const statusOf = (topUpId: Parameters<TopUps["Service"]["byId"]>[0]) =>
  TopUps.use(({ byId }) => Effect.map(byId(topUpId), (topUp) => topUp?.status))

const start = Effect.fnUntraced(function* (who: SignedIn) {
  const topUps = yield* TopUpCredit
  return yield* topUps.start(who, { topUpId: yield* topUps.newId, cents: 2_500 })
})

for (const [who, close] of Object.entries(ways)) {
  it.effect(`an account that ${who} closes has no payment page left`, () =>
    Effect.gen(function* () {
      const ada = yield* signInTo("ada@brand.example")
      const bo = yield* signInTo("bo@brand.example")
      const [first, second, other] = [yield* start(ada), yield* start(ada), yield* start(bo)]
      const left = Effect.map(
        CloseAccount.use(({ topUps }) => topUps(ada.account.accountId)),
        (topUps) => new Set(topUps.map(({ topUpId }) => topUpId))
      )
      expect(yield* left).toEqual(new Set([first.topUpId, second.topUpId]))
      yield* close(ada)
      for (const { topUpId } of [first, second]) expect(yield* statusOf(topUpId)).toBe("ended")
      expect(yield* statusOf(other.topUpId)).toBe("open")
      expect(yield* left).toEqual(new Set())
    }).pipe(Effect.provide(closing))
  )

  it.effect(`payments and the closing by ${who} at once: each is credit or set aside, and no page is left`, () =>
    Effect.gen(function* () {
      const { pay } = yield* TopUpCredit
      for (const nth of times(6, (n) => n)) {
        const ada = yield* signInTo(`ada-${nth}@brand.example`)
        const { topUpId, paymentToken } = yield* start(ada)
        const paying = times(3, () => Effect.ignore(pay(paymentToken)))
        yield* concurrently([...paying.slice(0, nth % 4), Effect.ignore(close(ada)), ...paying.slice(nth % 4)])
        const setAside = (yield* (yield* Quotes).setAside({ limit: 50 })).filter(({ quoteId }) => quoteId === topUpId)
        const credit = (yield* balance(ada)) ?? 0
        expect([credit, setAside.length]).toEqual(credit > 0 ? [2_500, 0] : [0, 1])
        expect(yield* statusOf(topUpId)).toBe(credit > 0 ? "paid" : "ended")
      }
    }).pipe(Effect.provide(closing))
  )
}

it.effect("what the processor did not end is named, and the sweep ends it", () =>
  Effect.gen(function* () {
    const { down, sessions } = yield* FaultyProcessor.ProcessorFaults
    const ada = yield* signInTo("ada@brand.example")
    const shown = yield* start(ada)
    yield* Ref.set(down, true)
    const stuck = yield* start(ada)
    const closed = yield* CloseAccount.use(({ close }) =>
      close({ accountId: ada.account.accountId, reason: "moved away" }, "olga")
    )
    // No person saw a page of the other one.
    expect(closed.kept).toEqual([shown.topUpId])
    expect(yield* statusOf(stuck.topUpId)).toBe("ended")
    expect(yield* (yield* FollowTopUps).sweep).toBe(0)
    yield* Ref.set(down, false)
    yield* TestClock.adjust("2 minutes")
    expect(yield* (yield* OpenTopUps).sweep).toBe(0)
    expect(yield* (yield* FollowTopUps).sweep).toBe(1)
    expect(yield* statusOf(shown.topUpId)).toBe("ended")
    expect([...HashMap.values(yield* Ref.get(sessions))]).toEqual([1])
  }).pipe(Effect.provide(closing))
)

it.effect("an account that is closed while a session is opened leaves none that can be paid", () =>
  Effect.gen(function* () {
    const { meanwhile } = yield* FaultyProcessor.ProcessorFaults
    const closer = yield* CloseAccount
    const ada = yield* signInTo("ada@brand.example")
    const { accountId } = ada.account
    yield* Ref.set(meanwhile, () => Effect.ignore(closer.close({ accountId, reason: "moved away" }, "olga")))
    expect((yield* start(ada)).status).toBe("ended")
    expect(yield* (yield* FollowTopUps).sweep).toBe(0)
  }).pipe(Effect.provide(closing))
)
