// The sorted set against a plain sorted array, with runs short enough to split and vanish all the time.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareEntries, type Entry, SortedSet } from "#adapters/memory/books/SortedSet.ts"
import { property } from "#test/Property.ts"

const entries: fc.Arbitrary<Entry> = fc.record({
  score: fc.integer({ min: -3, max: 12 }),
  id: fc.constantFrom("", "a", "b", "c", "\uffff")
})

const commands = fc.array(fc.record({ do: fc.constantFrom("add", "add", "remove"), entry: entries }), {
  maxLength: 120
})

describe("SortedSet", () => {
  property("holds and iterates what a sorted array holds", [commands, entries], (todo, start) => {
    const set = new SortedSet(4)
    let model: ReadonlyArray<Entry> = []
    for (const { do: kind, entry } of todo) {
      const rest = model.filter((other) => compareEntries(other, entry) !== 0)
      if (kind === "add") set.add(entry)
      else set.remove(entry)
      model = (kind === "add" ? [...rest, entry] : rest).sort(compareEntries)
      expect(set.size).toBe(model.length)
    }
    expect([...set.after(null)]).toEqual(model)
    expect([...set.before(null)]).toEqual([...model].reverse())
    expect([...set.after(start)]).toEqual(model.filter((entry) => compareEntries(entry, start) > 0))
    expect([...set.before(start)]).toEqual(model.filter((entry) => compareEntries(entry, start) < 0).reverse())
    expect(set.first()).toEqual(model[0])
    expect(set.last()).toEqual(model.at(-1))
    for (let position = 0; position <= model.length; position++) expect(set.at(position)).toEqual(model[position])
  })

  it("keeps a hundred thousand entries in order, whatever the order of insertion", () => {
    const set = new SortedSet()
    const scores = Array.from({ length: 100_000 }, (_, index) => (index * 7_919) % 100_003)
    for (const score of scores) set.add({ score, id: "x" })
    const sorted = [...scores].sort((a, b) => a - b)
    expect(Array.from(set.after(null), ({ score }) => score)).toEqual(sorted)
    expect(set.at(50_000)?.score).toBe(sorted[50_000])
    for (const score of scores) if (score % 10 !== 0) set.remove({ score, id: "x" })
    expect(Array.from(set.before(null), ({ score }) => score)).toEqual(
      sorted.filter((score) => score % 10 === 0).reverse()
    )
  })
})
