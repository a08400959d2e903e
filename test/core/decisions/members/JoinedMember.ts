// A member of an account, for tests that are not about how a person joins: one who accepted an invitation before.
import { Effect, Result } from "effect"
import { type Decide, Draft } from "#core/decisions/Draft.ts"
import type { GivenRole, Member } from "#core/domain/members/Member.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"

interface Joined {
  readonly accountId: AccountId
  readonly email: string
  readonly role: GivenRole
}

const joinedMember =
  (who: Joined): Decide<Member, never> =>
  (books, context) => {
    const draft = new Draft(books, context)
    const times = { createdAtMs: context.nowMs, removedAtMs: null }
    const member = { memberId: draft.nextId("mem_"), ...who, ...times }
    draft.record({ _tag: "MemberSaved", member })
    return Result.succeed(draft.decided(member))
  }

export const joinAs = Effect.fnUntraced(function* (who: Joined) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForAccount", accountId: who.accountId }, joinedMember(who))
})
