// Placements that are decided while earlier ones of their account are being written come out as if they had been decided after them.
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
  "a batch on top of one that is being written is as if it came after it",
  [halves],
  ({ books, earlier, later }) => {
    const [before, after] = [earlier.map(placementOf), later.map(placementOf)]
    const following = contextsFor([...before, ...after])
    const expected = decideInSequence(books, [...before, ...after], following())
    const batch = decideBatch(loadedFor(books, before), before, following())
    const loaded = loadedFor(books, after)
    const top = rebase(loaded, "acc_rich", batch)
    // What others may want as well is not foreseen: articles, and promotions that can run out.
    const wanted = batch.changes.some((change) => "articleId" in change || ("code" in change && change.code === "LAST"))
    expect(top === null).toBe(wanted)
    if (top === null) return
    const { results: answers, changes, writeContext: writing } = decideBatch(top, after, following(before.length))
    expect(answers).toEqual(expected.answers.slice(before.length))
    expect([...batch.changes, ...changes]).toEqual(expected.changes)
    if (writing === null) return
    expect(writing.loaded.versions.accounts.get("acc_rich")).toBe(batch.writeContext?.version ?? "version of acc_rich")
    for (const shelf of ["accounts", "dailyUsage"] as const) {
      expect(HashMap.toEntries<unknown, unknown>(writing.after[shelf])).toEqual(
        HashMap.toEntries<unknown, unknown>(expected.folded[shelf])
      )
    }
  }
)

it("what was loaded when the earlier batch was written already is taken as it is, what others wrote meanwhile is not", () => {
  const books = booksOf({
    ...stock,
    accounts: [account("acc_rich", 5_000, welcomeSpent)],
    keys: [key("key_rich", "acc_rich")]
  })
  const one = placementOf({ ...plain, keyId: "key_rich" })
  const loaded = loadedFor(books, [one])
  const batch = decideBatch(loaded, [one], contextsFor([one])())
  const seen = (version: string): LoadedBooks => ({
    ...loaded,
    versions: { ...loaded.versions, accounts: new Map([["acc_rich", version]]) }
  })
  const written = seen(batch.writeContext?.version ?? "")
  expect(rebase(written, "acc_rich", batch)).toBe(written)
  expect(rebase(seen("somebody else's"), "acc_rich", batch)).toBeNull()
  expect(rebase(loaded, "acc_rich", { results: [], changes: [], writeContext: null })).toBe(loaded)
})
