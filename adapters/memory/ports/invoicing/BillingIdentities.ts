// Billing identities of accounts, in the books in memory.
import { Effect, Equal, HashMap } from "effect"
import { find } from "#core/decisions/Books.ts"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { BillingIdentities } from "#core/ports/invoicing/BillingIdentities.ts"
import { overBooks } from "../../books/OverBooks.ts"

export const layer = overBooks(BillingIdentities, ({ current, replace }) => ({
  of: (accountId) => find(current().billingIdentities, accountId) ?? null,
  replace: ({ accountId, previous, identity, audit: record }) => {
    const books = current()
    if (find(books.accounts, accountId) === undefined) return Effect.fail(new AccountNotFound({ accountId }))
    if (!Equal.equals(find(books.billingIdentities, accountId) ?? null, previous)) return false
    const audit = HashMap.set(books.audit, record.auditId, record)
    const billingIdentities = HashMap.set(books.billingIdentities, accountId, identity)
    replace({ ...books, billingIdentities, audit })
    return true
  }
}))
