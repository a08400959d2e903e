// Closes an account, for an owner where nothing is open in it, or by the operator: keys, connections and sessions end, and open quotes are
// abandoned. Credit and history stay.
import { Clock, Context, Effect, Layer } from "effect"
import { closeAccount, closeOwnAccount } from "#core/decisions/members/AccountState.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { AccountInUse, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { AbandonQuote } from "../ordering/AbandonQuote.ts"
import { ordersUnderWay } from "../shared/AccountKeys.ts"

/** Open quotes that are abandoned at a time. */
const BATCH = 100

/** `kept`: open quotes that could not be abandoned now, such as those with a payment under way; closing again tries again. */
export interface ClosedAccount {
  readonly account: Account
  readonly abandoned: number
  readonly kept: ReadonlyArray<QuoteId>
}

/** What has to end before an owner can close the account; the first of each. */
export interface Hindrances {
  readonly quotes: ReadonlyArray<Quote>
  readonly orders: ReadonlyArray<OrderWithLinks>
  /** There are more of them. */
  readonly isCut: boolean
}

/** Hindrances of a kind that are named. */
const NAMED = 10

export class CloseAccount extends Context.Service<
  CloseAccount,
  {
    /** For the account of an owner, who confirms it. Idempotent. */
    readonly closeOwn: (
      signedIn: SignedIn,
      by: Confirmed
    ) => Effect.Effect<Account, AccountInUse | AccountNotFound | OwnerOnly | StoreUnavailable>
    readonly hindrances: (accountId: AccountId) => Effect.Effect<Hindrances, StoreUnavailable>
    /** For the operator, whatever is open in it. Idempotent. */
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
      const apiKeys = yield* ApiKeys
      const underWay = yield* ordersUnderWay
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

      const endSessions = Effect.fnUntraced(function* (accountId: AccountId) {
        const ids = (yield* members.ofAccount(accountId)).map(({ memberId }) => memberId)
        yield* sessions.endAll(ids, yield* Clock.currentTimeMillis, null)
      })

      return CloseAccount.of({
        closeOwn: Effect.fn("CloseAccount.closeOwn")(function* ({ account: { accountId } }, { memberId }) {
          const account = yield* book.transact(
            { _tag: "ForClosing", accountId },
            closeOwnAccount(accountId, { memberId })
          )
          yield* endSessions(accountId)
          // What is open now is of the sandbox.
          yield* abandonAll(accountId, memberId)
          return account
        }),
        hindrances: Effect.fn("CloseAccount.hindrances")(function* (accountId) {
          const open = yield* quotes.open({ accountId, mode: "live", limit: NAMED + 1 })
          const placed = yield* underWay(yield* apiKeys.ofAccount(accountId), NAMED)
          const isCut = open.length > NAMED || placed.nextBeforeId !== null
          return { quotes: open.slice(0, NAMED), orders: placed.orders, isCut }
        }),
        close: Effect.fn("CloseAccount.close")(function* ({ accountId, reason }, actor) {
          const account = yield* book.transact(
            { _tag: "ForAccount", accountId },
            closeAccount(accountId, reason, actor)
          )
          yield* endSessions(accountId)
          return { account, ...(yield* abandonAll(accountId, actor)) }
        })
      })
    })
  )
}
