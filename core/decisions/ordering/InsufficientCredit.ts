// Defers an order that lacks credit or daily budget while expired quotes of the account may still occupy some. The caller then sweeps
// the account and decides again.
import { Result } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { type Books, find } from "../Books.ts"
import { type Decide, unchanged } from "../Draft.ts"
import type { PlaceOrderReply } from "./PlaceOrder.ts"

export interface InsufficientCredit {
  readonly kind: "insufficient_credit"
}

/** Whether open quotes hold credit that could pay for this order. Credit pays only for live orders. */
const holdsCredit = (books: Books, { mode, accountId }: Caller): boolean =>
  mode === "live" && (find(books.accounts, accountId)?.wallet.heldCents ?? 0) > 0

/** An abandoned quote no longer counts against the budget of its day. */
const spentTheDay = (refusal: Refusal): boolean =>
  refusal._tag === "SpendPolicyRefused" && refusal.rule === "max_day_cents"

/** Credit lowers the card payment; an order that it covers has none, and reserves nothing. */
const creditCouldAvoid = ({ _tag }: Refusal): boolean =>
  _tag === "AmountAboveMaximum" || _tag === "AmountBelowMinimum" || _tag === "TooManyReservations"

/** Runs `decide`. If expired quotes could change its result, writes nothing and replies that the account is to be swept. */
export const deferWhenShort =
  (caller: Caller, decide: Decide<PlaceOrderReply>): Decide<PlaceOrderReply | InsufficientCredit> =>
  (books, context) => {
    const outcome = decide(books, context)
    const isShort = Result.match(outcome, {
      onFailure: (refusal) => spentTheDay(refusal) || (creditCouldAvoid(refusal) && holdsCredit(books, caller)),
      onSuccess: ({ reply }) =>
        reply.kind === "placed" && reply.placement.quote.cardCents > 0 && holdsCredit(books, caller)
    })
    return isShort ? Result.succeed(unchanged({ kind: "insufficient_credit" as const })) : outcome
  }
