// Bounded maps and sets keep the entries that were set last.
import { describe, expect, it } from "vitest"
import { BoundedMap, BoundedSet } from "#core/domain/shared/BoundedMap.ts"

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

describe("a map bounded by the size of its entries", () => {
  const sized = () => new BoundedMap<string, string>(10, (key, value) => key.length + value.length)

  it("drops as many of the oldest entries as a new one needs", () => {
    const map = sized().set("a", "123").set("b", "1").set("c", "123")
    expect([...map.keys()]).toEqual(["a", "b", "c"])
    map.set("d", "1234")
    expect([...map.keys()]).toEqual(["c", "d"])
    map.set("c", "12345")
    expect([...map]).toEqual([["c", "12345"]])
  })

  it("keeps no entry that is too large, and has room again for what was deleted", () => {
    const map = sized().set("a", "12345").set("b", "1234567890")
    expect(map.size).toBe(0)
    map.set("a", "12345678").delete("a")
    expect(map.delete("a")).toBe(false)
    map.set("b", "12345678").clear()
    map.set("c", "1234").set("d", "1234")
    expect([...map.keys()]).toEqual(["c", "d"])
  })
})

describe("a bounded set", () => {
  it("drops the value that was added longest ago once it is full", () => {
    const set = new BoundedSet<string>(2)
    set.add("a").add("b").add("a").add("c")
    expect([...set]).toEqual(["a", "c"])
  })
})
