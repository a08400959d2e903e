// However much happens, whoever draws is told at most so many times a second, and what they are told is never older than that.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { DRAWS_PER_SECOND, makeTelling } from "#bench/ui/Telling.ts"
import { rush } from "../Rush.ts"
import { modelOf } from "../Story.ts"

describe("telling", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("tells at most 15 times in a second of rush hour, and then of everything", () => {
    const telling = makeTelling()
    let told = 0
    telling.subscribe(() => told++)
    const events = Array.from({ length: 1_000 }, (_, number) => rush(number)).flat()
    for (const [index, event] of events.entries()) {
      telling.hear(event)
      if (index % Math.ceil(events.length / 1_000) === 0) vi.advanceTimersByTime(1)
    }
    expect(told).toBeGreaterThan(DRAWS_PER_SECOND / 2)
    expect(told).toBeLessThanOrEqual(DRAWS_PER_SECOND)
    expect(telling.latest()).toEqual(modelOf(events))
    vi.advanceTimersByTime(1_000 / DRAWS_PER_SECOND + 1)
    expect(telling.told()).toBe(telling.latest())
  })

  it("says nothing where nothing happens, and nothing after it was stopped", () => {
    const telling = makeTelling()
    let told = 0
    const leave = telling.subscribe(() => told++)
    vi.advanceTimersByTime(1_000)
    expect(told).toBe(0)
    for (const event of rush(0)) telling.hear(event)
    telling.stop()
    vi.advanceTimersByTime(1_000)
    expect(told).toBe(0)
    leave()
  })
})
