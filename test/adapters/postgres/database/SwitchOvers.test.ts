// When the connections of all pools are renewed: after a failure that a switch-over causes, and again once writes succeed.
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { makeSwitchOvers } from "#adapters/postgres/database/SwitchOvers.ts"

const failure = (code: string) => new SqlError({ reason: new ConnectionError({ cause: { code }, message: code }) })

const watched = () => {
  const switchOvers = makeSwitchOvers()
  const renewed: Array<string> = []
  for (const pool of ["orders", "commits"]) switchOvers.add(Effect.sync(() => void renewed.push(pool)))
  return { ...switchOvers, renewed }
}

describe("connections", () => {
  it.effect.each(["25006", "57P01", "57P02", "57P03"])("are renewed in all pools after SQLSTATE %s", (code) =>
    Effect.gen(function* () {
      const { failed, renewed } = watched()
      yield* failed(failure(code))
      expect(renewed).toEqual(["orders", "commits"])
    })
  )

  it.effect.each(["57014", "23505", "40001", "53300"])(
    "stay after SQLSTATE %s, which says nothing of the server",
    (code) =>
      Effect.gen(function* () {
        const { failed, written, renewed } = watched()
        yield* failed(failure(code))
        yield* written
        expect(renewed).toEqual([])
      })
  )

  it.effect("are renewed twice a second at most while writes fail", () =>
    Effect.gen(function* () {
      const { failed, renewed } = watched()
      yield* failed(failure("25006"))
      yield* failed(failure("25006"))
      expect(renewed.length).toBe(2)
      yield* TestClock.adjust("500 millis")
      yield* failed(failure("25006"))
      expect(renewed.length).toBe(4)
    })
  )

  it.effect(
    "are renewed once more by the first write that succeeds: a reader may have connected before the address moved",
    () =>
      Effect.gen(function* () {
        const { failed, written, renewed } = watched()
        yield* failed(failure("25006"))
        yield* written
        expect(renewed.length).toBe(4)
        yield* written
        expect(renewed.length).toBe(4)
      })
  )

  it.effect("are renewed by the first write after a connection has ended, even just after a renewal", () =>
    Effect.gen(function* () {
      const { failed, written, renewed } = watched()
      yield* failed(unavailable)
      yield* written
      expect(renewed.length).toBe(2)
      // The switch-over: what is renewed at once may still reach the old primary.
      yield* failed(failure("25006"))
      expect(renewed.length).toBe(4)
      yield* written
      expect(renewed.length).toBe(6)
    })
  )

  it.effect("are renewed by the first write after a statement without an answer, twice a second at most", () =>
    Effect.gen(function* () {
      const { failed, written, renewed } = watched()
      yield* failed(unavailable)
      expect(renewed).toEqual([])
      yield* written
      expect(renewed.length).toBe(2)
      yield* failed(unavailable)
      yield* written
      expect(renewed.length).toBe(2)
      yield* TestClock.adjust("500 millis")
      yield* written
      expect(renewed.length).toBe(4)
    })
  )
})
