// Members of accounts, read from the books in memory.
import { find } from "#core/decisions/Books.ts"
import { emailKey } from "#core/domain/members/Account.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { rowsWhere, sorted } from "../../books/Rows.ts"

export const layer = overBooks(Members, ({ current }) => {
  const withAccount = (member: Member | undefined): MemberWithAccount | null => {
    const account = member === undefined ? undefined : find(current().accounts, member.accountId)
    return member === undefined || account === undefined ? null : { member, account }
  }
  const membersWhere = (condition: (one: Member) => boolean) =>
    sorted(
      rowsWhere(current().members, (one) => one.removedAtMs === null && condition(one)),
      { by: ({ memberId }) => [memberId] }
    )

  return {
    byId: (memberId) => withAccount(find(current().members, memberId)),
    byEmail: (email) => withAccount(membersWhere((one) => emailKey(one.email) === emailKey(email))[0]),
    ofAccount: (accountId) => membersWhere((one) => one.accountId === accountId)
  }
})
