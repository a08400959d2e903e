// The parts of the books that are about an account and its people.
import { HashMap } from "effect"
import { type Books, find, pick } from "#core/decisions/Books.ts"
import { emailKey } from "#core/domain/members/Account.ts"
import { firstOwnerId } from "#core/domain/members/Member.ts"
import type { AccountId, InvitationId } from "#core/domain/shared/Ids.ts"

type PartialBooks = Partial<Books>

export const membersOf = ({ members }: Books, accountId: AccountId): Books["members"] =>
  HashMap.filter(members, (one) => one.accountId === accountId && one.removedAtMs === null)

export const forAccount = (books: Books, accountId: AccountId | undefined): PartialBooks => {
  if (accountId === undefined) return {}
  return {
    accounts: pick(books.accounts, [accountId]),
    members: membersOf(books, accountId),
    invitations: HashMap.filter(books.invitations, (one) => one.accountId === accountId),
    keys: HashMap.filter(books.keys, (one) => one.accountId === accountId),
    subscriptions: HashMap.filter(books.subscriptions, (one) => one.accountId === accountId)
  }
}

export const forEmail = (
  books: Books,
  { email, accountId }: { readonly email: string; readonly accountId?: AccountId }
): PartialBooks => {
  const hasEmail = (one: { readonly email: string }) => emailKey(one.email) === emailKey(email)
  return {
    accounts: HashMap.filter(books.accounts, (one) => hasEmail(one) || one.accountId === accountId),
    // The first owner comes back with the account's next address.
    members: HashMap.filter(books.members, (one) =>
      one.removedAtMs === null
        ? hasEmail(one) || one.accountId === accountId
        : accountId !== undefined && one.memberId === firstOwnerId(accountId)
    )
  }
}

export const forInvitation = (books: Books, invitationId: InvitationId): PartialBooks => {
  const invitation = find(books.invitations, invitationId)
  if (invitation === undefined) return {}
  const { accountId, email } = invitation
  return {
    ...forEmail(books, { email, accountId }),
    invitations: pick(books.invitations, [invitationId])
  }
}
