// The uses of the welcome offer that decisions read: those for the domains of a cart, and those of a quote.
import { HashMap } from "effect"
import { type Books, find } from "#core/decisions/Books.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { isUseOf } from "#core/domain/pricing/WelcomeUse.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"

/** What decides whether a self-opened account gets the welcome offer for these domains. */
export const welcomeUsesFor = (
  books: Books,
  accountId: AccountId,
  domains: ReadonlyArray<string>
): Books["welcomeUses"] =>
  find(books.accounts, accountId)?.selfOpened === true
    ? HashMap.filter(books.welcomeUses, (use) => domains.some((domain) => isUseOf(use, domain)))
    : HashMap.empty()

/** The account's uses, which have the domains of its quotes, and those for their domains. */
export const welcomeUsesOf = (books: Books, { accountId, discount }: Quote): Books["welcomeUses"] => {
  if (discount.source !== "welcome") return HashMap.empty()
  const own = HashMap.filter(books.welcomeUses, (use) => use.accountId === accountId)
  const domains = Array.from(HashMap.values(own), ({ domain }) => domain)
  return HashMap.union(welcomeUsesFor(books, accountId, domains), own)
}
