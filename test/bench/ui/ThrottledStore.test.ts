// The store notifies at most 15 times a second, and its snapshot is never older than that.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { DRAWS_PER_SECOND, makeThrottledStore } from "#bench/ui/ThrottledStore.ts"
import { orderEvents } from "../model/OrderEventStream.ts"
import { modelOf } from "../model/SampleEvents.ts"

describe("the throttled store", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("notifies at most 15 times in a second of many events, and then has taken in all", () => {
    const store = makeThrottledStore()
    let snapshot = 0
    store.subscribe(() => snapshot++)
    const events = Array.from({ length: 1_000 }, (_, number) => orderEvents(number)).flat()
    for (const [index, event] of events.entries()) {
      store.push(event)
      if (index % Math.ceil(events.length / 1_000) === 0) vi.advanceTimersByTime(1)
    }
    expect(snapshot).toBeGreaterThan(DRAWS_PER_SECOND / 2)
    expect(snapshot).toBeLessThanOrEqual(DRAWS_PER_SECOND)
    expect(store.latest()).toEqual(modelOf(events))
    vi.advanceTimersByTime(1_000 / DRAWS_PER_SECOND + 1)
    expect(store.snapshot()).toBe(store.latest())
  })

  it("notifies of nothing without events, and not after it was stopped", () => {
    const store = makeThrottledStore()
    let snapshot = 0
    const leave = store.subscribe(() => snapshot++)
    vi.advanceTimersByTime(1_000)
    expect(snapshot).toBe(0)
    for (const event of orderEvents(0)) store.push(event)
    store.stop()
    vi.advanceTimersByTime(1_000)
    expect(snapshot).toBe(0)
    leave()
  })
})
