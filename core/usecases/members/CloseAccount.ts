// Closes an account for its human: keys, connections and sessions end, and open quotes are abandoned. Credit and history stay.
import { Clock, Context, Effect, Layer } from "effect"
import { closeAccount } from "#core/decisions/members/AccountState.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import type { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { AbandonQuote } from "../ordering/AbandonQuote.ts"

/** Open quotes that are abandoned at a time. */
const BATCH = 100

/** `kept`: open quotes that could not be abandoned now, such as those with a payment under way; closing again tries again. */
export interface ClosedAccount {
  readonly account: Account
  readonly abandoned: number
  readonly kept: ReadonlyArray<QuoteId>
}

export class CloseAccount extends Context.Service<
  CloseAccount,
  {
    /** Idempotent. */
    readonly close: (
      account: { readonly accountId: AccountId; readonly reason: string },
      actor: Actor
    ) => Effect.Effect<ClosedAccount, AccountNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/members/CloseAccount") {
  static readonly layer = Layer.effect(
    CloseAccount,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const members = yield* Members
      const sessions = yield* Sessions
      const quotes = yield* Quotes
      const { abandon } = yield* AbandonQuote

      const openQuotes = Effect.fnUntraced(function* (accountId: AccountId) {
        const live = yield* quotes.open({ accountId, mode: "live", limit: BATCH })
        return [...live, ...(yield* quotes.open({ accountId, mode: "sandbox", limit: BATCH }))]
      })

      /** Round after round, until nothing is left that can be abandoned. */
      const abandonAll = Effect.fnUntraced(function* (accountId: AccountId, actor: Actor) {
        let abandoned = 0
        for (;;) {
          const open = yield* openQuotes(accountId)
          const ended = yield* Effect.forEach(open, (quote) => Effect.isSuccess(abandon(quote, "human", actor)))
          const done = ended.filter((isEnded) => isEnded).length
          abandoned += done
          if (done === 0) return { abandoned, kept: open.map(({ quoteId }) => quoteId) }
        }
      })

      return CloseAccount.of({
        close: Effect.fn("CloseAccount.close")(function* ({ accountId, reason }, actor) {
          const account = yield* book.transact(
            { _tag: "ForAccount", accountId },
            closeAccount(accountId, reason, actor)
          )
          const ids = (yield* members.ofAccount(accountId)).map(({ memberId }) => memberId)
          yield* sessions.endAll(ids, yield* Clock.currentTimeMillis, null)
          return { account, ...(yield* abandonAll(accountId, actor)) }
        })
      })
    })
  )
}
