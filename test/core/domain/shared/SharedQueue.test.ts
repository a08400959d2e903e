// Shares: whatever sources offer, none has more than its places, all wait their own turns, and who has few is not crowded out.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SharedQueue } from "#core/domain/shared/SharedQueue.ts"
import { Shares } from "#core/domain/shared/Shares.ts"
import { property } from "#test/Property.ts"

const BOUNDS = { capacity: 6, perSource: 3 }

const source = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h")
const steps = fc.array(fc.oneof(source, fc.constant(null)), { maxLength: 60 })

describe("a queue with shares", () => {
  property(
    "has at most its places in all and of each source, and gives what it took in the order of each source",
    [steps],
    (taken) => {
      const queue = new SharedQueue<readonly [source: string, number: number]>(BOUNDS)
      const given: Array<readonly [string, number]> = []
      for (const [number, step] of taken.entries()) {
        if (step === null) given.push(...[queue.take()].filter((item) => item !== undefined))
        else queue.offer(step, [step, number])
        expect(queue.size).toBeLessThanOrEqual(BOUNDS.capacity)
      }
      const left: Array<readonly [string, number]> = []
      for (let item = queue.take(); item !== undefined; item = queue.take()) left.push(item)
      expect(queue.size).toBe(0)
      expect(queue.take()).toBe(undefined)
      for (const name of new Set(left.map(([from]) => from)))
        expect(left.filter(([from]) => from === name).length).toBeLessThanOrEqual(BOUNDS.perSource)
      for (const name of new Set([...given, ...left].map(([from]) => from))) {
        const numbers = [...given, ...left].filter(([from]) => from === name).map(([, number]) => number)
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      }
    }
  )

  property(
    "lets one that comes after a flood wait for one turn of each source",
    [fc.integer({ min: 1, max: 5 })],
    (floods) => {
      const queue = new SharedQueue<string>({ capacity: 100, perSource: 10 })
      for (let nth = 0; nth < 20; nth++)
        for (let flood = 0; flood < floods; flood++) queue.offer(`flood ${flood}`, "flood")
      expect(queue.offer("member", "member")).toBe(true)
      const first = Array.from({ length: floods + 1 }, () => queue.take())
      expect(first).toContain("member")
    }
  )

  it("takes the last place of the source that has most, and none from sources that have as few", () => {
    const queue = new SharedQueue<string>({ capacity: 4, perSource: 3 })
    for (const item of ["a1", "a2", "a3", "b1"]) queue.offer(item.slice(0, 1), item)
    expect([queue.offer("a", "a4"), queue.offer("c", "c1"), queue.offer("b", "b2"), queue.offer("d", "d1")]).toEqual([
      false,
      true,
      false,
      true
    ])
    expect([queue.take(), queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
      "a1",
      "b1",
      "c1",
      "d1",
      undefined
    ])
  })
})

describe("shares", () => {
  property("are never more than there are, in all and of each source", [steps], (taken) => {
    const shares = new Shares(BOUNDS)
    const held: Array<string> = []
    for (const step of taken) {
      const own = held.filter((one) => one === step).length
      if (step === null) shares.giveBack(held.shift() ?? "none")
      else {
        const isTaken = shares.take(step)
        expect(isTaken).toBe(own < BOUNDS.perSource && held.length < BOUNDS.capacity)
        if (isTaken) held.push(step)
      }
    }
  })
})
