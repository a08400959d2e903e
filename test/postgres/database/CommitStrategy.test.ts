// The choice between serial and parallel commits, by what recent commits spent their time on.
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { expect } from "vitest"
import { CommitTimes, makeCommitStrategy } from "#adapters/postgres/database/CommitStrategy.ts"
import type { RunSql } from "#adapters/postgres/database/Connections.ts"

/** Whether commits are I/O-bound after these were recorded. */
const isIoBound = (...commits: ReadonlyArray<readonly [workedMs: number, tookMs: number, often?: number]>): boolean => {
  const times = new CommitTimes()
  for (const [workedMs, tookMs, often = 1] of commits) {
    for (let n = 0; n < often; n++) times.record(workedMs, tookMs)
  }
  return times.isIoBound
}

describe("commit times", () => {
  it("are I/O-bound if waits take more than half as long as the work", () => {
    expect(isIoBound([10, 15, 32])).toBe(false)
    expect(isIoBound([10, 15.1, 32])).toBe(true)
  })

  it("are not judged before there are eight of them", () => {
    expect(isIoBound()).toBe(false)
    expect(isIoBound([1, 21, 7])).toBe(false)
    expect(isIoBound([1, 21, 8])).toBe(true)
  })

  it("are not I/O-bound as long as every fourth commit waited little", () => {
    expect(isIoBound([10, 11, 9], [10, 60, 23])).toBe(false)
    expect(isIoBound([10, 11, 8], [10, 60, 24])).toBe(true)
  })

  it("count for the next 32 commits only", () => {
    expect(isIoBound([1, 21, 100], [10, 11, 8])).toBe(true)
    expect(isIoBound([1, 21, 100], [10, 11, 32])).toBe(false)
    expect(isIoBound([10, 11, 100], [10, 30, 32])).toBe(true)
  })
})

/**
 * A strategy whose statements have their duration and their working time as parameters, and advance the clock by the former. Serial
 * ones wait while `serialGate` is closed.
 */
const testStrategy = () => {
  let nowMs = 0
  const sent: Array<string> = []
  const serialGate = Latch.makeUnsafe(true)
  const runSql =
    (name: string, before: Effect.Effect<unknown>): RunSql<never> =>
    (sql, [tookMs, workedMs]) =>
      Effect.andThen(
        before,
        Effect.sync(() => {
          sent.push(`${sql} ${name}`)
          nowMs += Number(tookMs)
          return workedMs === undefined ? [] : [{ worked_ms: workedMs }]
        })
      )
  return {
    sent,
    serialGate,
    commit: makeCommitStrategy(runSql("serial", serialGate.await), runSql("parallel", Effect.void), () => nowMs)
  }
}

describe("the commit strategy", () => {
  it.effect("is serial until commits are I/O-bound, and parallel until they are not", () =>
    Effect.gen(function* () {
      const { sent, commit } = testStrategy()
      const repeat = (name: string, tookMs: number, often: number) =>
        Effect.all(Array.from({ length: often }, () => commit(name, [tookMs, 10])))
      yield* repeat("slow", 30, 9)
      yield* repeat("quick", 11, 8)
      yield* repeat("last", 11, 2)
      expect(sent.slice(0, 9)).toEqual([...Array(8).fill("slow serial"), "slow parallel"])
      expect(sent.slice(9)).toEqual([
        ...Array(4).fill("quick parallel"),
        ...Array(4).fill("quick serial"),
        ...Array(2).fill("last serial")
      ])
    })
  )

  it.effect("does not count the wait of a serial commit for those before it", () =>
    Effect.gen(function* () {
      const { sent, commit, serialGate } = testStrategy()
      yield* serialGate.close
      const fibers = yield* Effect.forEach(Array.from({ length: 40 }), () =>
        Effect.forkChild(commit("x", [20, 20]), { startImmediately: true })
      )
      yield* serialGate.open
      yield* Effect.forEach(fibers, Fiber.join)
      yield* commit("y", [20, 20])
      expect(sent).toEqual([...Array(40).fill("x serial"), "y serial"])
    })
  )

  it.effect("ignores statements without a working time", () =>
    Effect.gen(function* () {
      const { sent, commit } = testStrategy()
      yield* Effect.all(Array.from({ length: 40 }, () => commit("unmeasured", [1_000])))
      expect(sent).toEqual(Array(40).fill("unmeasured serial"))
    })
  )
})
