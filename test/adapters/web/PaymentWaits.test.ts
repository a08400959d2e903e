// Pages that wait for a payment on the server: how long, how many at once, and what ends a wait.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, type Duration, Effect, Fiber, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { MOST_OF_ONE_ACCOUNT, MOST_WAITING, PaymentWaits } from "#adapters/web/payment/PaymentWaits.ts"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { times } from "#test/core/ports/StoreSuite.ts"

type State = "awaited" | "paid"

interface Payment {
  state: State
  looks: number
  left: number
  fails: boolean
  takes: Duration.Input
}

const account = (number: number) => AccountId.make(`acc_${number}`)

/** A payment, the pages that wait for it, and what they did. */
const awaiting = Effect.gen(function* () {
  const stopping = yield* Deferred.make<void>()
  const state: State = "awaited"
  const now: Payment = { state, looks: 0, left: 0, fails: false, takes: 0 }
  const leaveTurn = () => void now.left++
  const context = yield* Layer.build(PaymentWaits.layer({ leaveTurn, stopping: Deferred.await(stopping) }))
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/pay/token"))
  const look = Effect.suspend(() => {
    now.looks++
    const seen = now.fails ? Effect.fail("the store is away") : Effect.succeed(now.state)
    return now.takes === 0 ? seen : Effect.delay(seen, now.takes)
  })
  const page = (accountId = account(1)) =>
    Effect.flatMap(PaymentWaits, ({ settled }) =>
      settled(now.state, { accountId, look, isFinal: (state) => state === "paid" })
    ).pipe(Effect.provideContext(context), Effect.provideService(HttpServerRequest.HttpServerRequest, request))
  const opened = (accountId?: AccountId) => Effect.forkChild(page(accountId), { startImmediately: true })
  return { now, page, opened, stop: Deferred.succeed(stopping, undefined) }
})

describe("a page that waits for a payment", () => {
  it.effect("answers at once what is final, and keeps its turn", () =>
    Effect.gen(function* () {
      const { now, page } = yield* awaiting
      now.state = "paid"
      assert.strictEqual(yield* page(), "paid")
      assert.deepStrictEqual([now.looks, now.left], [0, 0])
    })
  )

  it.effect("leaves its turn, looks once a second, and answers as soon as the payment is known", () =>
    Effect.gen(function* () {
      const { now, opened } = yield* awaiting
      const fiber = yield* opened()
      assert.strictEqual(now.left, 1)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual([now.looks, fiber.pollUnsafe()], [2, undefined])
      now.state = "paid"
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(fiber), "paid")
      assert.strictEqual(now.looks, 3)
    })
  )

  it.effect("answers after eight seconds as it is, also where the store cannot be read", () =>
    Effect.gen(function* () {
      const { now, opened } = yield* awaiting
      for (const fails of [false, true]) {
        now.fails = fails
        const fiber = yield* opened()
        yield* TestClock.adjust("7999 millis")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* Fiber.join(fiber), "awaited")
      }
      assert.strictEqual(now.looks, 14)
    })
  )

  it.effect("answers in time although a look takes long", () =>
    Effect.gen(function* () {
      const { now, opened } = yield* awaiting
      now.takes = "1 minute"
      const fiber = yield* opened()
      yield* TestClock.adjust("8 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "awaited")
      assert.strictEqual(now.looks, 1)
    })
  )

  it.effect("ends with the service, and looks no more once its client has left", () =>
    Effect.gen(function* () {
      const { now, opened, stop } = yield* awaiting
      const left = yield* opened()
      yield* Fiber.interrupt(left)
      yield* TestClock.adjust("8 seconds")
      assert.strictEqual(now.looks, 0)
      const waiting = yield* opened()
      yield* stop
      assert.strictEqual(yield* Fiber.join(waiting), "awaited")
    })
  )

  it.effect(
    "answers at once where its account, or all together, have as many that wait as may, until one is answered",
    () =>
      Effect.gen(function* () {
        const { now, page, opened } = yield* awaiting
        const first = yield* Effect.all(times(MOST_OF_ONE_ACCOUNT, () => opened(account(1))))
        assert.deepStrictEqual([yield* page(account(1)), now.left], ["awaited", MOST_OF_ONE_ACCOUNT])
        yield* Effect.all(times(MOST_WAITING - MOST_OF_ONE_ACCOUNT, (nth) => opened(account(nth + 2))))
        assert.deepStrictEqual([yield* page(account(1_000)), now.left], ["awaited", MOST_WAITING])
        yield* Fiber.interruptAll(first)
        const next = yield* opened(account(1_000))
        assert.deepStrictEqual([next.pollUnsafe(), now.left], [undefined, MOST_WAITING + 1])
        yield* TestClock.adjust("8 seconds")
        assert.strictEqual(yield* Fiber.join(next), "awaited")
        assert.strictEqual(yield* Effect.map(opened(account(1)), (fiber) => fiber.pollUnsafe()), undefined)
      })
  )
})
