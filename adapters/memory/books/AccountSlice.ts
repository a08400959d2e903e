// The parts of the books that are about an account and its people.
import { HashMap } from "effect"
import { type Books, find, pick } from "#core/decisions/Books.ts"
import { emailKey } from "#core/domain/members/Account.ts"
import { firstOwnerId } from "#core/domain/members/Member.ts"
import { canCancel } from "#core/domain/ordering/Link.ts"
import { isOpen } from "#core/domain/ordering/Quote.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
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

/** The first of the rows alone, as a database would read it. */
const oneOf = <Id extends string, Row>(rows: HashMap.HashMap<Id, Row>, isSought: (row: Row) => boolean) =>
  HashMap.fromIterable(
    Array.from(rows)
      .filter(([, row]) => isSought(row))
      .slice(0, 1)
  )

export const forClosing = (books: Books, accountId: AccountId): PartialBooks => {
  const isOfThis = (one: { readonly accountId: AccountId; readonly mode: Mode }) =>
    one.accountId === accountId && one.mode === "live"
  const open = oneOf(books.links, (link) => isOfThis(link) && canCancel(link.status))
  const orders = new Set(Array.from(HashMap.values(open), ({ orderId }) => orderId))
  return {
    ...forAccount(books, accountId),
    quotes: oneOf(books.quotes, (quote) => isOfThis(quote) && isOpen(quote)),
    links: HashMap.filter(books.links, ({ orderId }) => orders.has(orderId))
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
