// Accounts, open holds, ledgers and daily usage, read from the books in memory.
import { dailyUsageOf, find } from "#core/decisions/Books.ts"
import { type Account, owedCentsOf } from "#core/domain/members/Account.ts"
import { foldAscii } from "#core/domain/ordering/Order.ts"
import type { EntryId } from "#core/domain/shared/Ids.ts"
import { linesOf } from "#core/domain/wallet/LedgerLine.ts"
import { EXAMINED_ENTRIES, Wallets } from "#core/ports/wallet/Wallets.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page, rowsWhere, sorted } from "../../books/Rows.ts"

export const layer = overBooks(Wallets, ({ current }) => ({
  of: (accountId) => {
    const account = find(current().accounts, accountId)
    if (account === undefined) return null
    const open = rowsWhere(current().holds, (hold) => hold.accountId === accountId && hold.state === "open")
    return { account, holds: sorted(open, { by: ({ expiresAtMs, holdId }) => [expiresAtMs, holdId] }) }
  },
  ledger: ({ accountId, limit, beforeId }) => {
    const { rows: entries, next } = page(
      rowsWhere(current().ledger, (entry) => entry.accountId === accountId),
      { by: ({ entryId }) => [entryId], isDescending: true, after: afterId(beforeId), limit }
    )
    return { entries, nextBeforeId: next?.entryId ?? null }
  },
  ledgerLines: ({ accountId, limit, beforeId, examine = EXAMINED_ENTRIES }) => {
    const entries = rowsWhere(current().ledger, (entry) => entry.accountId === accountId)
    const examined = page(entries, {
      ...{ by: ({ entryId }) => [entryId], isDescending: true, after: afterId(beforeId), limit: examine }
    })
    const last = examined.rows.at(-1)
    const isWithin = (entryId: EntryId) => last !== undefined && entryId >= last.entryId
    const { rows: lines, next } = page(
      linesOf(entries).filter(({ newest }) => isWithin(newest.entryId)),
      { by: ({ newest }) => [newest.entryId], isDescending: true, after: afterId(beforeId), limit }
    )
    return { lines, nextBeforeId: (next?.newest ?? examined.next)?.entryId ?? null }
  },
  referring: ({ accountId, kind, reference }) =>
    rowsWhere(
      current().ledger,
      (entry) => entry.accountId === accountId && entry.kind === kind && entry.reference === reference
    )[0] ?? null,
  dailyUsage: (keyId, day) => dailyUsageOf(current(), keyId, day),
  owing: ({ limit }) =>
    sorted(
      rowsWhere(current().accounts, (account) => owedCentsOf(account) > 0),
      { by: (account) => [-owedCentsOf(account), account.accountId], limit }
    ),
  accounts: ({ limit, beforeId, text }) => {
    const has = (value: string) => text === undefined || foldAscii(value).includes(foldAscii(text))
    const withMember = new Set(
      rowsWhere(current().members, ({ removedAtMs, email }) => removedAtMs === null && has(email)).map(
        (member) => member.accountId
      )
    )
    const isFound = ({ accountId, name, email }: Account) =>
      [accountId, name, email].some(has) || withMember.has(accountId)
    const { rows: accounts, next } = page(rowsWhere(current().accounts, isFound), {
      ...{ by: ({ accountId }) => [accountId], isDescending: true, after: afterId(beforeId), limit }
    })
    return { accounts, nextBeforeId: next?.accountId ?? null }
  }
}))
