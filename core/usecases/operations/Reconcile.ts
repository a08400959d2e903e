// Checks all invariants over the whole store, for the operator, and names the accounts that owe something.
import { Context, Effect, Layer } from "effect"
import { type Account, owedCentsOf } from "#core/domain/members/Account.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { Reconciliation, type ReconciliationReport } from "#core/ports/operations/Reconciliation.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"

/** More violations of one invariant usually have the same cause. */
const LIMIT_PER_INVARIANT = 100

/** An account, and what it owes of refunded or disputed top-ups. */
export type Owing = Pick<Account, "accountId" | "name"> & { readonly owedCents: Cents }

export interface CheckedBooks extends ReconciliationReport {
  /** Money that is missing, and that the books account for. */
  readonly owing: ReadonlyArray<Owing>
}

export class Reconcile extends Context.Service<
  Reconcile,
  {
    /** Takes minutes over millions of orders, and blocks no other call. */
    readonly reconcile: () => Effect.Effect<CheckedBooks, StoreUnavailable>
    /** The accounts that owe the most first. */
    readonly owing: (limit: number) => Effect.Effect<ReadonlyArray<Owing>, StoreUnavailable>
  }
>()("backlinks/usecases/operations/Reconcile") {
  static readonly layer = Layer.effect(
    Reconcile,
    Effect.gen(function* () {
      const { reconcile } = yield* Reconciliation
      const wallets = yield* Wallets

      const owing = Effect.fn("Reconcile.owing")((limit: number) =>
        Effect.map(wallets.owing({ limit }), (accounts) =>
          accounts.map((account) => ({
            ...{ accountId: account.accountId, name: account.name },
            owedCents: owedCentsOf(account)
          }))
        )
      )

      return Reconcile.of({
        owing,
        reconcile: Effect.fn("Reconcile.reconcile")(function* () {
          return { ...(yield* reconcile(LIMIT_PER_INVARIANT)), owing: yield* owing(LIMIT_PER_INVARIANT) }
        })
      })
    })
  )
}
