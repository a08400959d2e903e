// An account that owes something: its top-up was refunded after it was spent.
import { Effect } from "effect"
import { openTopUp } from "#core/decisions/wallet/TopUps.ts"
import { type AccountId, ChargeId, MemberId, PaymentId, ReversalId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { FollowTopUps } from "#core/usecases/wallet/FollowTopUps.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"

/** A top-up of that much, which was paid, spent and refunded. */
export const owing = Effect.fnUntraced(function* (accountId: AccountId, cents: number) {
  const [book, { settle, reverse }] = [yield* OrderBook, yield* FollowTopUps]
  const [member] = yield* (yield* Members).ofAccount(accountId)
  const topUpId = yield* (yield* TopUpCredit).newId
  const memberId = member?.memberId ?? MemberId.make("")
  yield* book.transact({ _tag: "ForTopUp", topUpId, accountId }, openTopUp({ topUpId, accountId, memberId, cents }))
  yield* settle({ paymentId: PaymentId.make(`pay_${topUpId}`), quoteId: topUpId, amountCents: cents, currency: "EUR" })
  yield* (yield* ManageAccounts).debitOnce({ accountId, cents, reference: topUpId, reason: "spent" }, "olga")
  const ids = { reversalId: ReversalId.make(`ch_${topUpId}`), chargeId: ChargeId.make(`ch_${topUpId}`) }
  yield* reverse({ ...ids, quoteId: topUpId, kind: "refund", cents, state: "final" })
})
