// Billing identities of accounts, in the books in memory.
import { Effect, HashMap, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import { AccountNotFound } from "#core/domain/Refusal.ts"
import { BillingIdentities } from "#core/ports/BillingIdentities.ts"
import { MemoryBooks } from "./books/MemoryBooks.ts"

export const layer: Layer.Layer<BillingIdentities, never, MemoryBooks> = Layer.effect(
  BillingIdentities,
  Effect.map(MemoryBooks, ({ current, replace }) =>
    BillingIdentities.of({
      of: (accountId) => Effect.sync(() => find(current().billingIdentities, accountId) ?? null),
      save: (accountId, identity, record) =>
        Effect.suspend(() => {
          const books = current()
          if (find(books.accounts, accountId) === undefined) return Effect.fail(new AccountNotFound({ accountId }))
          const audit = record === null ? books.audit : HashMap.set(books.audit, record.auditId, record)
          const billingIdentities = HashMap.set(books.billingIdentities, accountId, identity)
          return Effect.sync(() => replace({ ...books, billingIdentities, audit }, []))
        })
    })
  )
)
