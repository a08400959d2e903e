// Billing identities of accounts, in the books in memory.
import { Effect, Equal, HashMap, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { BillingIdentities } from "#core/ports/invoicing/BillingIdentities.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

export const layer: Layer.Layer<BillingIdentities, never, MemoryBooks> = Layer.effect(
  BillingIdentities,
  Effect.map(MemoryBooks, ({ current, replace }) =>
    BillingIdentities.of({
      of: (accountId) => Effect.sync(() => find(current().billingIdentities, accountId) ?? null),
      replace: ({ accountId, previous, identity, audit: record }) =>
        Effect.suspend(() => {
          const books = current()
          if (find(books.accounts, accountId) === undefined) return Effect.fail(new AccountNotFound({ accountId }))
          if (!Equal.equals(find(books.billingIdentities, accountId) ?? null, previous)) return Effect.succeed(false)
          const audit = HashMap.set(books.audit, record.auditId, record)
          const billingIdentities = HashMap.set(books.billingIdentities, accountId, identity)
          return Effect.sync(() => {
            replace({ ...books, billingIdentities, audit })
            return true
          })
        })
    })
  )
)
