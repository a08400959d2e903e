// Challenges and one-time codes in PostgreSQL. Each call is one statement.
import { Effect, Layer } from "effect"
import { MAX_CHALLENGES } from "#core/domain/Factor.ts"
import { Challenges } from "#core/ports/Challenges.ts"
import { Database } from "./database/Database.ts"
import { queryRows } from "./database/Queries.ts"
import { conflictAsUnavailable } from "./database/SqlErrors.ts"
import { challenges, resetCodes } from "./rows/SignInRows.ts"

const statements = {
  // The statement does not see its own row yet.
  keep: `WITH kept AS (
      INSERT INTO challenges SELECT * FROM jsonb_populate_record(NULL::challenges, $1::jsonb)
    )
    DELETE FROM challenges WHERE challenge IN (
      SELECT challenge FROM challenges WHERE holder = $2 ORDER BY created_at_ms DESC, challenge OFFSET ${MAX_CHALLENGES - 1}
    )`,
  take: `DELETE FROM challenges c WHERE c.challenge = $1 AND $2 < c.expires_at_ms RETURNING ${challenges.list("c")} AS row`,
  keepCode: `INSERT INTO reset_codes SELECT * FROM jsonb_populate_record(NULL::reset_codes, $1::jsonb)
    ON CONFLICT (member_id) DO UPDATE SET
      hash = EXCLUDED.hash, created_at_ms = EXCLUDED.created_at_ms, expires_at_ms = EXCLUDED.expires_at_ms`,
  useCode: "DELETE FROM reset_codes WHERE member_id = $1 AND hash = $2 AND $3 < expires_at_ms RETURNING member_id",
  prune: `WITH codes AS (DELETE FROM reset_codes WHERE expires_at_ms <= $1)
    DELETE FROM challenges WHERE expires_at_ms <= $1`
}

export const layer: Layer.Layer<Challenges, never, Database> = Layer.effect(
  Challenges,
  Effect.map(Database, (database) => {
    const write = (sql: string, params: ReadonlyArray<unknown>) => conflictAsUnavailable(database.write(sql, params))
    const take = queryRows(write, challenges, statements.take)

    return Challenges.of({
      keep: (kept) => Effect.asVoid(write(statements.keep, [JSON.stringify(challenges.row(kept)), kept.holder])),
      take: (challenge, atMs) => Effect.map(take(challenge, atMs), ([taken]) => taken ?? null),
      keepCode: (code) => Effect.asVoid(write(statements.keepCode, [JSON.stringify(resetCodes.row(code))])),
      useCode: (memberId, hash, atMs) =>
        Effect.map(write(statements.useCode, [memberId, hash, atMs]), (rows) => rows.length > 0),
      prune: (nowMs) => Effect.asVoid(write(statements.prune, [nowMs]))
    })
  })
)
