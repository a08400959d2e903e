// What must be true of a shop's books after anything whatsoever: money adds up to the cent, whatever is had once is had once,
// and every record agrees with every other. Looks at the books alone; how they came about is for each test.
import { Effect, HashMap, HashSet } from "effect"
import { expect } from "vitest"
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import { utcDay } from "#core/domain/DecisionContext.ts"
import { sum } from "#core/domain/Money.ts"
import { orderStatus } from "#core/domain/Order.ts"
import { isOpen, type Quote } from "#core/domain/Quote.ts"
import { Reconcile } from "#core/usecases/Reconcile.ts"
import { inOrder, tally } from "./Counting.ts"
import { Shop } from "./Shop.ts"

const all = <K, A>(shelf: HashMap.HashMap<K, A>): ReadonlyArray<A> => HashMap.toValues(shelf)

/** `0 ≤ held ≤ balance` after every entry; entries sum to the wallet, open holds to what is held. */
const soundWallets = (books: Books): void => {
  const ledgers = Map.groupBy(inOrder(books.ledger), ({ accountId }) => accountId)
  const held = Map.groupBy(
    all(books.holds).filter(({ state }) => state === "open"),
    ({ accountId }) => accountId
  )
  for (const { accountId, wallet } of all(books.accounts)) {
    let balanceCents = 0
    let heldCents = 0
    for (const entry of ledgers.get(accountId) ?? []) {
      balanceCents += entry.balanceDeltaCents
      heldCents += entry.heldDeltaCents
      expect(entry).toMatchObject({ balanceAfterCents: balanceCents, heldAfterCents: heldCents })
      expect(heldCents).toBeGreaterThanOrEqual(0)
      expect(heldCents).toBeLessThanOrEqual(balanceCents)
    }
    expect(wallet).toEqual({ balanceCents, heldCents })
    expect(sum((held.get(accountId) ?? []).map(({ cents }) => cents))).toBe(heldCents)
  }
}

/** Each hold begins once and ends at most once, as its state says. */
const soundHolds = (books: Books): void => {
  const entries = tally(all(books.ledger).map(({ kind, quoteId }) => `${kind} ${quoteId}`))
  for (const [quoteId, holds] of Map.groupBy(all(books.holds), (hold) => hold.quoteId)) {
    const { captured = 0, released = 0 } = tally(holds.map(({ state }) => state))
    expect(entries[`hold ${quoteId}`] ?? 0).toBe(holds.length)
    expect(entries[`capture ${quoteId}`] ?? 0).toBe(captured)
    expect(entries[`release ${quoteId}`] ?? 0).toBe(released)
  }
}

const holdState = (books: Books, { holdId }: Quote) => (holdId === null ? null : find(books.holds, holdId)?.state)

const HOLD_OF = { awaiting_payment: "open", paid: "captured", abandoned: "released" } as const

/** Sums to the cent, an order exactly when paid, and the hold where the status says. */
const soundQuotes = (books: Books): void => {
  const orders = Map.groupBy(all(books.orders), ({ quoteId }) => quoteId)
  for (const quote of all(books.quotes)) {
    const { quoteId, lines, grossCents, totalCents, discount, creditCents, cardCents, status } = quote
    expect(sum(lines.map(({ priceCents }) => priceCents))).toBe(grossCents)
    expect(sum(lines.map(({ netCents }) => netCents))).toBe(totalCents)
    expect(grossCents - discount.amountCents).toBe(totalCents)
    expect(totalCents).toBe(creditCents + cardCents)
    expect((orders.get(quoteId) ?? []).map(({ orderId }) => orderId)).toEqual(status === "paid" ? [quote.orderId] : [])
    const held = quote.mode === "live" && creditCents > 0
    expect(holdState(books, quote), quoteId).toBe(held ? HOLD_OF[status] : null)
  }
}

/** No payment is lost: it paid an order, or it is credited. */
const soundPayments = (books: Books): void => {
  const byQuote = Map.groupBy(all(books.payments), ({ quoteId }) => quoteId)
  const late = Map.groupBy(
    all(books.ledger).filter(({ kind }) => kind === "late_payment"),
    ({ quoteId }) => quoteId
  )
  for (const { quoteId, status, cardCents, creditedCents, mode } of all(books.quotes)) {
    const paid = sum((byQuote.get(quoteId) ?? []).map(({ amountCents }) => amountCents))
    expect(paid, quoteId).toBe((status === "paid" ? cardCents : 0) + creditedCents)
    const booked = sum((late.get(quoteId) ?? []).map(({ amountCents }) => amountCents))
    expect(booked, quoteId).toBe(mode === "live" ? creditedCents : 0)
  }
}

/** An article is with one living link at most; a code and the welcome offer are spent as often as orders used them. */
const soundReservations = (books: Books): void => {
  const living = all(books.links).filter(({ status, mode }) => mode === "live" && status !== "cancelled")
  const sold = tally(living.flatMap(({ articleId }) => articleId ?? []))
  for (const { articleId, sale } of all(books.articles)) {
    expect(sold[articleId] ?? 0, `article ${articleId}`).toBe(sale.state === "sold" ? 1 : 0)
  }
  const paid = all(books.quotes).filter(({ status, mode }) => mode === "live" && status === "paid")
  const coded = Map.groupBy(
    paid.filter(({ discount }) => discount.source === "promo"),
    ({ discount }) => discount.code
  )
  for (const { code, redeemed, redeemedBy, reservations, maxRedemptions, oncePerAccount } of all(books.promos)) {
    expect(redeemed, code).toBe(coded.get(code)?.length ?? 0)
    if (maxRedemptions !== null) expect(redeemed).toBeLessThanOrEqual(maxRedemptions)
    if (oncePerAccount) expect(HashSet.size(redeemedBy)).toBe(redeemed)
    for (const { quoteId } of reservations) expect(find(books.quotes, quoteId)?.status).toBe("awaiting_payment")
  }
  const welcomed = Map.groupBy(
    paid.filter(({ discount }) => discount.source === "welcome"),
    ({ accountId }) => accountId
  )
  for (const { accountId, welcome } of all(books.accounts)) {
    const spentBy = (welcomed.get(accountId) ?? []).map(({ quoteId }) => quoteId)
    expect(spentBy).toEqual(welcome.state === "spent" ? [welcome.quoteId] : [])
  }
}

/** A key's day counts every quote, and the money of those that were not given up. */
const soundDays = (books: Books): void => {
  const made = Map.groupBy(all(books.quotes), ({ keyId, createdAtMs }) => `${keyId}/${utcDay(createdAtMs)}`)
  expect(HashMap.size(books.tallies)).toBe(made.size)
  for (const [tallyId, quotes] of made) {
    const counted = quotes.filter((quote) => isOpen(quote) || quote.status === "paid")
    const spentCents = sum(counted.map(({ totalCents }) => totalCents))
    expect(find(books.tallies, tallyId)).toMatchObject({ quotes: quotes.length, spentCents })
  }
  const bound = all(books.bindings).map(({ keyId, idempotencyKey, quoteId }) => `${keyId} ${idempotencyKey} ${quoteId}`)
  const asked = all(books.quotes).filter(({ idempotencyKey }) => idempotencyKey !== null)
  expect(new Set(bound)).toEqual(
    new Set(asked.map(({ keyId, idempotencyKey, quoteId }) => `${keyId} ${idempotencyKey} ${quoteId}`))
  )
}

/** The owner is told of each order once, of each link online once, and of the end once. */
const soundEvents = (books: Books): void => {
  const told = tally(all(books.events).map(({ type, orderId, linkId }) => `${type} ${linkId ?? orderId}`))
  const expected: Record<string, number> = {}
  for (const order of all(books.orders)) {
    const links = linksOf(books, order)
    expected[`order.accepted ${order.orderId}`] = 1
    if (orderStatus(links) === "cancelled") expected[`order.cancelled ${order.orderId}`] = 1
    for (const { linkId, publishedAtMs } of links) {
      if (publishedAtMs !== null) expected[`order.published ${linkId}`] = 1
    }
  }
  expect(told).toEqual(expected)
}

/** Cancelled live links gave their net price back, once each, whoever paid. */
const soundRecredits = (books: Books): void => {
  const given = all(books.ledger).filter(({ kind }) => kind === "recredit")
  const due = all(books.links).filter(({ status, mode, netCents }) => {
    return mode === "live" && status === "cancelled" && netCents > 0
  })
  expect(new Map(given.map(({ linkId, amountCents }) => [linkId, amountCents]))).toEqual(
    new Map(due.map(({ linkId, netCents }) => [linkId, netCents]))
  )
  expect(given.length).toBe(due.length)
}

/** Fails with the first record that does not agree with the others. */
export const expectSound = (books: Books): void => {
  soundWallets(books)
  soundHolds(books)
  soundQuotes(books)
  soundPayments(books)
  soundReservations(books)
  soundDays(books)
  soundEvents(books)
  soundRecredits(books)
}

/** The same of a shop's books as they are now, and what the service itself finds when it is asked to prove them. */
export const soundShop = Effect.gen(function* () {
  const { books } = yield* Shop
  const { reconcile } = yield* Reconcile
  expectSound(yield* books)
  expect((yield* reconcile()).findings).toEqual([])
})
