// Writes down changes of members' second factors, which are kept beside the books.
import { Result } from "effect"
import { MemberNotFound } from "#core/domain/members/MemberRefusal.ts"
import type { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { find } from "../Books.ts"
import { audit, type Decide, Draft } from "../Draft.ts"
import { actorOf, type MadeBy } from "./Members.ts"

interface FactorRecord {
  readonly accountId: AccountId
  readonly memberId: MemberId
  /** Such as `factor.passkey_added`. */
  readonly action: string
  readonly by: MadeBy
}

/** Fails unless the member is one of the account. */
export const recordFactorChange =
  ({ accountId, memberId, action, by }: FactorRecord): Decide<void, MemberNotFound> =>
  (books, context) => {
    const member = find(books.members, memberId)
    if (member?.accountId !== accountId || member.removedAtMs !== null)
      return Result.fail(new MemberNotFound({ memberId }))
    const draft = new Draft(books, context)
    audit(draft, actorOf(by), { accountId, action, subject: memberId, details: {} })
    return Result.succeed(draft.decided(undefined))
  }
