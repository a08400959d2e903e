// What the people of an account see of its credit: the ledger by lines, and beside the newest of them what waits and how the balance moved.
import { Context, Effect, Layer } from "effect"
import type { AccountId, EntryId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type LedgerLinePage, Wallets } from "#core/ports/wallet/Wallets.ts"
import { ViewWaiting, type Waiting } from "../ordering/ViewWaiting.ts"

/** The movements of the balance that the first page draws. */
const DRAWN_MOVEMENTS = 100

export interface CreditPage extends LedgerLinePage {
  /** On the first page; `null` on those after it. */
  readonly first: {
    readonly waiting: Waiting
    /** Newest first. */
    readonly movements: ReadonlyArray<LedgerEntry>
  } | null
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

      /** It sweeps the account: releases of expired quotes are the newest movements, so that the ledger is read after it. */
      const newest = Effect.fnUntraced(function* (accountId: AccountId) {
        const waiting = yield* all(accountId)
        const { entries } = yield* wallets.ledger({ accountId, limit: DRAWN_MOVEMENTS, beforeId: null })
        return { waiting, movements: entries }
      })

      return ViewCredit.of({
        page: Effect.fn("ViewCredit.page")(function* (query) {
          const first = query.beforeId === null ? yield* newest(query.accountId) : null
          return { first, ...(yield* wallets.ledgerLines(query)) }
        })
      })
    })
  )
}
