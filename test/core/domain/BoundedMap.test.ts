// Bounded maps and sets keep the entries that were set last.
import { describe, expect, it } from "vitest"
import { BoundedMap, BoundedSet } from "#core/domain/BoundedMap.ts"

describe("a bounded map", () => {
  it("drops the entry that was set longest ago once it is full", () => {
    const map = new BoundedMap<string, number>(2)
    map.set("a", 1).set("b", 2).set("a", 3).set("c", 4)
    expect([...map]).toEqual([
      ["a", 3],
      ["c", 4]
    ])
  })

  it("drops nothing when an entry that it has is set again", () => {
    const map = new BoundedMap<string, number>(2)
    map.set("a", 1).set("b", 2).set("b", 3)
    expect([...map.keys()]).toEqual(["a", "b"])
  })
})

describe("a bounded set", () => {
  it("drops the value that was added longest ago once it is full", () => {
    const set = new BoundedSet<string>(2)
    set.add("a").add("b").add("a").add("c")
    expect([...set]).toEqual(["a", "c"])
  })
})
