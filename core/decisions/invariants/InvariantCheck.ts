// What the checks of the invariants have in common: their type, and ways to group and sum records.
import { HashMap } from "effect"
import type { Violation } from "#core/domain/operations/Invariant.ts"
import { type Cents, sum } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { Books } from "../Books.ts"

/** All violations of one invariant, in any order. Books must be complete: a missing record counts as a violation. */
export type InvariantCheck = (books: Books, nowMs: Millis) => Iterable<Omit<Violation, "invariant">>

export const all = <K, A>(table: HashMap.HashMap<K, A>): ReadonlyArray<A> => HashMap.toValues(table)

/** Looks up the records of a key; records with a `null` key belong to no group. */
export const groupBy = <A, K extends string>(
  records: Iterable<A>,
  keyOf: (record: A) => K | null
): ((key: K) => ReadonlyArray<A>) => {
  const groups = Map.groupBy(records, keyOf)
  return (key) => groups.get(key) ?? []
}

export const total = <A>(records: ReadonlyArray<A>, cents: (record: A) => Cents): Cents => sum(records.map(cents))

/** An unambiguous key of several parts. */
export const compositeKey = (...parts: ReadonlyArray<string | number | null>): string => JSON.stringify(parts)
