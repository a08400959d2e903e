// Passkeys and authenticator apps in PostgreSQL. Each call is one statement; adding a passkey is a transaction, which locks the member's
// passkeys first, so that concurrent calls count one after another.
import { Effect, Layer } from "effect"
import { CODE_ATTEMPT_MS, CODE_BOUNDS, MAX_PASSKEYS } from "#core/domain/Factor.ts"
import { Factors } from "#core/ports/Factors.ts"
import { Database } from "./database/Database.ts"
import { FIRST_ID, queryRows } from "./database/Queries.ts"
import { conflictAsUnavailable } from "./database/SqlErrors.ts"
import { passkeys, totps } from "./rows/SignInRows.ts"

const passkey = passkeys.list("p")
const totp = totps.list("t")

const attemptsWithin = (windowMs: number) =>
  `(SELECT count(*) FROM unnest(t.attempts) a WHERE a > $2::bigint - ${windowMs})`

const mayTry = CODE_BOUNDS.map(({ windowMs, limit }) => `${attemptsWithin(windowMs)} < ${limit}`).join(" AND ")

const statements = {
  lock: "SELECT pg_advisory_xact_lock(hashtextextended('passkeys of ' || $1, 0))",
  addPasskey: `INSERT INTO passkeys SELECT * FROM jsonb_populate_record(NULL::passkeys, $2::jsonb)
    WHERE (SELECT count(*) FROM passkeys WHERE member_id = $1) < ${MAX_PASSKEYS}
    ON CONFLICT DO NOTHING RETURNING passkey_id`,
  passkeys: `SELECT ${passkey} AS row FROM passkeys p WHERE p.member_id = ANY ($1::text[]) ORDER BY p.created_at_ms, p.passkey_id`,
  totps: `SELECT ${totp} AS row FROM totps t WHERE t.member_id = ANY ($1::text[]) ORDER BY t.created_at_ms, t.member_id`,
  passkey: `SELECT ${passkey} AS row FROM passkeys p WHERE p.passkey_id = $1`,
  usePasskey: `UPDATE passkeys SET counter = $2, last_used_at_ms = $3
    WHERE passkey_id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING passkey_id`,
  removePasskey: "DELETE FROM passkeys WHERE member_id = $1 AND passkey_id = $2 RETURNING passkey_id",
  addTotp: `INSERT INTO totps SELECT * FROM jsonb_populate_record(NULL::totps, $1::jsonb)
    ON CONFLICT DO NOTHING RETURNING member_id`,
  countAttempt: `UPDATE totps t
    SET attempts = ARRAY(SELECT a FROM unnest(t.attempts) a WHERE a > $2::bigint - ${CODE_ATTEMPT_MS}) || $2::bigint
    WHERE t.member_id = $1 AND ${mayTry} RETURNING t.member_id`,
  useStep: `UPDATE totps SET last_step = $2, last_used_at_ms = $3, attempts = NULL
    WHERE member_id = $1 AND last_step < $2 RETURNING member_id`,
  removeTotp: "DELETE FROM totps WHERE member_id = $1 RETURNING member_id",
  totpsAfter: `SELECT ${totp} AS row FROM totps t WHERE t.member_id > $1 ORDER BY t.member_id LIMIT $2`,
  resealTotp: "UPDATE totps SET sealed_secret = $3 WHERE member_id = $1 AND sealed_secret = $2 RETURNING member_id"
}

export const layer: Layer.Layer<Factors, never, Database> = Layer.effect(
  Factors,
  Effect.map(Database, (database) => {
    const passkeysOf = queryRows(database.read, passkeys, statements.passkeys)
    const totpsOf = queryRows(database.read, totps, statements.totps)
    const withId = queryRows(database.read, passkeys, statements.passkey)
    const totpsAfter = queryRows(database.read, totps, statements.totpsAfter)
    /** Whether the statement wrote a row. */
    const writes =
      (sql: string) =>
      (...params: ReadonlyArray<unknown>) =>
        Effect.map(conflictAsUnavailable(database.write(sql, params)), (rows) => rows.length > 0)

    return Factors.of({
      ofMembers: (memberIds) => Effect.all({ passkeys: passkeysOf(memberIds), totps: totpsOf(memberIds) }),
      passkey: (passkeyId) => Effect.map(withId(passkeyId), ([found]) => found ?? null),
      addPasskey: (added) =>
        conflictAsUnavailable(
          database.transaction((run) =>
            Effect.gen(function* () {
              yield* run(statements.lock, [added.memberId])
              const row = JSON.stringify(passkeys.row(added))
              return (yield* run(statements.addPasskey, [added.memberId, row])).length > 0
            })
          )
        ),
      usePasskey: writes(statements.usePasskey),
      removePasskey: writes(statements.removePasskey),
      addTotp: (added) => writes(statements.addTotp)(JSON.stringify(totps.row(added))),
      countAttempt: writes(statements.countAttempt),
      useStep: writes(statements.useStep),
      removeTotp: writes(statements.removeTotp),
      totpsAfter: ({ after, limit }) => totpsAfter(after ?? FIRST_ID, limit),
      resealTotp: writes(statements.resealTotp)
    })
  })
)
