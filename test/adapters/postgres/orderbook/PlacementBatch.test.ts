// Decisions in one batch, compared with the same decisions applied one after another: with equal idempotency keys, the last article and the
// last redemption, refusals and decisions that throw among them.
import { HashMap } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import { decidePlacements } from "#adapters/postgres/orderbook/PlacementBatch.ts"
import { find } from "#core/decisions/Books.ts"
import { property } from "#test/Property.ts"
import { contextsFor, decideInSequence, loadedFor, orders, placementOf, shops } from "./PlacementArbitraries.ts"

const cases = fc.record({ books: shops, asked: fc.array(orders, { minLength: 1, maxLength: 12 }) })

property("placements in one batch have the results that they have one after another", [cases], ({ books, asked }) => {
  const placements = asked.map(placementOf)
  const following = contextsFor(placements)
  const expected = decideInSequence(books, placements, following())
  const loaded = loadedFor(books, placements)
  const { results, writeContext } = decidePlacements(loaded, placements, following())
  expect(results).toEqual(expected.results)
  expect(writeContext === null).toBe(expected.changes.length === 0)
  if (writeContext === null) return
  // Not the promotions: the batch has only each account's view of them.
  for (const table of ["accounts", "dailyUsage", "articles", "holds", "ledger", "quotes", "orders", "links"] as const) {
    expect(HashMap.toEntries<unknown, unknown>(writeContext.after[table])).toEqual(
      HashMap.toEntries<unknown, unknown>(expected.folded[table])
    )
  }
  for (const { code, redeemed } of HashMap.values(loaded.books.promos)) {
    const spent = expected.changes.filter((change) => change._tag === "PromoSpent" && change.code === code).length
    expect(find(writeContext.after.promos, code)?.redeemed).toBe(redeemed + spent)
  }
  const accountIds = new Set(expected.changing.map(({ reads }) => reads.accountId))
  expect(new Set(writeContext.loaded.versions.accounts.keys())).toEqual(accountIds)
  // The newest id prefix of the batch, so that later decisions have later ones.
  expect(writeContext.version).toBe(expected.version)
  const siteIds = expected.changing.flatMap(({ reads }) => reads.siteIds).filter((siteId) => siteId < 5)
  expect(new Set(writeContext.loaded.versions.sites.keys())).toEqual(new Set(siteIds))
})
