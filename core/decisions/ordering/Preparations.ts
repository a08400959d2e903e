// What an order may have to wait for before it is decided: the books with its look-alikes, and the end of expired quotes that occupy
// credit or daily budget.
import { Result } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { type Books, find } from "../Books.ts"
import { type Decided, unchanged } from "../Draft.ts"

/** `look_alikes`: the books are read with `lookAlikesOf`. `sweep`: the account's expired quotes are abandoned. */
export type Preparation = "look_alikes" | "sweep"

/** The order depends on what is undone: nothing was written. */
export interface Unprepared {
  readonly kind: "unprepared"
  readonly needs: Preparation
}

export const unprepared = (needs: Preparation): Decided<Unprepared> => unchanged({ kind: "unprepared", needs })

/** Whether open quotes hold credit that could pay for this order. Credit pays only for live orders. */
const holdsCredit = (books: Books, { mode, accountId }: Caller): boolean =>
  mode === "live" && (find(books.accounts, accountId)?.wallet.heldCents ?? 0) > 0

/** An abandoned quote no longer counts against the budget of its day. */
const spentTheDay = (refusal: Refusal): boolean =>
  refusal._tag === "SpendPolicyRefused" && refusal.rule === "max_day_cents"

/** Credit lowers the card payment; an order that it covers has none, and reserves nothing. */
const creditCouldAvoid = ({ _tag }: Refusal): boolean =>
  _tag === "AmountAboveMaximum" ||
  _tag === "AmountBelowMinimum" ||
  _tag === "CreditTooLow" ||
  _tag === "TooManyReservations"

/** Whether an order may end otherwise once the account's expired quotes are abandoned. It is refused, or a card pays so much of it. */
export const couldSweepHelp = (outcome: Result.Result<Cents, Refusal>, books: Books, caller: Caller): boolean =>
  Result.match(outcome, {
    onFailure: (refusal) => spentTheDay(refusal) || (creditCouldAvoid(refusal) && holdsCredit(books, caller)),
    onSuccess: (cardCents) => cardCents > 0 && holdsCredit(books, caller)
  })
