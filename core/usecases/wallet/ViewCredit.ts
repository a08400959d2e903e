// What the people of an account see of its credit: the ledger by lines, and beside the newest of them what waits.
import { Context, Effect, Layer } from "effect"
import type { AccountId, EntryId } from "#core/domain/shared/Ids.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type LedgerLinePage, Wallets } from "#core/ports/wallet/Wallets.ts"
import { ViewWaiting, type Waiting } from "../ordering/ViewWaiting.ts"

export interface CreditPage extends LedgerLinePage {
  /** On the first page; `null` on those after it. */
  readonly waiting: Waiting | null
}

export class ViewCredit extends Context.Service<
  ViewCredit,
  {
    /** What one purchase moved is one line. The one that moved last comes first. */
    readonly page: (
      query: PageRequest<EntryId> & { readonly accountId: AccountId }
    ) => Effect.Effect<CreditPage, StoreUnavailable>
  }
>()("backlinks/usecases/wallet/ViewCredit") {
  static readonly layer = Layer.effect(
    ViewCredit,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const { all } = yield* ViewWaiting

      return ViewCredit.of({
        page: Effect.fn("ViewCredit.page")(function* (query) {
          // It sweeps the account: releases of expired quotes are the newest movements, so that the ledger is read after it.
          const waiting = query.beforeId === null ? yield* all(query.accountId) : null
          return { waiting, ...(yield* wallets.ledgerLines(query)) }
        })
      })
    })
  )
}
