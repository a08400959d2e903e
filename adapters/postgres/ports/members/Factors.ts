// Passkeys and authenticator apps in PostgreSQL. Each call is one statement; adding a passkey is a transaction, which locks the member's
// passkeys first, so that concurrent calls count one after another.
import { Effect } from "effect"
import { CODE_ATTEMPT_MS, CODE_BOUNDS, MAX_PASSKEYS } from "#core/domain/members/Factor.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { overDatabase } from "../../database/Database.ts"
import { FIRST_ID, first, hasRows, insertInto, select } from "../../database/Queries.ts"
import { passkeys, totps } from "../../rows/SignInRows.ts"

const attemptsWithin = (windowMs: number) =>
  `(SELECT count(*) FROM unnest(t.attempts) a WHERE a > $2::bigint - ${windowMs})`

const mayTry = CODE_BOUNDS.map(({ windowMs, limit }) => `${attemptsWithin(windowMs)} < ${limit}`).join(" AND ")

const statements = {
  lock: "SELECT pg_advisory_xact_lock(hashtextextended('passkeys of ' || $1, 0))",
  addPasskey: `INSERT INTO passkeys SELECT * FROM jsonb_populate_record(NULL::passkeys, $2::jsonb)
    WHERE (SELECT count(*) FROM passkeys WHERE member_id = $1) < ${MAX_PASSKEYS}
    ON CONFLICT DO NOTHING RETURNING passkey_id`,
  usePasskey: `UPDATE passkeys SET counter = $2, last_used_at_ms = $3
    WHERE passkey_id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING passkey_id`,
  removePasskey: "DELETE FROM passkeys WHERE member_id = $1 AND passkey_id = $2 RETURNING passkey_id",
  addTotp: `${insertInto("totps")} ON CONFLICT DO NOTHING RETURNING member_id`,
  countAttempt: `UPDATE totps t
    SET attempts = ARRAY(SELECT a FROM unnest(t.attempts) a WHERE a > $2::bigint - ${CODE_ATTEMPT_MS}) || $2::bigint
    WHERE t.member_id = $1 AND ${mayTry} RETURNING t.member_id`,
  useStep: `UPDATE totps SET last_step = $2, last_used_at_ms = $3, attempts = NULL
    WHERE member_id = $1 AND last_step < $2 RETURNING member_id`,
  removeTotp: "DELETE FROM totps WHERE member_id = $1 RETURNING member_id",
  resealTotp: "UPDATE totps SET sealed_secret = $3 WHERE member_id = $1 AND sealed_secret = $2 RETURNING member_id"
}

export const layer = overDatabase(Factors, ({ read, write, transaction }) => {
  const passkeysWhere = (condition: string) => select(read, passkeys, `passkeys p WHERE ${condition}`)
  const totpsWhere = (condition: string) => select(read, totps, `totps t WHERE ${condition}`)
  const passkeysOf = passkeysWhere("p.member_id = ANY ($1::text[]) ORDER BY p.created_at_ms, p.passkey_id")
  const totpsOf = totpsWhere("t.member_id = ANY ($1::text[]) ORDER BY t.created_at_ms, t.member_id")
  const totpsAfter = totpsWhere("t.member_id > $1 ORDER BY t.member_id LIMIT $2")
  const addTotp = hasRows(write, statements.addTotp)

  return Factors.of({
    ofMembers: (memberIds) => Effect.all({ passkeys: passkeysOf(memberIds), totps: totpsOf(memberIds) }),
    passkey: first(passkeysWhere("p.passkey_id = $1")),
    addPasskey: (added) =>
      transaction(
        Effect.fnUntraced(function* (run) {
          yield* run(statements.lock, [added.memberId])
          const row = JSON.stringify(passkeys.row(added))
          return (yield* run(statements.addPasskey, [added.memberId, row])).length > 0
        })
      ),
    usePasskey: hasRows(write, statements.usePasskey),
    removePasskey: hasRows(write, statements.removePasskey),
    addTotp: (added) => addTotp(JSON.stringify(totps.row(added))),
    countAttempt: hasRows(write, statements.countAttempt),
    useStep: hasRows(write, statements.useStep),
    removeTotp: hasRows(write, statements.removeTotp),
    totpsAfter: ({ after, limit }) => totpsAfter(after ?? FIRST_ID, limit),
    resealTotp: hasRows(write, statements.resealTotp)
  })
})
