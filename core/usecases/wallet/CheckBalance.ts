// Shows the credit, holds and ledger of an account, and the daily usage of a key.
import { Clock, Context, Effect, Layer } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { MAX_OPEN_QUOTES, type PlacedQuote } from "#core/domain/ordering/Quote.ts"
import { dayEndsAtMs, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { EntryId } from "#core/domain/shared/Ids.ts"
import { type Hold, MAX_HOLDS } from "#core/domain/wallet/Hold.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { type LedgerPage, Wallets } from "#core/ports/wallet/Wallets.ts"
import { SweepQuotes } from "../ordering/SweepQuotes.ts"
import { listedCredentials } from "../shared/ListedCredentials.ts"

export interface Balance {
  readonly availableCents: number
  /** The sum of all holds. */
  readonly heldCents: number
  /** What is missing of top-ups that were refunded or disputed. */
  readonly owedCents: number
  /** The first to expire first; of more than `MAX_HOLDS`, those that expire last. */
  readonly holds: ReadonlyArray<Hold>
  /** Open quotes in the caller's mode, the last to expire first; at most `MAX_OPEN_QUOTES`. */
  readonly openQuotes: ReadonlyArray<PlacedQuote>
  readonly ordersToday: { readonly used: number; readonly limit: number; readonly resetsAtMs: number }
}

const lastToExpire = (holds: ReadonlyArray<Hold>): ReadonlyArray<Hold> =>
  holds.toSorted((a, b) => a.expiresAtMs - b.expiresAtMs || (a.holdId < b.holdId ? -1 : 1)).slice(-MAX_HOLDS)

export class CheckBalance extends Context.Service<
  CheckBalance,
  {
    /** A sandbox key gets the real available credit and no holds. */
    readonly balance: (caller: Caller) => Effect.Effect<Balance, AccountNotFound | StoreUnavailable>
    /** Newest first. Empty for a sandbox key: sandbox orders book nothing. */
    readonly ledger: (
      caller: Pick<Caller, "accountId" | "mode">,
      query: PageRequest<EntryId>
    ) => Effect.Effect<LedgerPage, StoreUnavailable>
  }
>()("backlinks/usecases/wallet/CheckBalance") {
  static readonly layer = Layer.effect(
    CheckBalance,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const quotes = yield* Quotes
      const keys = yield* ApiKeys
      const sweeper = yield* SweepQuotes
      const { placedByEach } = yield* listedCredentials
      const { settings } = yield* ServiceContext

      const capOf = Effect.fnUntraced(function* ({ accountId, keyId }: Caller) {
        const found = (yield* keys.ofAccount(accountId)).find(({ key }) => key.keyId === keyId)
        return found?.key.limits.dailyOrderCap ?? settings.dailyOrderCap
      })

      return CheckBalance.of({
        balance: Effect.fn("CheckBalance.balance")(function* (caller) {
          const { accountId, keyId, mode } = caller
          yield* sweeper.sweepAccount(accountId)
          const view = yield* wallets.of(accountId)
          if (view === null) return yield* new AccountNotFound({ accountId })
          const day = utcDay(yield* Clock.currentTimeMillis)
          const { quotes: used } = yield* wallets.dailyUsage(keyId, day)
          const { wallet } = view.account
          return {
            availableCents: availableCents(wallet),
            owedCents: owedCentsOf(view.account),
            heldCents: mode === "sandbox" ? 0 : wallet.heldCents,
            openQuotes: yield* placedByEach(caller, yield* quotes.open({ accountId, mode, limit: MAX_OPEN_QUOTES })),
            holds: mode === "sandbox" ? [] : lastToExpire(view.holds),
            ordersToday: { used, limit: yield* capOf(caller), resetsAtMs: dayEndsAtMs(day) }
          }
        }),
        ledger: Effect.fn("CheckBalance.ledger")(function* ({ accountId, mode }, query) {
          if (mode === "sandbox") return { entries: [], nextBeforeId: null }
          // Only the first page needs a sweep: releases of expired quotes are the newest entries.
          if (query.beforeId === null) yield* sweeper.sweepAccount(accountId)
          return yield* wallets.ledger({ accountId, ...query })
        })
      })
    })
  )
}
