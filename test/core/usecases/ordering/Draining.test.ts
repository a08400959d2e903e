// An instance drains once its store has a newer schema: it takes no orders, and jobs end. An unavailable store is no reason.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { Readiness } from "#core/ports/operations/Readiness.ts"
import { SchemaTooNew, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Draining } from "#core/usecases/ordering/Draining.ts"

const newer = new SchemaTooNew({ step: "999_of_tomorrow" })

it.effect(
  "an instance beside a newer schema takes no orders, and its jobs end, also when the store is away before",
  () =>
    Effect.gen(function* () {
      const state = yield* Ref.make<Effect.Effect<void, SchemaTooNew | StoreUnavailable>>(Effect.void)
      const readiness = Layer.succeed(Readiness, { writable: Effect.flatten(Ref.get(state)), isShared: true })
      yield* Effect.gen(function* () {
        const { refuseOrders, untilDrained, watch } = yield* Draining
        const watching = yield* Effect.forkChild(watch)
        const job = yield* Effect.forkChild(untilDrained(Effect.never))
        for (const before of [Effect.void, Effect.fail(new StoreUnavailable({ retryAfterSeconds: 1 }))]) {
          yield* Ref.set(state, before)
          yield* TestClock.adjust("1 minute")
          yield* refuseOrders
          expect(job.pollUnsafe()).toBeUndefined()
        }
        yield* Ref.set(state, Effect.fail(newer))
        yield* TestClock.adjust("2 seconds")
        expect(yield* Fiber.join(watching)).toBe(newer)
        expect(yield* Fiber.await(job)).toMatchObject({ _tag: "Success" })
        expect(yield* Effect.exit(refuseOrders)).toEqual(Exit.fail(newer))
        // For good: what the newer version has written stays.
        yield* Ref.set(state, Effect.void)
        yield* TestClock.adjust("1 minute")
        expect(yield* Effect.flip(refuseOrders)).toBe(newer)
      }).pipe(Effect.provide(Draining.layer.pipe(Layer.provide(readiness))))
    })
)

it.effect("an instance does not look at a store that is its own", () =>
  Effect.gen(function* () {
    const looks = yield* Ref.make(0)
    const writable = Ref.update(looks, (count) => count + 1)
    yield* Effect.gen(function* () {
      yield* Effect.forkChild(Effect.flatMap(Draining, ({ watch }) => watch))
      yield* TestClock.adjust("1 hour")
    }).pipe(Effect.provide(Draining.layer.pipe(Layer.provide(Layer.succeed(Readiness, { writable, isShared: false })))))
    expect(yield* Ref.get(looks)).toBe(0)
  })
)
