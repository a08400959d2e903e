// The ledger by lines: what moved credit for one purchase is found from each of its movements, by keys that the tables have anyway.
import { Schema } from "effect"
import { EntryId } from "#core/domain/shared/Ids.ts"
import { lineOf, PURCHASE_KINDS } from "#core/domain/wallet/LedgerLine.ts"
import type { LedgerLinePage } from "#core/ports/wallet/Wallets.ts"
import { takePage } from "../../database/Queries.ts"
import { accountNo } from "../../rows/AccountRows.ts"
import { ledger } from "../../rows/OrderRows.ts"

const OF_PURCHASE = `('${PURCHASE_KINDS.join("', '")}')`

/** Characters of the part that all ids of one decision begin with, after their type. */
const DECISION = 26

/** Entries that the same decision wrote as it made this quote or order, by the primary key. */
const writtenWith = (entry: string, id: string, type: string): string =>
  `${entry}.account_no = e.account_no
    AND ${entry}.entry_id BETWEEN 'led_' || substr(${id}, ${type.length + 1}, ${DECISION}) AND 'led_' || substr(${id}, ${type.length + 1}, ${DECISION}) || '~'`

/** The decision that made the quote held its credit, and the one that made the order spent it; a hold has one end, and a link one re-credit. */
const movementsOf = `
  SELECT h.* FROM ledger h WHERE ${writtenWith("h", "e.quote_id", "q_")} AND h.kind = 'hold' AND h.quote_id = e.quote_id
  UNION ALL
  SELECT ended.* FROM ledger h JOIN ledger ended
    ON ended.hold_id = h.hold_id AND ended.account_no = h.account_no AND ended.kind IN ('release', 'capture')
  WHERE ${writtenWith("h", "e.quote_id", "q_")} AND h.kind = 'hold' AND h.quote_id = e.quote_id
  UNION ALL
  SELECT c.* FROM ledger c
  WHERE ${writtenWith("c", "q.order_id", "ord_")} AND c.kind = 'capture' AND c.hold_id IS NULL AND c.quote_id = e.quote_id
  UNION ALL
  SELECT r.* FROM links k JOIN ledger r ON r.link_id = k.link_id AND r.account_no = k.account_no AND r.kind = 'recredit'
  WHERE k.order_id = q.order_id AND k.account_no = e.account_no AND k.status = 'cancelled'`

const lineFrom = `
  SELECT json_agg(${ledger.list("m")} ORDER BY m.entry_id) AS movements, max(m.entry_id) AS newest FROM (${movementsOf}) m
  WHERE e.kind IN ${OF_PURCHASE} AND e.quote_id IS NOT NULL`

const before = `FROM ledger l WHERE l.account_no = ${accountNo("$1")} AND l.entry_id < $2 ORDER BY l.entry_id DESC`

/**
 * Goes through the newest $4 entries until $3 of them are the newest of their line. `last`: where the next page begins if more entries
 * follow than were to be examined.
 */
export const ledgerLines = `
SELECT (
  SELECT coalesce(json_agg(found.movements ORDER BY found.entry_id DESC), '[]') FROM (
    SELECT e.entry_id, coalesce(line.movements, json_build_array(${ledger.list("e")})) AS movements
    FROM (SELECT l.* ${before} LIMIT $4) e
    LEFT JOIN quotes q ON q.quote_id = e.quote_id AND q.account_no = e.account_no
    CROSS JOIN LATERAL (${lineFrom}) line
    WHERE line.newest IS NULL OR line.newest = e.entry_id
    ORDER BY e.entry_id DESC LIMIT $3
  ) found
) AS lines, (
  SELECT to_json(max(examined.entry_id)) FROM (SELECT l.entry_id ${before} OFFSET $4::bigint - 1 LIMIT 2) examined
  HAVING count(*) = 2
) AS last`

export const LedgerLines = Schema.Struct({
  lines: Schema.Array(Schema.Array(ledger.schema)),
  last: Schema.NullOr(EntryId)
})

export const linePage = (found: typeof LedgerLines.Type | null, limit: number): LedgerLinePage => {
  const lines = (found?.lines ?? []).flatMap((movements) => lineOf(movements) ?? [])
  const { rows, next } = takePage(lines, limit, ({ newest }) => newest.entryId)
  return { lines: rows, nextBeforeId: next ?? found?.last ?? null }
}
