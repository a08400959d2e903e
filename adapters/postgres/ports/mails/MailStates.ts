// Which mails owners got and want, one row of a table for each owner: what the tables of the several kinds of mails have in common.
import { Effect, Schema } from "effect"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { execute, first, queryValues } from "../../database/Queries.ts"
import { Text } from "../../rows/Table.ts"

interface MailStatements<Mail> {
  readonly table: "approval_mails" | "purchase_mails"
  /** Leases due mails, and returns their members' ids. */
  readonly claim: string
  /** The mail of the member $1, with further parameters. */
  readonly due: string
  readonly mail: Mail
}

export const mailStates = <Mail extends Schema.ConstraintDecoder<unknown>>(
  { read, write }: PortDatabase,
  { table, claim, due, mail }: MailStatements<Mail>
) => {
  const claimed = queryValues(write, Text, claim)
  const mailsOf = queryValues(read, mail, due)
  const sent = execute(
    write,
    `UPDATE ${table} SET mailed_to = $2, next_at_ms = $3, leased_until_ms = 0, attempts = 0 WHERE member_id = $1`
  )
  const wanted = first(queryValues(read, Schema.Boolean, `SELECT wanted AS value FROM ${table} WHERE member_id = $1`))
  return {
    claim: (claimParams: ReadonlyArray<unknown>, ...dueParams: ReadonlyArray<unknown>) =>
      Effect.flatMap(claimed(...claimParams), (memberIds) =>
        Effect.map(
          Effect.forEach(memberIds, (memberId) => mailsOf(memberId, ...dueParams)),
          (mails) => mails.flat()
        )
      ),
    sent: ({ memberId, upTo }: { readonly memberId: MemberId; readonly upTo: string }, nextAtMs: number) =>
      sent(memberId, upTo, nextAtMs),
    failed: execute(
      write,
      `UPDATE ${table} SET next_at_ms = $2, leased_until_ms = 0, attempts = attempts + 1 WHERE member_id = $1`
    ),
    isWanted: (memberId: MemberId) => Effect.map(wanted(memberId), (found) => found ?? true)
  }
}
