// Members of accounts in PostgreSQL.
import { Effect, Layer, Schema } from "effect"
import { Members } from "#core/ports/Members.ts"
import { Database } from "./database/Database.ts"
import { query, queryRows } from "./database/Queries.ts"
import { accounts, members } from "./rows/AccountRows.ts"

const withAccount = (condition: string): string => `
SELECT ${members.list("m")} AS member, ${accounts.list("a")} AS account
FROM members m JOIN accounts a USING (account_id) WHERE ${condition}`

const MemberRow = Schema.Struct({ member: members.schema, account: accounts.schema })

export const layer: Layer.Layer<Members, never, Database> = Layer.effect(
  Members,
  Effect.map(Database, ({ read }) => {
    const first = (rows: ReadonlyArray<typeof MemberRow.Type>) => {
      const [found] = rows
      return found ?? null
    }
    const byId = query(read, MemberRow, withAccount("m.member_id = $1"))
    const byEmail = query(read, MemberRow, withAccount("sign_in_key(m.email, m.removed_at_ms) = email_key($1)"))
    const ofAccount = queryRows(
      read,
      members,
      `SELECT ${members.list("m")} AS row FROM members m
       WHERE m.account_id = $1 AND m.removed_at_ms IS NULL ORDER BY m.member_id`
    )
    return Members.of({
      byId: (memberId) => Effect.map(byId(memberId), first),
      byEmail: (email) => Effect.map(byEmail(email), first),
      ofAccount: (accountId) => ofAccount(accountId)
    })
  })
)
