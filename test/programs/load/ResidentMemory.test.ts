// Resident memory, read from a status file and from this process.
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { memoryRange, residentBytes, residentMb, withMemoryReadings } from "./ResidentMemory.ts"

describe("the resident set", () => {
  it("is read from the line of that name", () => {
    const status = "Name:\tnode\nVmHWM:\t  999999 kB\nVmRSS:\t  205312 kB\nRssAnon:\t  150000 kB\n"
    expect(residentBytes(status)).toBe(205_312 * 1_024)
  })

  it("is unknown for a process without one, and on a system that does not report it", () => {
    expect(residentBytes("Name:\tnode\nState:\tZ (zombie)\n")).toBeNull()
    expect(residentBytes("")).toBeNull()
  })

  it("is unknown for all if it is unknown for one", async () => {
    // No process has a negative id.
    expect(await residentMb([process.pid, -1])).toBeNull()
  })

  it.runIf(process.platform === "linux")("adds up", async () => {
    const rssMb = process.memoryUsage.rss() / 1_000_000
    expect(await residentMb([process.pid, process.pid])).toBeGreaterThan(rssMb)
  })
})

describe("memory over time", () => {
  it("ranges from the lowest reading to the highest", () => {
    expect(memoryRange([300, 500, 402])).toEqual({ low: 300, mean: 401, high: 500 })
  })

  it("is unknown without readings, and with an unknown one", () => {
    expect(memoryRange([])).toBeNull()
    expect(memoryRange([300, null])).toBeNull()
  })

  it("is read every second while the effect runs", async () => {
    const { result, memoryMb } = await Effect.runPromise(
      withMemoryReadings(Effect.as(Effect.sleep("3 seconds"), 7), [-1])
    )
    expect(result).toBe(7)
    expect(memoryMb.length).toBeGreaterThan(1)
    expect(new Set(memoryMb)).toEqual(new Set([null]))
  })
})
