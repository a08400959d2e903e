// Challenges, one-time codes and secrets that are shown once, in PostgreSQL. Each call is one statement.
import { Effect } from "effect"
import { MAX_CHALLENGES } from "#core/domain/members/Factor.ts"
import { Challenges } from "#core/ports/members/Challenges.ts"
import { overDatabase } from "../../database/Database.ts"
import { execute, first, hasRows, insertInto, NOW_MS, queryValues, select } from "../../database/Queries.ts"
import { challenges, resetCodes, shownOnce } from "../../rows/SignInRows.ts"

const statements = {
  // The statement does not see its own row yet.
  keep: `WITH kept AS (${insertInto("challenges")})
    DELETE FROM challenges WHERE challenge IN (
      SELECT challenge FROM challenges WHERE holder = $2 ORDER BY created_at_ms DESC, challenge OFFSET ${MAX_CHALLENGES - 1}
    )`,
  take: `DELETE FROM challenges c WHERE c.challenge = $1 AND $2 < c.expires_at_ms RETURNING ${challenges.list("c")} AS value`,
  spend: `${insertInto("challenges")} ON CONFLICT DO NOTHING RETURNING challenge`,
  keepCode: `${insertInto("reset_codes")}
    ON CONFLICT (member_id) DO UPDATE SET
      hash = EXCLUDED.hash, created_at_ms = EXCLUDED.created_at_ms, expires_at_ms = EXCLUDED.expires_at_ms`,
  useCode: "DELETE FROM reset_codes WHERE member_id = $1 AND hash = $2 AND $3 < expires_at_ms RETURNING member_id",
  keepShown: `${insertInto("shown_once")} ON CONFLICT DO NOTHING RETURNING shown_id`,
  replaceShown: `${insertInto("shown_once")} ON CONFLICT (shown_id) DO UPDATE SET
      sealed = EXCLUDED.sealed, created_at_ms = EXCLUDED.created_at_ms, expires_at_ms = EXCLUDED.expires_at_ms
      WHERE shown_once.holder = EXCLUDED.holder`,
  shown: "shown_once s WHERE s.shown_id = $1 AND s.holder = $2 AND $3 < s.expires_at_ms",
  endShown: "DELETE FROM shown_once WHERE shown_id = $1 AND holder = $2",
  prune: `WITH codes AS (DELETE FROM reset_codes WHERE expires_at_ms <= ${NOW_MS}),
      shown AS (DELETE FROM shown_once WHERE expires_at_ms <= ${NOW_MS})
    DELETE FROM challenges WHERE expires_at_ms <= ${NOW_MS}`
}

export const layer = overDatabase(Challenges, ({ read, write }) => {
  const keep = execute(write, statements.keep)
  const spend = hasRows(write, statements.spend)
  const prune = execute(write, statements.prune)
  const keepCode = execute(write, statements.keepCode)
  const keepShown = hasRows(write, statements.keepShown)
  const replaceShown = execute(write, statements.replaceShown)
  const shown = first(select(read, shownOnce, statements.shown))
  const endShown = execute(write, statements.endShown)

  return Challenges.of({
    keep: (kept) => keep(JSON.stringify(challenges.row(kept)), kept.holder),
    take: first(queryValues(write, challenges.schema, statements.take)),
    spend: (spent) => spend(JSON.stringify(challenges.row(spent))),
    keepCode: (code) => keepCode(JSON.stringify(resetCodes.row(code))),
    useCode: hasRows(write, statements.useCode),
    keepShown: (secret) => keepShown(JSON.stringify(shownOnce.row(secret))),
    replaceShown: (secret) => replaceShown(JSON.stringify(shownOnce.row(secret))),
    shown: ({ shownId, holder }, atMs) => shown(shownId, holder, atMs),
    endShown: ({ shownId, holder }) => endShown(shownId, holder),
    prune: Effect.suspend(prune)
  })
})
