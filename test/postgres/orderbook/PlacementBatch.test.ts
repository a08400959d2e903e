// Placements that are decided together come out as if each had been alone with the books: against the same decisions folded one
// after another, with twins, races for the last article and the last redemption, refusals and decisions that throw among them.
import { HashMap } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import { decideBatch } from "#adapters/postgres/orderbook/PlacementBatch.ts"
import { property } from "#test/Property.ts"
import { contextsFor, decideInSequence, loadedFor, orders, placementOf, shops } from "./PlacementArbitraries.ts"

const cases = fc.record({ books: shops, asked: fc.array(orders, { minLength: 1, maxLength: 12 }) })

property("many placements together are each as if alone, in their order", [cases], ({ books, asked }) => {
  const placements = asked.map(placementOf)
  const following = contextsFor(placements)
  const expected = decideInSequence(books, placements, following())
  const loaded = loadedFor(books, placements)
  const { results: answers, changes, writeContext: writing } = decideBatch(loaded, placements, following())
  expect(answers).toEqual(expected.answers)
  expect(changes).toEqual(expected.changes)
  expect(writing === null).toBe(changes.length === 0)
  if (writing === null) return
  // All that is the placements' own comes out the same; promotions are written as what was done to them.
  for (const shelf of ["accounts", "dailyUsage", "articles", "holds", "ledger", "quotes", "orders", "links"] as const) {
    expect(HashMap.toEntries<unknown, unknown>(writing.after[shelf])).toEqual(
      HashMap.toEntries<unknown, unknown>(expected.folded[shelf])
    )
  }
  const accountIds = new Set(expected.changing.map(({ reads }) => reads.accountId))
  expect(new Set(writing.loaded.versions.accounts.keys())).toEqual(accountIds)
  // The newest of their moments names it, so that whatever is decided on it has a later one.
  expect(writing.version).toBe(expected.stem)
  const siteIds = expected.changing.flatMap(({ reads }) => reads.siteIds).filter((siteId) => siteId < 5)
  expect(new Set(writing.loaded.versions.sites.keys())).toEqual(new Set(siteIds))
})
