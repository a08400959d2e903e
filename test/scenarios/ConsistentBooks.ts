// What is true of the books after every scenario: the invariants, and the limits that reconciliation does not check.
import { Effect, HashMap, HashSet } from "effect"
import { expect } from "vitest"
import { type Books, dailyUsageId } from "#core/decisions/Books.ts"
import { violationsOf } from "#core/decisions/Invariants.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { RunningService } from "./RunningService.ts"

/** Every open quote has expired by then, so that those that lost a reservation to another quote violate no invariant. */
const END_OF_TIME = Number.POSITIVE_INFINITY

/** Scenarios move the clock by days without a sweep, and kept databases grow older, so open quotes may be long past their expiry. */
export const isNotLate = ({ invariant }: { readonly invariant: string }): boolean => invariant !== "quote_ends"

/** A code is redeemed at most as often as it may be, in all and per account. */
const expectPromoLimits = (books: Books): void => {
  for (const { code, redeemed, redeemedBy, maxRedemptions, oncePerAccount } of HashMap.values(books.promos)) {
    if (maxRedemptions !== null) expect(redeemed, code).toBeLessThanOrEqual(maxRedemptions)
    if (oncePerAccount) expect(HashSet.size(redeemedBy), code).toBe(redeemed)
  }
}

/** A key has a record of a day's usage exactly for the days on which it made quotes. */
const expectUsageOfDays = (books: Books): void => {
  const days = Array.from(HashMap.values(books.quotes), ({ keyId, createdAtMs }) =>
    dailyUsageId(keyId, utcDay(createdAtMs))
  )
  expect(HashMap.size(books.dailyUsage)).toBe(new Set(days).size)
}

/** Fails with the records that contradict others. */
export const expectConsistent = (books: Books): void => {
  expect(violationsOf(books, END_OF_TIME).filter(isNotLate)).toEqual([])
  expectPromoLimits(books)
  expectUsageOfDays(books)
}

/** Checks the books of the running service, read by the test and, on PostgreSQL by SQL, by the service's own reconciliation. */
export const expectConsistentBooks = Effect.gen(function* () {
  const { books } = yield* RunningService
  const { reconcile } = yield* Reconcile
  expectConsistent(yield* books)
  expect((yield* reconcile()).violations.filter(isNotLate)).toEqual([])
})
