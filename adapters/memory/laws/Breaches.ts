// What the laws over books in memory have in common: how a breach is told, and records gathered by what they belong to.
import { HashMap } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { type Cents, sum } from "#core/domain/Money.ts"

export interface Breach {
  readonly subject: string
  readonly message: string
}

/** Finds whatever breaks one law at a time. */
export type Watch = (books: Books, nowMs: Millis) => Iterable<Breach>

export const all = <K, A>(shelf: HashMap.HashMap<K, A>): ReadonlyArray<A> => HashMap.toValues(shelf)

export type Gathered<A> = (key: string) => ReadonlyArray<A>

/** Records by a key of theirs; those without one are left out. */
export const gather = <A>(records: Iterable<A>, keyOf: (record: A) => string | null): Gathered<A> => {
  const found = Map.groupBy(records, keyOf)
  return (key) => found.get(key) ?? []
}

export const total = <A>(records: ReadonlyArray<A>, cents: (record: A) => Cents): Cents => sum(records.map(cents))

/** The key of a record that belongs to one of several things, or to several at once. */
export const together = (...parts: ReadonlyArray<string | number | null>): string => JSON.stringify(parts)
