// What must hold of any books at all, whoever wrote them: nothing here knows what has happened, or the model.
import { deepStrictEqual, ok } from "node:assert"
import { HashMap } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import type { Link } from "#core/domain/Link.ts"
import type { Quote } from "#core/domain/Quote.ts"
import { known, ledgerOf } from "../RunDecision.ts"
import { CARD_MINIMUM, promos } from "./ModelShop.ts"

const add = (amounts: ReadonlyArray<number>): number => amounts.reduce((all, one) => all + one, 0)

const all = <A>(shelf: HashMap.HashMap<string, A>): ReadonlyArray<A> => [...HashMap.values(shelf)]

const linksOf = (books: Books, quoteId: string): ReadonlyArray<Link> =>
  all(books.links).filter((link) => link.quoteId === quoteId)

/** 0 ≤ held ≤ balance; entries add up to both, one after the other; open holds add up to what is held. */
const wallets = (books: Books): void => {
  for (const { accountId, wallet } of all(books.accounts)) {
    const { balanceCents, heldCents } = wallet
    ok(0 <= heldCents && heldCents <= balanceCents, `${accountId}: ${heldCents} held of ${balanceCents}`)
    let balance = 0
    let held = 0
    for (const entry of ledgerOf(books, accountId)) {
      balance += entry.balanceDeltaCents
      held += entry.heldDeltaCents
      deepStrictEqual([entry.balanceAfterCents, entry.heldAfterCents], [balance, held])
      ok(0 <= held && held <= balance && entry.amountCents > 0)
    }
    deepStrictEqual({ balanceCents: balance, heldCents: held }, wallet)
    const open = all(books.holds).filter((hold) => hold.accountId === accountId && hold.state === "open")
    deepStrictEqual(add(open.map(({ cents }) => cents)), heldCents)
  }
}

/** Every hold begins once and ends at most once; a quote has one open hold or captured one, and none of both. */
const holds = (books: Books): void => {
  const entries = all(books.ledger)
  for (const quote of all(books.quotes)) {
    const mine = all(books.holds).filter(({ quoteId }) => quoteId === quote.quoteId)
    const count = (kind: string) =>
      entries.filter((entry) => entry.quoteId === quote.quoteId && entry.kind === kind).length
    const inState = (state: string) => mine.filter((hold) => hold.state === state).length
    deepStrictEqual(
      [count("hold"), count("release"), count("capture")],
      [mine.length, inState("released"), inState("captured")]
    )
    const wanted = quote.mode === "live" && quote.creditCents > 0 ? 1 : 0
    deepStrictEqual(inState("open"), quote.status === "awaiting_payment" ? wanted : 0)
    deepStrictEqual(inState("captured"), quote.status === "paid" ? wanted : 0)
    ok(mine.every(({ cents }) => cents === quote.creditCents))
  }
}

/** Gross − discount = credit + card; lines add up; the card pays nothing or at least its minimum. */
const prices = (quote: Quote): void => {
  const { grossCents, discount, totalCents, creditCents, cardCents, lines } = quote
  deepStrictEqual(grossCents - discount.amountCents, creditCents + cardCents)
  deepStrictEqual(totalCents, creditCents + cardCents)
  deepStrictEqual(
    [add(lines.map(({ priceCents }) => priceCents)), add(lines.map(({ netCents }) => netCents))],
    [grossCents, totalCents]
  )
  ok(0 <= discount.amountCents && discount.amountCents <= grossCents && creditCents >= 0)
  ok(cardCents === 0 || cardCents >= CARD_MINIMUM)
  ok(discount.considered.every(({ amountCents }) => amountCents <= discount.amountCents))
  deepStrictEqual(quote.status === "paid", quote.orderId !== null)
}

/** What is limited is never had twice: articles, codes, the welcome offer. */
const scarcity = (books: Books): void => {
  const alive = all(books.links).filter(
    ({ mode, status, articleId }) => mode === "live" && status !== "cancelled" && articleId !== null
  )
  deepStrictEqual(new Set(alive.map(({ articleId }) => articleId)).size, alive.length)
  const bought = all(books.quotes).filter(({ mode, status }) => mode === "live" && status === "paid")
  for (const { code, max, once } of promos) {
    const uses = bought.filter(({ discount }) => discount.code === code)
    ok(uses.length <= max, `${code} was used ${uses.length} times`)
    ok(!once || new Set(uses.map(({ accountId }) => accountId)).size === uses.length)
    deepStrictEqual(known(books.promos, code).redeemed, uses.length)
  }
  const welcomed = bought.filter(({ discount }) => discount.source === "welcome").map(({ accountId }) => accountId)
  deepStrictEqual(new Set(welcomed).size, welcomed.length)
}

/** Whatever came in, by top-up or card, is in the wallet or in links that are not cancelled. Sandbox moves nothing. */
const conservation = (books: Books): void => {
  const entries = all(books.ledger)
  const live = all(books.quotes).filter(({ mode }) => mode === "live")
  const ids = new Set(live.map(({ quoteId }) => quoteId))
  ok(entries.every(({ quoteId }) => quoteId === null || ids.has(quoteId)))
  ok(all(books.holds).every(({ quoteId }) => ids.has(quoteId)))
  for (const { accountId, wallet } of all(books.accounts)) {
    const mine = live.filter((quote) => quote.accountId === accountId).map(({ quoteId }) => quoteId)
    const toppedUp = entries.filter((entry) => entry.accountId === accountId && entry.kind === "top_up")
    const paid = all(books.payments).filter(({ quoteId }) => mine.includes(quoteId))
    const links = all(books.links).filter(({ quoteId, status }) => mine.includes(quoteId) && status !== "cancelled")
    const cameIn = add([...toppedUp, ...paid].map(({ amountCents }) => amountCents))
    deepStrictEqual(cameIn, wallet.balanceCents + add(links.map(({ netCents }) => netCents)))
  }
}

/** An order whose links are all cancelled has given back exactly its price; every payment is in its order or in the wallet. */
const returns = (books: Books): void => {
  const entries = all(books.ledger)
  for (const { quoteId, totalCents, cardCents, creditedCents, mode, status } of all(books.quotes)) {
    const sum = (kind: string) =>
      add(entries.filter((one) => one.quoteId === quoteId && one.kind === kind).map((one) => one.amountCents))
    const payments = all(books.payments).filter((payment) => payment.quoteId === quoteId)
    const settled = status === "paid" && cardCents > 0 ? 1 : 0
    deepStrictEqual(add(payments.map(({ amountCents }) => amountCents)), settled * cardCents + creditedCents)
    deepStrictEqual(sum("late_payment"), mode === "live" ? creditedCents : 0)
    const links = linksOf(books, quoteId)
    if (links.length === 0 || mode === "sandbox" || links.some((link) => link.status !== "cancelled")) continue
    deepStrictEqual(sum("recredit"), totalCents)
  }
}

/** Throws where the books break a law of the house. */
export const checkInvariants = (books: Books): void => {
  wallets(books)
  holds(books)
  all(books.quotes).forEach(prices)
  scarcity(books)
  conservation(books)
  returns(books)
}
