// Stripe unreachable, slow, failing or hanging up: one session in the end, bounded waits, no part of a key in errors and logs.
import { describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { expect } from "vitest"
import { PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import type { Trouble } from "./StripeServer.ts"
import { adapter, logbook, request, START_MS, timeouts } from "./StripeSetup.ts"
import { layerAt, SECRET_KEY, StripeStandIn } from "./StripeStandIn.ts"

const environment = Layer.merge(
  layerAt(() => START_MS),
  MovableClock.layer
)

const { lines, layer: logs } = logbook()

const scene = <A, E>(
  test: Effect.Effect<A, E, PaymentProcessor | StripeStandIn | MovableClock.MovableClock>,
  over: Parameters<typeof adapter>[0] = {}
) =>
  test.pipe(Effect.provide(adapter({ timeouts, ...over }).pipe(Layer.provideMerge(environment))), Effect.provide(logs))

const open = (quoteId: string) => Effect.flatMap(PaymentProcessor, ({ open }) => open(request(quoteId)))

const close = (quoteId: string, sessionId: PaymentSessionId | null) =>
  Effect.flatMap(PaymentProcessor, ({ expire }) => expire({ quoteId: QuoteId.make(quoteId), sessionId }))

const troubled = (...troubles: ReadonlyArray<Trouble>) =>
  Effect.map(StripeStandIn, ({ server }) => void server.troubles.push(...troubles))

const expectOneSession = (sessionId: PaymentSessionId) =>
  Effect.map(StripeStandIn, ({ account }) => expect(account.sessions.map(({ id }) => id)).toEqual([sessionId]))

/** Longer than the time limit of all attempts together. */
const ONE_ATTEMPT = Duration.seconds(30)

const UNAVAILABLE = { _tag: "ProcessorUnavailable", quoteId: "q_1", retryAfterSeconds: 5 }

describe.concurrent("opening a session", () => {
  const PASSING: ReadonlyArray<ReadonlyArray<Trouble>> = [
    ["refuses"],
    ["refuses", "refuses"],
    ["hangs up first"],
    ["hangs up"],
    ["never answers"],
    ["never answers", "hangs up"],
    ["breaks late"]
  ]
  for (const troubles of PASSING) {
    it.live(`when Stripe ${troubles.join(", then ")}: one session, and the same one on repetition`, () =>
      scene(
        Effect.gen(function* () {
          yield* troubled(...troubles)
          const session = yield* open("q_1")
          expect(yield* open("q_1")).toEqual(session)
          yield* expectOneSession(session.sessionId)
        })
      )
    )
  }

  it.live("when Stripe has saved a failure under the quote's key: a second key, the same for all calls", () =>
    scene(
      Effect.gen(function* () {
        const { server } = yield* StripeStandIn
        yield* troubled("breaks")
        const sessions = yield* concurrently(times(5, () => open("q_1")))
        expect(yield* open("q_1")).toEqual(sessions[0])
        expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(1)
        yield* expectOneSession(sessions[0]?.sessionId ?? PaymentSessionId.make(""))
        const keys = server.asked.flatMap(({ idempotencyKey }) => idempotencyKey ?? [])
        expect([...new Set(keys)]).toEqual(["q_1", "q_1-without-end"])
      })
    )
  )

  it.live("by two concurrent calls, while Stripe reports the first as in progress: one session", () =>
    scene(
      Effect.gen(function* () {
        yield* troubled("waits")
        const sessions = yield* concurrently(times(10, () => open("q_1")))
        expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(1)
        yield* expectOneSession(sessions[0]?.sessionId ?? PaymentSessionId.make(""))
      }),
      { timeouts: { ...timeouts, attempt: Duration.seconds(10) } }
    )
  )

  it.live(
    "fails within its time limit while Stripe is unavailable, and continues with the same session afterwards",
    () =>
      scene(
        Effect.gen(function* () {
          yield* troubled(...times(3, () => "never answers" as const))
          const beganAtMs = yield* Clock.currentTimeMillis
          expect(yield* Effect.flip(open("q_1"))).toMatchObject(UNAVAILABLE)
          expect((yield* Clock.currentTimeMillis) - beganAtMs).toBeLessThan(
            Duration.toMillis(timeouts.creation) + 1_000
          )
          yield* expectOneSession((yield* open("q_1")).sessionId)
        })
      )
  )

  it.live("fails when Stripe refuses each attempt, without a second key: the first may still create its session", () =>
    scene(
      Effect.gen(function* () {
        const { server } = yield* StripeStandIn
        yield* troubled("refuses", "refuses", "refuses")
        expect(yield* Effect.flip(open("q_1"))).toMatchObject(UNAVAILABLE)
        expect(server.asked.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["q_1", "q_1", "q_1"])
      })
    )
  )

  it.live("fails at the time limit for all attempts together", () =>
    scene(
      Effect.gen(function* () {
        yield* troubled("never answers")
        const beganAtMs = yield* Clock.currentTimeMillis
        expect(yield* Effect.flip(open("q_1"))).toMatchObject(UNAVAILABLE)
        expect((yield* Clock.currentTimeMillis) - beganAtMs).toBeLessThan(Duration.toMillis(ONE_ATTEMPT))
      }),
      { timeouts: { ...timeouts, attempt: ONE_ATTEMPT, creation: Duration.millis(300) } }
    )
  )

  it.live("fails at once when Stripe limits the request rate", () =>
    scene(
      Effect.gen(function* () {
        const { account, server } = yield* StripeStandIn
        yield* troubled("limits")
        expect(yield* Effect.flip(open("q_1"))).toMatchObject(UNAVAILABLE)
        expect([server.asked.length, account.sessions.length]).toEqual([1, 0])
      })
    )
  )

  it.live("fails when connections are refused", () =>
    scene(
      Effect.map(Effect.flip(open("q_1")), (fault) => expect(fault).toMatchObject(UNAVAILABLE)),
      { apiUrl: "http://127.0.0.1:9" }
    )
  )
})

describe.concurrent("closing a session", () => {
  for (const trouble of ["refuses", "hangs up first", "hangs up", "never answers", "breaks late"] as const) {
    it.live(`when Stripe ${trouble}: expired, once`, () =>
      scene(
        Effect.gen(function* () {
          const { account } = yield* StripeStandIn
          const { sessionId } = yield* open("q_1")
          yield* troubled(trouble)
          const closed = yield* Effect.retry(close("q_1", sessionId), { times: 1 })
          expect(closed).toEqual({ outcome: "expired" })
          expect(account.sessions.map(({ status }) => status)).toEqual(["expired"])
        })
      )
    )
  }

  it.live("fails while Stripe is unavailable, and never reports a session as closed that can still be paid", () =>
    scene(
      Effect.gen(function* () {
        const { account } = yield* StripeStandIn
        const { sessionId } = yield* open("q_1")
        for (const known of [sessionId, null]) {
          yield* troubled("refuses", "refuses", "refuses")
          expect(yield* Effect.flip(close("q_1", known))).toMatchObject(UNAVAILABLE)
        }
        for (const reason of ["declines", "limits"] as const) {
          yield* troubled(reason)
          expect(yield* Effect.flip(close("q_1", sessionId))).toMatchObject(UNAVAILABLE)
        }
        expect(account.sessions.map(({ status }) => status)).toEqual(["open"])
      })
    )
  )
})

describe("an unresponsive Stripe", () => {
  const hasty = { ...timeouts, attempt: ONE_ATTEMPT, call: Duration.seconds(3) }

  it.live("delays many closings once, and is called again 5 seconds later", () =>
    scene(
      Effect.gen(function* () {
        const { advance } = yield* MovableClock.MovableClock
        const { server } = yield* StripeStandIn
        const { sessionId } = yield* open("q_1")
        yield* troubled("never answers")
        const before = server.asked.length
        for (const known of [sessionId, sessionId, null, sessionId, null]) {
          expect(yield* Effect.flip(close("q_1", known))).toMatchObject(UNAVAILABLE)
        }
        expect(server.asked.length - before).toBe(1)
        yield* advance("5 seconds")
        expect(yield* close("q_1", sessionId)).toEqual({ outcome: "expired" })
      }),
      { timeouts: hasty }
    )
  )

  it.live("delays them once, too, when it is unreachable", () =>
    scene(
      Effect.gen(function* () {
        const { server } = yield* StripeStandIn
        const { sessionId } = yield* open("q_1")
        yield* troubled(...times(12, () => "hangs up first" as const))
        const before = server.asked.length
        for (const known of [sessionId, sessionId, null, sessionId]) {
          expect(yield* Effect.flip(close("q_1", known))).toMatchObject(UNAVAILABLE)
        }
        expect(server.asked.length - before).toBe(3)
      })
    )
  )
})

describe("the secret key", () => {
  const wrong = "sk_test_wrongKeyThatNobodyShouldSee0123"

  it.live("is in no error and no log, even when Stripe repeats it in a response", () =>
    Effect.gen(function* () {
      const before = lines.length
      const faults: Array<unknown> = []
      const collect = (over: Parameters<typeof adapter>[0], ...troubles: ReadonlyArray<Trouble>) =>
        scene(
          Effect.gen(function* () {
            yield* troubled(...troubles)
            const closings = [null, PaymentSessionId.make("cs_test_1")].map((id) => Effect.asVoid(close("q_1", id)))
            for (const call of [Effect.asVoid(open("q_1")), ...closings])
              faults.push(yield* Effect.flip(Effect.sandbox(call)))
          }),
          over
        )
      yield* collect({ secretKey: Redacted.make(wrong) })
      yield* collect({ apiUrl: "http://127.0.0.1:9" })
      yield* collect({}, "limits", "limits", "limits")
      expect(faults.length).toBe(9)
      expect(lines.length - before).toBe(9)
      const texts = [...lines, ...faults.flatMap((fault) => [String(fault), JSON.stringify(fault)])].join("\n")
      expect(texts).toContain("StripeAuthenticationError")
      for (const secret of [wrong, SECRET_KEY]) expect(texts).not.toContain(secret.slice(8))
    })
  )
})
