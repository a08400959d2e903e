// What is read of a process's memory, from the text of a system that has it, and from this very process.
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { heldOf, residentBytes, residentMb, watched } from "./ResidentMemory.ts"

describe("the resident set", () => {
  it("is the line of that name, and no other", () => {
    const status = "Name:\tnode\nVmHWM:\t  999999 kB\nVmRSS:\t  205312 kB\nRssAnon:\t  150000 kB\n"
    expect(residentBytes(status)).toBe(205_312 * 1_024)
  })

  it("is unknown of a process that holds none, or of a system that does not tell", () => {
    expect(residentBytes("Name:\tnode\nState:\tZ (zombie)\n")).toBeNull()
    expect(residentBytes("")).toBeNull()
  })

  it("is unknown of all where it is unknown of one", async () => {
    // No process has a negative number.
    expect(await residentMb([process.pid, -1])).toBeNull()
  })

  it.runIf(process.platform === "linux")("adds up", async () => {
    const rssMb = process.memoryUsage.rss() / 1_000_000
    expect(await residentMb([process.pid, process.pid])).toBeGreaterThan(rssMb)
  })
})

describe("what is held over a time", () => {
  it("goes from the lowest reading to the highest", () => {
    expect(heldOf([300, 500, 402])).toEqual({ low: 300, mean: 401, high: 500 })
  })

  it("is unknown of no reading, and where one of them is unknown", () => {
    expect(heldOf([])).toBeNull()
    expect(heldOf([300, null])).toBeNull()
  })

  it("is read again and again, as long as something goes on", async () => {
    const { result, memoryMb } = await Effect.runPromise(watched(Effect.as(Effect.sleep("3 seconds"), 7), [-1]))
    expect(result).toBe(7)
    expect(memoryMb.length).toBeGreaterThan(1)
    expect(new Set(memoryMb)).toEqual(new Set([null]))
  })
})
