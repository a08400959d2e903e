// What mails have in common that share the table `news_mails`, with one row for each owner and kind.
import { EXAMINED, type NewsKind } from "./MailQueue.ts"

interface News {
  readonly kind: NewsKind
  /** Selects `id` and `account_id` of the rows after $1 and before $2, oldest first, and whether each `is_told`. */
  readonly candidates: string
}

/**
 * Notes what is due of the next rows, and counts them. An owner who is new here is told from then on, and so is one who was told everything:
 * what happened while they were a viewer is no news.
 */
export const collectNews = ({ kind, candidates }: News): string => `
WITH examined AS MATERIALIZED (${candidates} LIMIT ${EXAMINED}),
happened AS (
  SELECT account_id, max(id::text COLLATE "C") AS newest FROM examined WHERE is_told GROUP BY account_id
), noted AS (
  INSERT INTO news_mails AS n (member_id, kind, mailed_to, due_to)
  SELECT m.member_id, '${kind}', $1, h.newest
  FROM happened h JOIN members m USING (account_id) WHERE m.role = 'owner' AND m.removed_at_ms IS NULL
  ON CONFLICT (member_id, kind) DO UPDATE SET due_to = EXCLUDED.due_to,
    mailed_to = CASE WHEN n.due_to <= n.mailed_to THEN greatest(n.mailed_to, EXCLUDED.mailed_to) ELSE n.mailed_to END
  WHERE n.due_to < EXCLUDED.due_to
), moved AS (
  INSERT INTO news_mail_progress (kind, examined_to)
  SELECT '${kind}', max(id::text COLLATE "C") FROM examined HAVING count(*) > 0
  ON CONFLICT (kind) DO UPDATE SET examined_to = EXCLUDED.examined_to
)
SELECT count(*)::int AS count FROM examined`

/** The row n of the owner $1, their address and account. */
export const ofOwner = (kind: NewsKind): string => `
FROM news_mails n JOIN members m ON m.member_id = n.member_id JOIN accounts a ON a.account_id = m.account_id
WHERE n.member_id = $1 AND n.kind = '${kind}'`

/** What every mail has, of that row and of all that `told` selects. */
export const mailFields = (upTo = "n.due_to"): string => `
  'memberId', n.member_id, 'email', m.email, 'accountName', a.name, 'upTo', ${upTo}, 'attempts', n.attempts,
  'count', (SELECT count(*) FROM told)`

/**
 * `due` selects `id` and `document`, null until it is issued, of what is due to an owner: `told` is what has one, up to the first that waits for
 * its own. What is up to the id `passedTo` waits no more.
 */
export const toldWithDocuments = (due: string, passedTo: string): string => `
WITH due AS MATERIALIZED (${due}),
told AS MATERIALIZED (
  SELECT * FROM due WHERE document IS NOT NULL
    AND id < coalesce((SELECT min(id::text COLLATE "C") FROM due WHERE document IS NULL AND id > ${passedTo}), '~')
)`

/** The last that is told; never further than before if nothing is. */
export const LAST_TOLD = `(SELECT coalesce(max(id::text COLLATE "C"), n.mailed_to) FROM told)`

/** What these collections have in common. */
export const news = { table: "news_mails", progress: "news_mail_progress" } as const
