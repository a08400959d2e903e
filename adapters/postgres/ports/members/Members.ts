// Members of accounts in PostgreSQL.
import { Schema } from "effect"
import { Members } from "#core/ports/members/Members.ts"
import { overDatabase } from "../../database/Database.ts"
import { first, query, select } from "../../database/Queries.ts"
import { accounts, members } from "../../rows/AccountRows.ts"

const withAccount = (condition: string): string => `
SELECT ${members.list("m")} AS member, ${accounts.list("a")} AS account
FROM members m JOIN accounts a USING (account_id) WHERE ${condition}`

const MemberRow = Schema.Struct({ member: members.schema, account: accounts.schema })

export const layer = overDatabase(Members, ({ read }) =>
  Members.of({
    byId: first(query(read, MemberRow, withAccount("m.member_id = $1"))),
    byEmail: first(query(read, MemberRow, withAccount("sign_in_key(m.email, m.removed_at_ms) = email_key($1)"))),
    ofAccount: select(
      read,
      members,
      "members m WHERE m.account_id = $1 AND m.removed_at_ms IS NULL ORDER BY m.member_id"
    )
  })
)
