// Placements that are decided while an earlier batch of their account is being written, compared with decisions after it.
import { HashMap } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import type { LoadedBooks } from "#adapters/postgres/orderbook/LoadedBooks.ts"
import { decideBatch, rebase } from "#adapters/postgres/orderbook/PlacementBatch.ts"
import { account, booksOf, key, stock, welcomeSpent } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"
import { contextsFor, decideInSequence, loadedFor, orders, placementOf, plain, shops } from "./PlacementArbitraries.ts"

const ofOneAccount = orders.map((order) => ({ ...order, keyId: order.keyId === "key_poor" ? "key_rich" : order.keyId }))

const halves = fc.record({
  books: shops,
  earlier: fc.array(ofOneAccount, { minLength: 1, maxLength: 6 }),
  later: fc.array(ofOneAccount, { minLength: 1, maxLength: 6 })
})

property(
  "a batch decided on rebased books has the same result as one decided after the earlier batch was written",
  [halves],
  ({ books, earlier, later }) => {
    const [before, after] = [earlier.map(placementOf), later.map(placementOf)]
    const following = contextsFor([...before, ...after])
    const expected = decideInSequence(books, [...before, ...after], following())
    const batch = decideBatch(loadedFor(books, before), before, following())
    const loaded = loadedFor(books, after)
    const rebased = rebase(loaded, "acc_rich", batch)
    // Rows that other accounts may change, too: articles, and promotions that can run out.
    const changesSharedRows = batch.changes.some(
      (change) => "articleId" in change || ("code" in change && change.code === "LAST")
    )
    expect(rebased === null).toBe(changesSharedRows)
    if (rebased === null) return
    const { results, changes, writeContext } = decideBatch(rebased, after, following(before.length))
    expect(results).toEqual(expected.results.slice(before.length))
    expect([...batch.changes, ...changes]).toEqual(expected.changes)
    if (writeContext === null) return
    expect(writeContext.loaded.versions.accounts.get("acc_rich")).toBe(
      batch.writeContext?.version ?? "version of acc_rich"
    )
    for (const table of ["accounts", "dailyUsage"] as const) {
      expect(HashMap.toEntries<unknown, unknown>(writeContext.after[table])).toEqual(
        HashMap.toEntries<unknown, unknown>(expected.folded[table])
      )
    }
  }
)

it("books loaded after the earlier batch was written stay as they are, and books with another change are rejected", () => {
  const books = booksOf({
    ...stock,
    accounts: [account("acc_rich", 5_000, welcomeSpent)],
    keys: [key("key_rich", "acc_rich")]
  })
  const one = placementOf({ ...plain, keyId: "key_rich" })
  const loaded = loadedFor(books, [one])
  const batch = decideBatch(loaded, [one], contextsFor([one])())
  const withVersion = (version: string): LoadedBooks => ({
    ...loaded,
    versions: { ...loaded.versions, accounts: new Map([["acc_rich", version]]) }
  })
  const written = withVersion(batch.writeContext?.version ?? "")
  expect(rebase(written, "acc_rich", batch)).toBe(written)
  expect(rebase(withVersion("another"), "acc_rich", batch)).toBeNull()
  expect(rebase(loaded, "acc_rich", { results: [], changes: [], writeContext: null })).toBe(loaded)
})
