// Random histories, run on the books by the decisions and on a model in plain numbers: after every command both agree, and the books
// keep the invariants.
import { describe, expect, it } from "vitest"
import type { Command } from "#test/core/model/Command.ts"
import { compareBooks } from "#test/core/model/CompareBooks.ts"
import { anyHistory, debtHistory, expiryHistory } from "#test/core/model/Histories.ts"
import { checkInvariants } from "#test/core/model/Invariants.ts"
import { beginRun } from "#test/core/model/ModelRun.ts"
import { runCommand } from "#test/core/model/RunCommand.ts"
import { planFrom, property } from "#test/Property.ts"

const seen = new Map<string, number>()
const note = (event: string): void => {
  seen.set(event, (seen.get(event) ?? 0) + 1)
}

/** Credit for the first account, little for the second, none for the third. */
const beginnings: ReadonlyArray<Command> = [
  { do: "top up", account: 0, cents: 3_000 },
  { do: "top up", account: 1, cents: 470 }
]

const runHistory = (commands: ReadonlyArray<Command>): void => {
  const run = beginRun(note)
  for (const command of [...beginnings, ...commands]) {
    const before = run.books
    runCommand(run, command)
    compareBooks(run)
    // A refused command and a replay leave the very same books, which were checked before.
    if (run.books !== before) checkInvariants(run.books, run.model)
  }
}

/** The cases that the histories must reach; each occurs dozens of times in a thousand histories. */
const requiredCases = [
  "order: placed live",
  "order: placed sandbox",
  "order: dry run live",
  "order: replay live",
  "order: resume live",
  "order: IdempotencyKeyReused ",
  "order: ArticleUnavailable ",
  "order: AmountBelowMinimum ",
  "order: AmountAboveMaximum ",
  "order: PriceAboveLimit ",
  "order: TooManyReservations ",
  "order: PromoCodeInvalid exhausted",
  "order: PromoCodeInvalid already_used",
  "order: SpendPolicyRefused max_order_cents",
  "order: SpendPolicyRefused allowed_domains",
  "discount: none",
  "discount: promo",
  "discount: welcome",
  "abandoned by human",
  "abandoned by agent",
  "abandoned by expiry",
  "pay: settled, awaiting_payment",
  "pay: settled, awaiting_payment unswept",
  "pay: settled, abandoned expiry",
  "pay: credited, awaiting_payment unswept",
  "pay: credited, abandoned expiry",
  "pay: credited, abandoned human",
  "pay: credited, paid",
  "pay: repeated, paid",
  "cancel link: true",
  "cancel link: true, online",
  "cancel link again: true",
  "cancel link again: false",
  "cancel link again as refunded: true",
  "cancel link again as refunded: false",
  "cancel: gives back twice",
  "cancel refunded: a part",
  "cancel refunded: nothing",
  "approve: SpendPolicyRefused",
  "order: SpendPolicyRefused agents_stopped",
  "top up: paid",
  "top up: paid after its refund",
  "refund of a top up: final, owed",
  "refund of a top up: final, settled",
  "refund of a top up: final, repeated",
  "dispute of a top up: open, owed",
  "dispute of a top up: open, settled",
  "dispute of a top up: final, settled",
  "dispute of a top up: won, settled",
  "dispute of a top up: won, struck off",
  "refund: taken back",
  "refund: paid",
  "dispute: taken back",
  "dispute: paid",
  "change link: done",
  "change link: unchanged",
  "change link: InvalidTransition",
  "change link: LinkNotChangeable",
  "change link: SpendPolicyRefused",
  "change link: OrderNotFound",
  "move link: LinkTextChanged",
  "correct: done",
  "correct: PublishedElsewhere",
  "cancel order: true",
  "cancel order again: true",
  "cancel order again as refunded: false",
  "order: held live",
  "order: held sandbox",
  "approve: paid live",
  "approve: paid sandbox",
  "approve: awaiting_payment live",
  "approve: QuoteNotOpen",
  "decide: expired",
  "decline: done",
  "session: stored the response",
  "session: came too late",
  "bank debit: kept",
  "bank debit: kept after the expiry",
  "bank debit: ignored after the expiry",
  "abandon: PaymentUnderWay",
  "pay: settled, awaiting_payment pending",
  "session: reopens",
  "session: reopens, debit",
  "session: lapsed",
  "session: lapsed, debit"
]

describe("the shop", () => {
  property("agrees with the model for any commands", [anyHistory], runHistory)
  property("agrees with the model when quotes expire", [expiryHistory], runHistory)
  property("agrees with the model when top-ups are given back", [debtHistory], runHistory)

  it.runIf(planFrom(process.env).runs >= 1_000)("was run on histories that reach every case", () => {
    expect(requiredCases.filter((event) => !seen.has(event))).toEqual([])
  })
})
