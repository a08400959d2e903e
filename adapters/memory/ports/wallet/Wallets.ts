// Accounts, open holds, ledgers and daily usage, read from the books in memory.
import { Effect, Layer } from "effect"
import { dailyUsageOf, find } from "#core/decisions/Books.ts"
import type { Account } from "#core/domain/members/Account.ts"
import { foldAscii } from "#core/domain/ordering/Order.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { idsIn, rowsIn } from "../../books/Indexes.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { page, unscored } from "../../books/Paging.ts"

export const layer: Layer.Layer<Wallets, never, MemoryBooks> = Layer.effect(
  Wallets,
  Effect.gen(function* () {
    const { current, indexes } = yield* MemoryBooks

    return Wallets.of({
      of: (accountId) =>
        Effect.sync(() => {
          const account = find(current().accounts, accountId)
          if (account === undefined) return null
          return { account, holds: rowsIn(current().holds, indexes, indexKeys.openHoldsOf(accountId)) }
        }),
      ledger: ({ accountId, limit, beforeId }) =>
        Effect.sync(() => {
          const newestFirst = indexes.get(indexKeys.ledgerOf(accountId)).before(unscored(beforeId))
          const { rows: entries, nextId: nextBeforeId } = page(newestFirst, limit, (id) => find(current().ledger, id))
          return { entries, nextBeforeId }
        }),
      dailyUsage: (keyId, day) => Effect.sync(() => dailyUsageOf(current(), keyId, day)),
      accounts: ({ limit, beforeId, text }) =>
        Effect.sync(() => {
          const { accounts: all, members } = current()
          const has = (value: string) => text === undefined || foldAscii(value).includes(foldAscii(text))
          const isFound = ({ accountId, name, email }: Account) =>
            [accountId, name, email].some(has) ||
            idsIn(indexes, indexKeys.membersOf(accountId)).some((id) => has(find(members, id)?.email ?? ""))
          const newestFirst = indexes.get(indexKeys.accounts).before(unscored(beforeId))
          const { rows: accounts, nextId: nextBeforeId } = page(newestFirst, limit, (id) => {
            const account = find(all, id)
            return account !== undefined && isFound(account) ? account : undefined
          })
          return { accounts, nextBeforeId }
        })
    })
  })
)
