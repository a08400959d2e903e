// The ordered set against a plain sorted array, with runs short enough that they split and vanish all the time.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareEntries, type Entry, Sorted } from "#adapters/memory/Sorted.ts"
import { property } from "#test/Property.ts"

const entries: fc.Arbitrary<Entry> = fc.record({
  rank: fc.integer({ min: -3, max: 12 }),
  id: fc.constantFrom("", "a", "b", "c", "\uffff")
})

const deeds = fc.array(fc.record({ deed: fc.constantFrom("add", "add", "remove"), entry: entries }), { maxLength: 120 })

describe("Sorted", () => {
  property("an ordered set holds what a sorted array holds", [deeds, entries], (todo, place) => {
    const set = new Sorted(4)
    let model: ReadonlyArray<Entry> = []
    for (const { deed, entry } of todo) {
      const rest = model.filter((other) => compareEntries(other, entry) !== 0)
      if (deed === "add") set.add(entry)
      else set.remove(entry)
      model = (deed === "add" ? [...rest, entry] : rest).sort(compareEntries)
      expect(set.size).toBe(model.length)
    }
    expect([...set.after(null)]).toEqual(model)
    expect([...set.before(null)]).toEqual([...model].reverse())
    expect([...set.after(place)]).toEqual(model.filter((entry) => compareEntries(entry, place) > 0))
    expect([...set.before(place)]).toEqual(model.filter((entry) => compareEntries(entry, place) < 0).reverse())
    expect(set.first()).toEqual(model[0])
    expect(set.last()).toEqual(model.at(-1))
    for (let position = 0; position <= model.length; position++) expect(set.at(position)).toEqual(model[position])
  })

  it("keeps a hundred thousand entries in order, added ahead, behind and in between", () => {
    const set = new Sorted()
    const ranks = Array.from({ length: 100_000 }, (_, index) => (index * 7_919) % 100_003)
    for (const rank of ranks) set.add({ rank, id: "x" })
    const sorted = [...ranks].sort((a, b) => a - b)
    expect(Array.from(set.after(null), ({ rank }) => rank)).toEqual(sorted)
    expect(set.at(50_000)?.rank).toBe(sorted[50_000])
    for (const rank of ranks) if (rank % 10 !== 0) set.remove({ rank, id: "x" })
    expect(Array.from(set.before(null), ({ rank }) => rank)).toEqual(sorted.filter((rank) => rank % 10 === 0).reverse())
  })
})
