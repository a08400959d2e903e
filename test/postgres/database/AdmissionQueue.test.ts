// When waiters time out, whatever time between two ticks they came at.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { makeAdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"

it.effect("waiters time out between the maximum wait and a fifth of it later", () =>
  Effect.gen(function* () {
    const queue = yield* makeAdmissionQueue({ capacity: 10, maxWait: "1 second" })
    const timedOut: Array<string> = []
    const admit = (name: string) => Effect.sync(() => queue.admit({ timeOut: () => void timedOut.push(name) }))
    yield* TestClock.adjust("199 millis")
    yield* admit("just before a tick")
    yield* TestClock.adjust("1 millis")
    yield* admit("just after a tick")
    yield* TestClock.adjust("999 millis")
    expect(timedOut).toEqual([])
    yield* TestClock.adjust("1 millis")
    expect(timedOut).toEqual(["just before a tick"])
    yield* TestClock.adjust("200 millis")
    expect(timedOut).toEqual(["just before a tick", "just after a tick"])
    expect(queue.size).toBe(0)
  })
)
