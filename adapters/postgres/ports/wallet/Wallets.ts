// Accounts, open holds, ledgers and the daily usage of keys.
import { Effect, Schema } from "effect"
import { noUsage } from "#core/domain/ordering/DailyCap.ts"
import { foldAscii } from "#core/domain/ordering/Order.ts"
import { EXAMINED_ENTRIES, Wallets } from "#core/ports/wallet/Wallets.ts"
import { overDatabase } from "../../database/Database.ts"
import { first, LAST_ID, query, select, takePage } from "../../database/Queries.ts"
import { accountNo, accounts, dailyUsage } from "../../rows/AccountRows.ts"
import { holds, ledger } from "../../rows/OrderRows.ts"
import { OPEN } from "../../rows/QuoteRows.ts"
import { LedgerLines, ledgerLines, linePage } from "./LedgerLines.ts"

/** In one statement, so that the open holds add up to the held amount. */
const ofAccount = `
SELECT ${accounts.list("a")} AS account, (
  SELECT coalesce(json_agg(${holds.list("h")} ORDER BY h.expires_at_ms, h.hold_id), '[]')
  FROM quote_holds h WHERE h.account_no = a.account_no AND h.quote_status IN ${OPEN}
) AS holds
FROM accounts a WHERE a.account_id = $1`

const ledgerOf = `ledger l WHERE l.account_no = ${accountNo("$1")} AND l.entry_id < $2 ORDER BY l.entry_id DESC LIMIT $3`

const referring = `ledger l WHERE l.account_no = ${accountNo("$1")} AND l.reference = $2 AND l.kind = $3`

const accountsBefore = `accounts a
WHERE a.account_id < $1 AND ($3::text IS NULL OR strpos(lower(
    concat_ws(E'\\n', a.account_id, a.name, a.email) COLLATE "C"), $3) > 0 OR EXISTS (
  SELECT FROM members m WHERE m.account_id = a.account_id AND m.removed_at_ms IS NULL
    AND strpos(lower(m.email COLLATE "C"), $3) > 0
))
ORDER BY a.account_id DESC LIMIT $2`

const View = Schema.Struct({ account: accounts.schema, holds: Schema.Array(holds.schema) })

export const layer = overDatabase(Wallets, ({ read }) => {
  const entries = select(read, ledger, ledgerOf)
  const lines = first(query(read, LedgerLines, ledgerLines))
  const referred = first(select(read, ledger, referring))
  const usage = first(select(read, dailyUsage, "tallies t WHERE t.key_id = $1 AND t.day = $2"))
  const owing = select(
    read,
    accounts,
    "accounts a WHERE a.owed_cents > 0 ORDER BY a.owed_cents DESC, a.account_id LIMIT $1"
  )
  const listed = select(read, accounts, accountsBefore)

  return Wallets.of({
    of: first(query(read, View, ofAccount)),
    ledger: ({ accountId, limit, beforeId }) =>
      Effect.map(entries(accountId, beforeId ?? LAST_ID, limit + 1), (found) => {
        const { rows, next } = takePage(found, limit, ({ entryId }) => entryId)
        return { entries: rows, nextBeforeId: next }
      }),
    ledgerLines: ({ accountId, limit, beforeId, examine = EXAMINED_ENTRIES }) =>
      Effect.map(lines(accountId, beforeId ?? LAST_ID, limit + 1, examine), (found) => linePage(found, limit)),
    referring: ({ accountId, kind, reference }) => referred(accountId, reference, kind),
    dailyUsage: (keyId, day) => Effect.map(usage(keyId, day), (found) => found ?? noUsage(keyId, day)),
    owing: ({ limit }) => owing(limit),
    accounts: ({ limit, beforeId, text }) =>
      Effect.map(listed(beforeId ?? LAST_ID, limit + 1, text === undefined ? null : foldAscii(text)), (found) => {
        const { rows, next } = takePage(found, limit, ({ accountId }) => accountId)
        return { accounts: rows, nextBeforeId: next }
      })
  })
})
