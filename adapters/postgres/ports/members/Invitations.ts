// Invitations in PostgreSQL. One instance at a time claims their mails.
import { Effect, Schema } from "effect"
import { INVITATION_KEPT_MS, INVITATION_MS } from "#core/domain/members/Invitation.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { tryLock } from "../../database/AdvisoryLocks.ts"
import { overDatabase } from "../../database/Database.ts"
import { decodeRows, execute, first, hasRows, NOW_MS, query, select } from "../../database/Queries.ts"
import { invitations } from "../../rows/AccountRows.ts"
import { Integer, Text, textOrNull } from "../../rows/Table.ts"

const view = (columns: string, from: string): string => `
SELECT ${invitations.list("i")} AS invitation, a.name AS "accountName", m.email AS inviter${columns}
FROM ${from} JOIN accounts a USING (account_id) LEFT JOIN members m ON m.member_id = i.invited_by`

const ViewRow = Schema.Struct({ invitation: invitations.schema, accountName: Text, inviter: textOrNull })
const DueRow = Schema.Struct({ ...ViewRow.fields, attempts: Integer })

const ENDED_FOR_MS = INVITATION_KEPT_MS - INVITATION_MS

const statements = {
  // The oldest of the invitations to an address, unless another one was mailed to it today.
  claim: `
WITH due AS MATERIALIZED (
  SELECT DISTINCT ON (email_key(i.email)) i.invitation_id, i.created_at_ms, email_key(i.email) AS email_key
  FROM invitations i LEFT JOIN invitation_mails s USING (invitation_id)
  WHERE i.outcome IS NULL AND i.invited_by IS NOT NULL AND i.expires_at_ms > $1 AND s.done_at_ms IS NULL
    AND coalesce(s.next_at_ms, 0) <= $1 AND coalesce(s.leased_until_ms, 0) <= $1
    AND NOT EXISTS (
      SELECT FROM invitation_mails other
      WHERE other.email_key = email_key(i.email) AND other.day = $1::bigint / ${DAY_MS} AND other.invitation_id <> i.invitation_id
    )
  ORDER BY email_key(i.email), i.created_at_ms, i.invitation_id
), claimed AS (
  INSERT INTO invitation_mails AS s (invitation_id, email_key, day, leased_until_ms)
  SELECT invitation_id, email_key, $1::bigint / ${DAY_MS}, $2 FROM due ORDER BY created_at_ms LIMIT $3
  ON CONFLICT (invitation_id) DO UPDATE SET day = EXCLUDED.day, leased_until_ms = EXCLUDED.leased_until_ms
  RETURNING s.invitation_id, s.attempts
)
${view(", s.attempts", "claimed s JOIN invitations i USING (invitation_id)")}
ORDER BY i.created_at_ms, i.invitation_id`,
  keepLink: `INSERT INTO invitation_links
    SELECT $2, invitation_id FROM invitations WHERE invitation_id = $1 AND outcome IS NULL AND expires_at_ms > $3
    RETURNING hash`,
  settle: `UPDATE invitation_mails SET
      leased_until_ms = 0, next_at_ms = coalesce($2, next_at_ms), attempts = coalesce($3, attempts),
      done_at_ms = CASE WHEN $2::bigint IS NULL THEN $4::bigint END
    WHERE invitation_id = $1 AND done_at_ms IS NULL`,
  prune: `DELETE FROM invitations WHERE expires_at_ms <= ${NOW_MS} - ${ENDED_FOR_MS}`
}

const dueOf = decodeRows(DueRow)

export const layer = overDatabase(Invitations, ({ read, write, transaction }) => {
  const views = (from: string, rest: string) => query(read, ViewRow, `${view("", from)} ${rest}`)
  const settle = execute(write, statements.settle)

  return Invitations.of({
    ofAccount: select(
      read,
      invitations,
      "invitations i WHERE i.account_id = $1 ORDER BY i.created_at_ms, i.invitation_id"
    ),
    withLink: first(views("invitation_links l JOIN invitations i USING (invitation_id)", "WHERE l.hash = $1")),
    openTo: views(
      "invitations i",
      `WHERE email_key(i.email) = email_key($1) AND i.outcome IS NULL AND i.expires_at_ms > $2
       ORDER BY i.created_at_ms, i.invitation_id`
    ),
    claimMails: ({ nowMs, leaseMs, limit }) =>
      transaction(
        Effect.fnUntraced(function* (run) {
          if ((yield* tryLock(run, "invitationMails")) === null) return []
          return dueOf(yield* run(statements.claim, [nowMs, nowMs + leaseMs, limit]))
        })
      ),
    keepLink: hasRows(write, statements.keepLink),
    settleMail: (invitationId, next, atMs) =>
      settle(invitationId, next?.nextAtMs ?? null, next?.attempts ?? null, atMs),
    prune: Effect.suspend(execute(write, statements.prune))
  })
})
