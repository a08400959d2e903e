// An order that falls short while other quotes of its account are open still: one of those may have expired without anybody
// having noticed. Says so instead of deciding; which quotes have expired is not known here.
import { Result } from "effect"
import type { Caller } from "#core/domain/ApiKey.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { type Books, find } from "./Books.ts"
import { type Decide, unchanged } from "./Draft.ts"
import type { PlaceOrderReply } from "./PlaceOrder.ts"

export interface InsufficientCredit {
  readonly kind: "short"
}

/** That would pay for an order of this caller: nobody's credit pays in the sandbox. */
const holdsCredit = (books: Books, { mode, accountId }: Caller): boolean =>
  mode === "live" && (find(books.accounts, accountId)?.wallet.heldCents ?? 0) > 0

/** What an open quote takes of a day counts no more once it is given up. */
const spentTheDay = (refusal: Refusal): boolean =>
  refusal._tag === "SpendPolicyRefused" && refusal.rule === "max_day_cents"

/** The same decision, save that nothing is decided where credit or a day that expired quotes give back could change it. */
export const deferWhenShort =
  (caller: Caller, decide: Decide<PlaceOrderReply>): Decide<PlaceOrderReply | InsufficientCredit> =>
  (books, context) => {
    const outcome = decide(books, context)
    const isShort = Result.match(outcome, {
      onFailure: (refusal) =>
        spentTheDay(refusal) || (refusal._tag === "AmountBelowMinimum" && holdsCredit(books, caller)),
      onSuccess: ({ reply }) =>
        reply.kind === "placed" && reply.placement.quote.cardCents > 0 && holdsCredit(books, caller)
    })
    return isShort ? Result.succeed(unchanged({ kind: "short" as const })) : outcome
  }
