// A queue of mails to owners, with one row of its table for each owner: what the several kinds of mails have in common.
import { Effect, Schema } from "effect"
import type { MailClaim, MailQueue } from "#core/ports/mails/OwnerMails.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { execute, first, queryValues } from "../../database/Queries.ts"
import { Text } from "../../rows/Table.ts"

type Parameters = ReadonlyArray<unknown>

interface MailKind<Mail> {
  readonly table: "approval_mails" | "purchase_mails"
  /** What is done before each claim. */
  readonly prepare?: (query: MailClaim) => Effect.Effect<unknown, StoreUnavailable>
  /** Leases due mails, and returns their members' ids; and its parameters. */
  readonly claim: readonly [sql: string, params: (query: MailClaim) => Parameters]
  /** The mail of the member $1; and further parameters. */
  readonly due: readonly [sql: string, params: (query: MailClaim) => Parameters]
  readonly mail: Mail
  /** Notes whether the member $1 wants these mails, $2. */
  readonly want: string
}

export const mailQueue = <Mail extends Schema.ConstraintDecoder<unknown>>(
  { read, write }: PortDatabase,
  { table, prepare = () => Effect.void, claim, due, mail, want }: MailKind<Mail>
): MailQueue<Mail["Type"]> => {
  const claimed = queryValues(write, Text, claim[0])
  const mailOf = queryValues(read, mail, due[0])
  const wanted = first(queryValues(read, Schema.Boolean, `SELECT wanted AS value FROM ${table} WHERE member_id = $1`))
  const settle = execute(
    write,
    `UPDATE ${table} SET mailed_to = greatest(mailed_to, $2), next_at_ms = $3, attempts = $4, leased_until_ms = 0
    WHERE member_id = $1`
  )
  return {
    claim: Effect.fnUntraced(function* (query) {
      yield* prepare(query)
      const memberIds = yield* claimed(...claim[1](query))
      return (yield* Effect.forEach(memberIds, (memberId) => mailOf(memberId, ...due[1](query)))).flat()
    }),
    settle: (memberId, { upTo, nextAtMs, attempts }) => settle(memberId, upTo, nextAtMs, attempts),
    isWanted: (memberId) => Effect.map(wanted(memberId), (found) => found ?? true),
    want: execute(write, want)
  }
}
