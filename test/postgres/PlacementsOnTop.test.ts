// Placements that are decided while earlier ones of their account are being written come out as if they had been decided after them.
import { HashMap } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import type { LoadedBooks } from "#adapters/postgres/LoadedBooks.ts"
import { decideTogether, onTop } from "#adapters/postgres/PlacementBatch.ts"
import { account, booksOf, key, stock, welcomeSpent } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"
import { loadedFor, momentsFor, oneAfterAnother, orders, placementOf, plain, shops } from "./Placing.ts"

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
    const following = momentsFor([...before, ...after])
    const expected = oneAfterAnother(books, [...before, ...after], following())
    const batch = decideTogether(loadedFor(books, before), before, following())
    const loaded = loadedFor(books, after)
    const top = onTop(loaded, "acc_rich", batch)
    // What others may want as well is not foreseen: articles, and promotions that can run out.
    const wanted = batch.changes.some((change) => "articleId" in change || ("code" in change && change.code === "LAST"))
    expect(top === null).toBe(wanted)
    if (top === null) return
    const { answers, changes, writing } = decideTogether(top, after, following(before.length))
    expect(answers).toEqual(expected.answers.slice(before.length))
    expect([...batch.changes, ...changes]).toEqual(expected.changes)
    if (writing === null) return
    expect(writing.loaded.versions.accounts.get("acc_rich")).toBe(batch.writing?.stem ?? "version of acc_rich")
    for (const shelf of ["accounts", "tallies"] as const) {
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
  const batch = decideTogether(loaded, [one], momentsFor([one])())
  const seen = (version: string): LoadedBooks => ({
    ...loaded,
    versions: { ...loaded.versions, accounts: new Map([["acc_rich", version]]) }
  })
  const written = seen(batch.writing?.stem ?? "")
  expect(onTop(written, "acc_rich", batch)).toBe(written)
  expect(onTop(seen("somebody else's"), "acc_rich", batch)).toBeNull()
  expect(onTop(loaded, "acc_rich", { answers: [], changes: [], writing: null })).toBe(loaded)
})
