// Members of accounts, read from the books in memory.
import { Effect, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { rowsIn } from "../../books/Indexes.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

export const layer: Layer.Layer<Members, never, MemoryBooks> = Layer.effect(
  Members,
  Effect.map(MemoryBooks, ({ current, indexes }) => {
    const withAccount = (member: Member | undefined): MemberWithAccount | null => {
      const account = member === undefined ? undefined : find(current().accounts, member.accountId)
      return member === undefined || account === undefined ? null : { member, account }
    }
    return Members.of({
      byId: (memberId) => Effect.sync(() => withAccount(find(current().members, memberId))),
      byEmail: (email) =>
        Effect.sync(() => withAccount(rowsIn(current().members, indexes, indexKeys.memberWith(email))[0])),
      ofAccount: (accountId) => Effect.sync(() => rowsIn(current().members, indexes, indexKeys.membersOf(accountId)))
    })
  })
)
