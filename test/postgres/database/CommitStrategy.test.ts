// Which way a commit takes, by what those before it took their time for.
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { expect } from "vitest"
import { CommitTimes, makeCommitStrategy } from "#adapters/postgres/database/CommitStrategy.ts"
import type { RunSql } from "#adapters/postgres/database/Connections.ts"

/** Noted one after the other; whether they were waits then. */
const areWaits = (...commits: ReadonlyArray<readonly [workedMs: number, tookMs: number, often?: number]>): boolean => {
  const times = new CommitTimes()
  for (const [workedMs, tookMs, often = 1] of commits) {
    for (let n = 0; n < often; n++) times.record(workedMs, tookMs)
  }
  return times.isIoBound
}

describe("commits", () => {
  it("are waits where they take more than half as long again as is worked on them", () => {
    expect(areWaits([10, 15, 32])).toBe(false)
    expect(areWaits([10, 15.1, 32])).toBe(true)
  })

  it("are not before there were eight of them", () => {
    expect(areWaits()).toBe(false)
    expect(areWaits([1, 21, 7])).toBe(false)
    expect(areWaits([1, 21, 8])).toBe(true)
  })

  it("are not for those that something else kept waiting, as long as every fourth was not", () => {
    expect(areWaits([10, 11, 9], [10, 60, 23])).toBe(false)
    expect(areWaits([10, 11, 8], [10, 60, 24])).toBe(true)
  })

  it("are forgotten after the next 32", () => {
    expect(areWaits([1, 21, 100], [10, 11, 8])).toBe(true)
    expect(areWaits([1, 21, 100], [10, 11, 32])).toBe(false)
    expect(areWaits([10, 11, 100], [10, 30, 32])).toBe(true)
  })
})

/**
 * A lane whose statements take as long as they say, by a clock that only they move, and are worked on as long as they say. What goes
 * in a row waits while `row` is closed.
 */
const lane = () => {
  let nowMs = 0
  const taken: Array<string> = []
  const row = Latch.makeUnsafe(true)
  const way =
    (name: string, before: Effect.Effect<unknown>): RunSql<never> =>
    (sql, [tookMs, workedMs]) =>
      Effect.andThen(
        before,
        Effect.sync(() => {
          taken.push(`${sql} ${name}`)
          nowMs += Number(tookMs)
          return workedMs === undefined ? [] : [{ worked_ms: workedMs }]
        })
      )
  return {
    taken,
    row,
    commit: makeCommitStrategy(way("in a row", row.await), way("side by side", Effect.void), () => nowMs)
  }
}

describe("the lane of commits", () => {
  it.effect("goes in a row until they are waits, then side by side until they are not", () =>
    Effect.gen(function* () {
      const { taken, commit } = lane()
      const send = (name: string, tookMs: number, often: number) =>
        Effect.all(Array.from({ length: often }, () => commit(name, [tookMs, 10])))
      yield* send("slow", 30, 9)
      yield* send("quick", 11, 8)
      yield* send("last", 11, 2)
      expect(taken.slice(0, 9)).toEqual([...Array(8).fill("slow in a row"), "slow side by side"])
      expect(taken.slice(9)).toEqual([
        ...Array(4).fill("quick side by side"),
        ...Array(4).fill("quick in a row"),
        ...Array(2).fill("last in a row")
      ])
    })
  )

  it.effect("does not count what one in the row waits for those before it", () =>
    Effect.gen(function* () {
      const { taken, commit, row } = lane()
      yield* row.close
      const sent = yield* Effect.forEach(Array.from({ length: 40 }), () =>
        Effect.forkChild(commit("x", [20, 20]), { startImmediately: true })
      )
      yield* row.open
      yield* Effect.forEach(sent, Fiber.join)
      yield* commit("y", [20, 20])
      expect(taken).toEqual([...Array(40).fill("x in a row"), "y in a row"])
    })
  )

  it.effect("learns nothing from statements that do not tell", () =>
    Effect.gen(function* () {
      const { taken, commit } = lane()
      yield* Effect.all(Array.from({ length: 40 }, () => commit("mute", [1_000])))
      expect(taken).toEqual(Array(40).fill("mute in a row"))
    })
  )
})
