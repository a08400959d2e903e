// What has expired of sign-ins, invitations and grants goes in the same pass as finished records, however long those are kept.
import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { BoundCalls } from "#core/ports/access/BoundCalls.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { Challenges } from "#core/ports/members/Challenges.ts"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { AgentActivity } from "#core/ports/operations/AgentActivity.ts"
import { Retention } from "#core/ports/operations/Retention.ts"
import { Sheets } from "#core/ports/pricing/Sheets.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { FreeFinished } from "#core/usecases/operations/FreeFinished.ts"

it.effect("a pass deletes what has expired, in steps, and frees what has a span", () =>
  Effect.gen(function* () {
    const done: Array<string> = []
    const expired = [500, 500, 3]
    const note = (what: string) => Effect.sync(() => void done.push(what))
    const stores = Layer.mergeAll(
      Layer.mock(Sessions, { prune: note("sessions") }),
      Layer.mock(BoundCalls, {}),
      Layer.mock(Challenges, { prune: note("challenges") }),
      Layer.mock(Invitations, { prune: note("invitations") }),
      Layer.mock(Sheets, { prune: note("sheets") }),
      Layer.mock(AgentActivity, { prune: note("refusals") }),
      Layer.mock(Grants, {
        prune: (limit) => Effect.suspend(() => Effect.as(note(`${limit} grants`), expired.shift() ?? 0))
      }),
      Layer.mock(Retention, {
        free: ({ kind }) => Effect.as(note(kind), { freed: { deliveries: 2 }, next: null })
      })
    )
    const pass = FreeFinished.use((jobs) => jobs.pass({ deliveries: 5, sandbox: 0, answers: 0 }))
    const running = yield* Effect.forkChild(Effect.provide(pass, Layer.provide(FreeFinished.layer, stores)))
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(running)).toEqual({ deliveries: 2 })
    const grants = "500 grants"
    expect(done).toEqual([
      "sessions",
      "challenges",
      "invitations",
      "refusals",
      grants,
      grants,
      grants,
      "sheets",
      "deliveries"
    ])
  })
)

it.effect("a part that cannot be freed stops no other, is named in the log, and fails the pass", () =>
  Effect.gen(function* () {
    const done: Array<string> = []
    const note = (what: string) => Effect.sync(() => void done.push(what))
    const failure = new StoreUnavailable({ retryAfterSeconds: 1 })
    const stores = Layer.mergeAll(
      Layer.mock(Sessions, { prune: Effect.fail(failure) }),
      Layer.mock(BoundCalls, {}),
      Layer.mock(Challenges, { prune: note("challenges") }),
      Layer.mock(Invitations, { prune: note("invitations") }),
      Layer.mock(Sheets, { prune: note("sheets") }),
      Layer.mock(AgentActivity, { prune: note("refusals") }),
      Layer.mock(Grants, { prune: () => Effect.as(note("grants"), 0) }),
      Layer.mock(Retention, {
        free: ({ kind }) =>
          kind === "deliveries" ? Effect.fail(failure) : Effect.as(note(kind), { freed: {}, next: null })
      })
    )
    const logged: Array<unknown> = []
    const log = Logger.make(
      ({ fiber }) => void logged.push(Context.get(fiber.context, References.CurrentLogAnnotations))
    )
    const pass = FreeFinished.use((jobs) => jobs.pass({ deliveries: 5, sandbox: 5, answers: 5 }))
    const failed = yield* Effect.flip(pass).pipe(
      Effect.provide(Layer.provide(FreeFinished.layer, stores)),
      Effect.provide(Logger.layer([log]))
    )
    expect(failed).toBe(failure)
    expect(done).toEqual(["challenges", "invitations", "refusals", "grants", "sheets", "sandbox", "answers"])
    expect(logged).toEqual([{ part: "sessions" }, { part: "deliveries" }])
  })
)
