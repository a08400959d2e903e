// The invariants of the books after every command of the model: the shared statement, and what it leaves out because reconciliation
// does not know a shop's settings.
import { deepStrictEqual, ok } from "node:assert"
import { HashMap } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import { violationsOf } from "#core/decisions/Invariants.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { Model } from "./Model.ts"
import { CARD_MAXIMUM, CARD_MINIMUM, promos } from "./ModelShop.ts"

const all = <A>(table: HashMap.HashMap<string, A>): ReadonlyArray<A> => HashMap.toValues(table)

/** The card pays nothing, or an amount within its bounds; of the discounts considered, the best one was taken. */
const quoteSettings = ({ cardCents, discount, grossCents }: Quote): void => {
  ok(cardCents === 0 || (cardCents >= CARD_MINIMUM && cardCents <= CARD_MAXIMUM))
  ok(discount.amountCents <= grossCents)
  ok(
    discount.considered.every(
      ({ amountCents, reservedBy }) => reservedBy !== undefined || amountCents <= discount.amountCents
    )
  )
}

/** A code is redeemed at most as often as it may be, in all and per account. */
const promoLimits = (books: Books): void => {
  const bought = all(books.quotes).filter(({ mode, status }) => mode === "live" && status === "paid")
  for (const { code, max, once } of promos) {
    const uses = bought.filter(({ discount }) => discount.code === code)
    ok(uses.length <= max, `${code} was used ${uses.length} times`)
    ok(!once || new Set(uses.map(({ accountId }) => accountId)).size === uses.length)
  }
}

/** Entries move positive amounts; holds, ended ones too, are of their quote's credit; sandbox quotes have neither. */
const movements = (books: Books): void => {
  const credit = new Map(
    all(books.quotes)
      .filter(({ mode }) => mode === "live")
      .map(({ quoteId, creditCents }) => [quoteId, creditCents])
  )
  for (const { amountCents, quoteId } of all(books.ledger)) {
    ok(amountCents > 0 && (quoteId === null || credit.has(quoteId)))
  }
  for (const { quoteId, cents } of all(books.holds)) deepStrictEqual(cents, credit.get(quoteId))
}

/** What went back and was spent meanwhile is named, and nothing else. */
const excesses = (model: Model): ReadonlyArray<string> =>
  model
    .live()
    .filter((quote) => model.reversalsOf(quote).length > 0 && model.leftOf(quote, "final") < 0)
    .map(({ id }) => `money_goes_back_once ${id}`)

/** Throws where the books violate an invariant. */
export const checkInvariants = (books: Books, model: Model): void => {
  // A history need not sweep its quotes.
  deepStrictEqual(
    violationsOf(books, model.now)
      .filter(({ invariant }) => invariant !== "quote_ends")
      .map(({ invariant, subject }) => `${invariant} ${subject}`)
      .sort(),
    [...excesses(model)].sort()
  )
  all(books.quotes).forEach(quoteSettings)
  promoLimits(books)
  movements(books)
}
