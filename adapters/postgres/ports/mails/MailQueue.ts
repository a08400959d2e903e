// A queue of mails to owners, with one row of its table for each owner: what the several kinds of mails have in common.
import { Effect, Schedule, Schema } from "effect"
import { DOCUMENT_WAIT_MS } from "#core/domain/mails/ReceiptMail.ts"
import { idPrefixAt, type Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MailClaim, MailQueue } from "#core/ports/mails/OwnerMails.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { tryLock } from "../../database/AdvisoryLocks.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { decodeRows, execute, queryValues } from "../../database/Queries.ts"
import { Integer, Text } from "../../rows/Table.ts"

type Parameters = ReadonlyArray<unknown>

type MailJob = "purchaseMails" | "noticeMails" | "linkMails" | "expiryMails" | "receiptMails" | "topUpMails"

/** Kinds of mails that share a table. */
export type NewsKind = "links" | "expiries" | "receipts" | "top_ups"

/** The rows of a kind: all of its table, or those of the kind where several share it. */
interface RowsOf<Table extends string> {
  readonly table: Table
  readonly kind?: NewsKind
}

/** A further condition on such rows. */
const andKind = ({ kind }: RowsOf<string>, alias = ""): string =>
  kind === undefined ? "" : ` AND ${alias}kind = '${kind}'`

interface MailKind<Mail> extends RowsOf<"approval_mails" | "purchase_mails" | "notice_mails" | "news_mails"> {
  /** What is done before each claim. */
  readonly prepare?: (query: MailClaim) => Effect.Effect<unknown, StoreUnavailable>
  /** Leases due mails, and returns their members' ids; and its parameters. */
  readonly claim: readonly [sql: string, params: (query: MailClaim) => Parameters]
  /** The mail of the member $1; and further parameters. */
  readonly due: readonly [sql: string, params: (query: MailClaim) => Parameters]
  readonly mail: Mail
}

/** Mails on rows that are found by their ids, which begin with their time. */
interface CollectedKind<Mail>
  extends Pick<MailKind<Mail>, "mail">,
    RowsOf<"purchase_mails" | "notice_mails" | "news_mails"> {
  readonly job: MailJob
  /** Its row says how far rows were examined. */
  readonly progress: "purchase_mail_progress" | "notice_mail_progress" | "news_mail_progress"
  /** Notes what is due of the next rows after the id $1 and before $2, and counts those that it examined. */
  readonly collect: string
  /** How ids of these rows begin. */
  readonly prefix: string
  /** The mail of the member $1; where news wait for documents, what is up to the id $2 waits no more. */
  readonly due: string
  /** Where news wait for documents: whether there is a mail for the row `mail`. What is up to the id $4 waits no more. */
  readonly ready?: string
}

/** Rows that one call examines: some tens of milliseconds. */
export const EXAMINED = 5_000

/** Leaves the database to orders between two steps. */
const BETWEEN_STEPS = Schedule.spaced("20 millis")

const progressOf = decodeRows(Schema.Struct({ examinedTo: Text }))
const countOf = decodeRows(Schema.Struct({ count: Integer }))

/** Examines the rows that are new, before each claim; one call at a time over all instances. */
const collecting = (
  database: PortDatabase,
  { job, progress, collect, prefix, ...rows }: Omit<CollectedKind<unknown>, "due" | "ready" | "mail">
) => {
  /** After the lock, so that it sees what the one before has written. */
  const reached = `SELECT coalesce(max(examined_to), '') AS "examinedTo" FROM ${progress} WHERE true${andKind(rows)}`
  /** Returns whether more rows are left. */
  const collectSome = ({ lagMs }: MailClaim) =>
    database.transaction(
      Effect.fnUntraced(function* (run) {
        const nowMs = yield* tryLock(run, job)
        if (nowMs === null) return false
        const [known] = progressOf(yield* run(reached, []))
        const until = `${prefix}${idPrefixAt(nowMs - lagMs)}`
        const [examined] = countOf(yield* run(collect, [known?.examinedTo ?? "", until]))
        return examined?.count === EXAMINED
      })
    )
  return (query: MailClaim) => Effect.repeat(collectSome(query), { while: (more) => more, schedule: BETWEEN_STEPS })
}

export const mailQueue = <Mail extends Schema.ConstraintDecoder<unknown>>(
  { read, write }: PortDatabase,
  { prepare = () => Effect.void, claim, due, mail, ...rows }: MailKind<Mail>
): MailQueue<Mail["Type"]> => {
  const ofMember = `member_id = $1${andKind(rows)}`
  const claimed = queryValues(write, Text, claim[0])
  const mailOf = queryValues(read, mail, due[0])
  const settle = execute(
    write,
    `UPDATE ${rows.table} SET mailed_to = greatest(mailed_to, $2), next_at_ms = $3, attempts = $4, leased_until_ms = 0
    WHERE ${ofMember}`
  )
  return {
    claim: Effect.fnUntraced(function* (query) {
      yield* prepare(query)
      const memberIds = yield* claimed(...claim[1](query))
      return (yield* Effect.forEach(memberIds, (memberId) => mailOf(memberId, ...due[1](query)))).flat()
    }),
    settle: (memberId, { upTo, nextAtMs, attempts }) => settle(memberId, upTo, nextAtMs, attempts)
  }
}

/** A queue whose rows say up to which id a member was mailed, and up to which something is due. */
export const collectedMails = <Mail extends Schema.ConstraintDecoder<unknown>>(
  database: PortDatabase,
  { mail, due, ready, ...collection }: CollectedKind<Mail>
): MailQueue<Mail["Type"]> => {
  const { table, kind, prefix } = collection
  const rows = { table, ...(kind === undefined ? {} : { kind }) }
  const claim = `
UPDATE ${table} SET leased_until_ms = $2
WHERE member_id IN (
  SELECT mail.member_id FROM ${table} mail JOIN members m ON m.member_id = mail.member_id
  WHERE mail.wanted AND mail.due_to > mail.mailed_to AND mail.next_at_ms <= $1 AND mail.leased_until_ms <= $1${andKind(rows, "mail.")}
    AND m.role = 'owner' AND m.removed_at_ms IS NULL${ready === undefined ? "" : ` AND ${ready}`}
  ORDER BY mail.next_at_ms, mail.member_id LIMIT $3 FOR UPDATE OF mail SKIP LOCKED
)${andKind(rows)}
RETURNING member_id AS value`
  const passedTo = (nowMs: Millis) => (ready === undefined ? [] : [`${prefix}${idPrefixAt(nowMs - DOCUMENT_WAIT_MS)}`])
  return mailQueue(database, {
    ...{ ...rows, mail },
    prepare: collecting(database, collection),
    claim: [claim, ({ nowMs, leaseMs, limit }) => [nowMs, nowMs + leaseMs, limit, ...passedTo(nowMs)]],
    due: [due, ({ nowMs }) => passedTo(nowMs)]
  })
}
