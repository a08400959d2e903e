// Closes an account, for an owner where nothing is open in it, or by the operator: keys, connections and sessions end, open quotes are
// abandoned, and open top-ups end. Credit and history stay.
import { Clock, Context, Effect, Layer } from "effect"
import { closeAccount, closeOwnAccount } from "#core/decisions/members/AccountState.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { AccountInUse, AccountNotFound, OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { AccountId, PayableId } from "#core/domain/shared/Ids.ts"
import type { TopUp } from "#core/domain/wallet/TopUp.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { AbandonQuote } from "../ordering/AbandonQuote.ts"
import { ordersUnderWay } from "../shared/AccountKeys.ts"
import { FollowTopUps } from "../wallet/FollowTopUps.ts"

/** Open quotes that are abandoned at a time. */
const BATCH = 100

/** `kept`: open quotes and top-ups that could not be ended now, such as those with a payment under way; closing again tries again. */
export interface ClosedAccount {
  readonly account: Account
  readonly abandoned: number
  readonly kept: ReadonlyArray<PayableId>
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
    /** What hinders nothing, and ends with the account. */
    readonly topUps: (accountId: AccountId) => Effect.Effect<ReadonlyArray<TopUp>, StoreUnavailable>
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
      const topUps = yield* TopUps
      const { abandon } = yield* AbandonQuote
      const { cancel } = yield* FollowTopUps

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

      /** Those that are left are ended by the sweep; what is paid until then is set aside. */
      const endTopUps = Effect.fnUntraced(function* (accountId: AccountId, actor: Actor) {
        const left = yield* Effect.forEach(yield* topUps.openOf(accountId), (topUp) =>
          cancel(topUp, actor).pipe(
            Effect.map(({ status }) => (status === "open" ? [topUp.topUpId] : [])),
            Effect.orElseSucceed(() => [topUp.topUpId])
          )
        )
        return left.flat()
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
          yield* endTopUps(accountId, memberId)
          return account
        }),
        hindrances: Effect.fn("CloseAccount.hindrances")(function* (accountId) {
          const open = yield* quotes.open({ accountId, mode: "live", limit: NAMED + 1 })
          const placed = yield* underWay(yield* apiKeys.ofAccount(accountId), NAMED)
          const isCut = open.length > NAMED || placed.nextBeforeId !== null
          return { quotes: open.slice(0, NAMED), orders: placed.orders, isCut }
        }),
        topUps: topUps.openOf,
        close: Effect.fn("CloseAccount.close")(function* ({ accountId, reason }, actor) {
          const account = yield* book.transact(
            { _tag: "ForAccount", accountId },
            closeAccount(accountId, reason, actor)
          )
          yield* endSessions(accountId)
          const { abandoned, kept } = yield* abandonAll(accountId, actor)
          return { account, abandoned, kept: [...kept, ...(yield* endTopUps(accountId, actor))] }
        })
      })
    })
  )
}
