// What has expired of sign-ins and grants goes in the same pass as finished records, however long those are kept.
import { it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { Grants } from "#core/ports/access/Grants.ts"
import { Challenges } from "#core/ports/members/Challenges.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { Retention } from "#core/ports/operations/Retention.ts"
import { FreeFinished } from "#core/usecases/operations/FreeFinished.ts"

it.effect("a pass deletes what has expired, in steps, and frees what has a span", () =>
  Effect.gen(function* () {
    const done: Array<string> = []
    const expired = [500, 500, 3]
    const note = (what: string) => Effect.sync(() => void done.push(what))
    const stores = Layer.mergeAll(
      Layer.mock(Sessions, { prune: (nowMs) => note(`sessions until ${nowMs}`) }),
      Layer.mock(Challenges, { prune: (nowMs) => note(`challenges until ${nowMs}`) }),
      Layer.mock(Grants, {
        prune: (nowMs, limit) => Effect.as(note(`${limit} grants until ${nowMs}`), expired.shift() ?? 0)
      }),
      Layer.mock(Retention, {
        free: ({ kind }) => Effect.as(note(kind), { freed: { deliveries: 2 }, next: null })
      })
    )
    yield* TestClock.setTime(1_000)
    const pass = FreeFinished.use((jobs) => jobs.pass({ deliveries: 5, sandbox: 0, answers: 0 }))
    const running = yield* Effect.forkChild(Effect.provide(pass, Layer.provide(FreeFinished.layer, stores)))
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(running)).toEqual({ deliveries: 2 })
    const grants = "500 grants until 1000"
    expect(done).toEqual(["sessions until 1000", "challenges until 1000", grants, grants, grants, "deliveries"])
  })
)
