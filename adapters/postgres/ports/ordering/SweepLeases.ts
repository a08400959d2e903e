// Leases of what is due to a sweeper, in PostgreSQL. The column `quote_id` has ids of top-ups, too.
import { Effect } from "effect"
import { SweepLeases } from "#core/ports/ordering/SweepLeases.ts"
import { overDatabase } from "../../database/Database.ts"
import { execute, first, NOW_MS, queryValues } from "../../database/Queries.ts"
import { Integer } from "../../rows/Table.ts"

const claim = `INSERT INTO sweep_claims AS c VALUES ($1, ${NOW_MS} + $2)
ON CONFLICT (quote_id) DO UPDATE SET until_ms = EXCLUDED.until_ms WHERE c.until_ms <= ${NOW_MS} RETURNING to_json(c.until_ms) AS value`

/** Ended leases of sweepers that were killed go with it. */
const release = `DELETE FROM sweep_claims WHERE (quote_id = $1 AND until_ms = $2) OR until_ms <= ${NOW_MS}`

export const layer = overDatabase(SweepLeases, ({ write }) => {
  const claimed = first(queryValues(write, Integer, claim))
  const end = execute(write, release)
  return SweepLeases.of({
    claim: (id, leaseMs) => Effect.map(claimed(id, leaseMs), (untilMs) => (untilMs === null ? null : { id, untilMs })),
    release: ({ id, untilMs }) => end(id, untilMs)
  })
})
