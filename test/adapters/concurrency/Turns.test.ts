// Items are taken one of each owner in turn, as from a list of lists.
import fc from "fast-check"
import { expect } from "vitest"
import { Turns, type Waiting } from "#adapters/concurrency/Turns.ts"
import { property } from "#test/Property.ts"

const owner = fc.constantFrom("a", "b", "c")

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: owner }) },
  { weight: 2, arbitrary: fc.constant("take" as const) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(20) }) }
)

/** Lines in the order of their turns, each from the oldest item to the newest. */
type Model = Array<{ readonly owner: string; readonly items: Array<number> }>

const removed = (model: Model, item: number): Model =>
  model
    .map(({ owner, items }) => ({ owner, items: items.filter((one) => one !== item) }))
    .filter(({ items }) => items.length > 0)

property("turns do the same as lists that are rotated", [fc.array(step, { maxLength: 60 })], (steps) => {
  const turns = new Turns<number>()
  const waiting: Array<Waiting<number>> = []
  let model: Model = []
  for (const one of steps) {
    if (one === "take") {
      const [line, ...others] = model
      const [item] = line?.items ?? []
      expect(turns.take()).toBe(item)
      if (line !== undefined && item !== undefined) model = removed([...others, line], item)
    } else if ("add" in one) {
      const item = waiting.length
      waiting.push(turns.add(one.add, item))
      const line = model.find(({ owner }) => owner === one.add)
      if (line === undefined) model.push({ owner: one.add, items: [item] })
      else line.items.push(item)
    } else {
      const item = waiting[one.remove]
      if (item === undefined) continue
      const isWaiting = model.some(({ items }) => items.includes(item.item))
      expect(turns.remove(item)).toBe(isWaiting)
      model = removed(model, item.item)
    }
    expect(turns.size).toBe(model.reduce((sum, { items }) => sum + items.length, 0))
  }
})
