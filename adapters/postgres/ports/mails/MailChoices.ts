// Which mails an owner wants, in PostgreSQL: one row for each kind, in the tables that say what was told.
import { Effect, Schema } from "effect"
import { CHOSEN_MAILS, type ChosenMail } from "#core/domain/mails/ChosenMail.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import type { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { execute, queryValues } from "../../database/Queries.ts"

const KINDS = ["approvals", "purchases", "receipts", "top_ups", "links", "expiries"] as const
const StoredKind = Schema.Literals(KINDS)

const storedKind = (kind: ChosenMail): typeof StoredKind.Type => (kind === "topUps" ? "top_ups" : kind)

const unwanted = `
SELECT 'approvals' AS value FROM approval_mails WHERE member_id = $1 AND NOT wanted
UNION ALL SELECT 'purchases' FROM purchase_mails WHERE member_id = $1 AND NOT wanted
UNION ALL SELECT kind FROM news_mails WHERE member_id = $1 AND NOT wanted`

/** What happened while a mail was not wanted is not told later. */
const SKIPPING = `wanted = EXCLUDED.wanted, mailed_to = CASE WHEN EXCLUDED.wanted THEN m.due_to ELSE m.mailed_to END
  WHERE m.wanted <> EXCLUDED.wanted`

/** The member $1 wants the kinds in $2 alone. Rows that are not examined yet come after every id that is there. */
const choose = `
WITH choices AS (
  SELECT kind, kind = ANY ($2::text[]) AS wanted FROM unnest(ARRAY[${KINDS.map((kind) => `'${kind}'`).join(", ")}]) kind
), approvals AS (
  INSERT INTO approval_mails AS m (member_id, wanted) SELECT $1, c.wanted FROM choices c WHERE c.kind = 'approvals'
  ON CONFLICT (member_id) DO UPDATE SET wanted = EXCLUDED.wanted WHERE m.wanted <> EXCLUDED.wanted
), purchases AS (
  INSERT INTO purchase_mails AS m (member_id, mailed_to, due_to, wanted)
  SELECT $1, e.examined_to, e.examined_to, c.wanted
  FROM choices c, (SELECT coalesce(max(examined_to), '') AS examined_to FROM purchase_mail_progress) e WHERE c.kind = 'purchases'
  ON CONFLICT (member_id) DO UPDATE SET ${SKIPPING}
)
INSERT INTO news_mails AS m (member_id, kind, mailed_to, due_to, wanted)
SELECT $1, c.kind, coalesce(e.examined_to, ''), coalesce(e.examined_to, ''), c.wanted
FROM choices c LEFT JOIN news_mail_progress e ON e.kind = c.kind WHERE c.kind NOT IN ('approvals', 'purchases')
ON CONFLICT (member_id, kind) DO UPDATE SET ${SKIPPING}`

export const mailChoices = ({ read, write }: PortDatabase): Pick<OwnerMails["Service"], "wanted" | "choose"> => {
  const turnedOff = queryValues(read, StoredKind, unwanted)
  const note = execute(write, choose)
  return {
    wanted: (memberId: MemberId) =>
      Effect.map(turnedOff(memberId), (off) => CHOSEN_MAILS.filter((kind) => !off.includes(storedKind(kind)))),
    choose: (memberId, wanted) => note(memberId, wanted.map(storedKind))
  }
}
