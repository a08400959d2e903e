// Reads accounts, open holds, ledgers and tallies from the books.
import { Effect, Layer } from "effect"
import { find, tallyOf } from "#core/decisions/Books.ts"
import { Wallets } from "#core/ports/Wallets.ts"
import { drawers } from "./Drawers.ts"
import { idsIn } from "./Indexes.ts"
import { MemoryBooks } from "./MemoryBooks.ts"
import { cut, placeOf } from "./Paging.ts"

export const layer: Layer.Layer<Wallets, never, MemoryBooks> = Layer.effect(
  Wallets,
  Effect.gen(function* () {
    const { current, index } = yield* MemoryBooks

    return Wallets.of({
      of: (accountId) =>
        Effect.sync(() => {
          const account = find(current().accounts, accountId)
          if (account === undefined) return null
          const holdIds = idsIn(index, drawers.openHoldsOf(accountId))
          return { account, holds: holdIds.flatMap((holdId) => find(current().holds, holdId) ?? []) }
        }),
      ledger: ({ accountId, limit, beforeId }) =>
        Effect.sync(() => {
          const newestFirst = index.drawer(drawers.ledgerOf(accountId)).before(placeOf(beforeId))
          const { rows: entries, more } = cut(newestFirst, limit, ({ id }) => find(current().ledger, id))
          return { entries, nextBeforeId: more ? (entries.at(-1)?.entryId ?? null) : null }
        }),
      tally: (keyId, day) => Effect.sync(() => tallyOf(current(), keyId, day)),
      accounts: ({ limit, beforeId }) =>
        Effect.sync(() => {
          const newestFirst = index.drawer(drawers.accounts).before(placeOf(beforeId))
          const { rows: accounts, more } = cut(newestFirst, limit, ({ id }) => find(current().accounts, id))
          return { accounts, nextBeforeId: more ? (accounts.at(-1)?.accountId ?? null) : null }
        })
    })
  })
)
