// What tests of stores do with invitations, by the decisions that the service gives to `transact`.
import { randomUUID } from "node:crypto"
import { Effect, Result } from "effect"
import { Draft } from "#core/decisions/Draft.ts"
import { acceptInvitation, inviteMember, withdrawInvitation } from "#core/decisions/members/Invitations.ts"
import type { MadeBy } from "#core/decisions/members/Members.ts"
import type { Invitation } from "#core/domain/members/Invitation.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { actor } from "../ShopSetup.ts"

export const someone = (): string => `${randomUUID()}@invited.example`

const byOperator: MadeBy = { operator: actor }

export const invite = Effect.fnUntraced(function* (accountId: AccountId, email: string, by: MadeBy = byOperator) {
  const book = yield* OrderBook
  const inviting = inviteMember({ accountId, email, role: "viewer", by })
  return yield* book.transact({ _tag: "ForAccount", accountId }, inviting)
})

export const accept = Effect.fnUntraced(function* ({ invitationId, email }: Invitation) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForInvitation", invitationId }, acceptInvitation({ invitationId, email }))
})

export const withdraw = Effect.fnUntraced(function* ({ invitationId, accountId }: Invitation) {
  const book = yield* OrderBook
  const withdrawing = withdrawInvitation({ accountId, invitationId, by: byOperator })
  return yield* book.transact({ _tag: "ForAccount", accountId }, withdrawing)
})

/** Keeps the invitation as it is given, such as one of another day. */
export const record = Effect.fnUntraced(function* (invitation: Invitation) {
  const book = yield* OrderBook
  const { accountId } = invitation
  yield* book.transact({ _tag: "ForAccount", accountId }, (books, context) => {
    const draft = new Draft(books, context)
    draft.record({ _tag: "InvitationSaved", invitation })
    return Result.succeed(draft.decided(undefined))
  })
  return invitation
})
