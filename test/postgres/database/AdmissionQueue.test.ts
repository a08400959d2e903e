// A seat is kept for as long as the patience that was promised, and not much longer, whenever it was taken.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { makeAdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"

it.effect("nobody is sent away before its patience has run out, nor a fifth of it later", () =>
  Effect.gen(function* () {
    const room = yield* makeAdmissionQueue({ capacity: 10, maxWait: "1 second" })
    const tired: Array<string> = []
    const enter = (name: string) => Effect.sync(() => room.admit({ timeOut: () => void tired.push(name) }))
    yield* TestClock.adjust("199 millis")
    yield* enter("just before a look")
    yield* TestClock.adjust("1 millis")
    yield* enter("just after a look")
    yield* TestClock.adjust("999 millis")
    expect(tired).toEqual([])
    yield* TestClock.adjust("1 millis")
    expect(tired).toEqual(["just before a look"])
    yield* TestClock.adjust("200 millis")
    expect(tired).toEqual(["just before a look", "just after a look"])
    expect(room.size).toBe(0)
  })
)
