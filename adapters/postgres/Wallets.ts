// Accounts, open holds, ledgers and the daily usage of keys.
import { Effect, Layer, Schema } from "effect"
import { noUsage } from "#core/domain/DailyUsage.ts"
import { foldAscii } from "#core/domain/Order.ts"
import { Wallets } from "#core/ports/Wallets.ts"
import { Database } from "./database/Database.ts"
import { LAST_ID, query, queryRows, takePage } from "./database/Queries.ts"
import { accounts, dailyUsage } from "./rows/AccountRows.ts"
import { holds, ledger } from "./rows/OrderRows.ts"
import { OPEN } from "./rows/QuoteRows.ts"

/** In one statement, so that the open holds add up to the held amount. */
const ofAccount = `
SELECT ${accounts.list("a")} AS account, (
  SELECT json_agg(${holds.list("h")} ORDER BY h.expires_at_ms, h.hold_id)
  FROM quote_holds h WHERE h.account_id = a.account_id AND h.quote_status IN ${OPEN}
) AS holds
FROM accounts a WHERE a.account_id = $1`

/** A row has one entry or two, so as many rows as entries are enough. */
const ledgerOf = `
SELECT ${ledger.list("l")} AS row FROM ledger l
WHERE l.account_id = $1 AND l.entry_id < $2 AND l.row_id < $2 AND l.row_id >= (
  SELECT min(entry_id) FROM (
    SELECT r.entry_id FROM ledger_rows r WHERE r.account_id = $1 AND r.entry_id < $2 ORDER BY r.entry_id DESC LIMIT $3
  ) last
)
ORDER BY l.entry_id DESC LIMIT $3`

const dailyUsageOf = `SELECT ${dailyUsage.list("t")} AS row FROM tallies t WHERE t.key_id = $1 AND t.day = $2`

const accountsBefore = `
SELECT ${accounts.list("a")} AS row FROM accounts a
WHERE a.account_id < $1 AND ($3::text IS NULL OR strpos(lower(
    concat_ws(E'\\n', a.account_id, a.name, a.email) COLLATE "C"), $3) > 0 OR EXISTS (
  SELECT FROM members m WHERE m.account_id = a.account_id AND m.removed_at_ms IS NULL
    AND strpos(lower(m.email COLLATE "C"), $3) > 0
))
ORDER BY a.account_id DESC LIMIT $2`

const View = Schema.Struct({ account: accounts.schema, holds: Schema.NullOr(Schema.Array(holds.schema)) })

export const layer: Layer.Layer<Wallets, never, Database> = Layer.effect(
  Wallets,
  Effect.gen(function* () {
    const database = yield* Database
    const views = query(database.read, View, ofAccount)
    const entries = queryRows(database.read, ledger, ledgerOf)
    const days = queryRows(database.read, dailyUsage, dailyUsageOf)
    const listed = queryRows(database.read, accounts, accountsBefore)

    return Wallets.of({
      of: (accountId) =>
        Effect.map(views(accountId), ([view]) =>
          view === undefined ? null : { account: view.account, holds: view.holds ?? [] }
        ),
      ledger: ({ accountId, limit, beforeId }) =>
        Effect.map(entries(accountId, beforeId ?? LAST_ID, limit + 1), (found) => {
          const { rows, next } = takePage(found, limit, ({ entryId }) => entryId)
          return { entries: rows, nextBeforeId: next }
        }),
      dailyUsage: (keyId, day) => Effect.map(days(keyId, day), ([usage]) => usage ?? noUsage(keyId, day)),
      accounts: ({ limit, beforeId, text }) =>
        Effect.map(listed(beforeId ?? LAST_ID, limit + 1, text === undefined ? null : foldAscii(text)), (found) => {
          const { rows, next } = takePage(found, limit, ({ accountId }) => accountId)
          return { accounts: rows, nextBeforeId: next }
        })
    })
  })
)
