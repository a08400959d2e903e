// What a commit writes: rows under the names that the SQL function `write_changes` gives them.
import type { Effect } from "effect"
import type { Difference } from "#core/decisions/Difference.ts"

/** Rows, or further row sets, under the names that the SQL function `write_changes` gives them. */
export type RowSet = Readonly<Record<string, unknown>>

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/** A name that is missing costs the database nothing. */
export const omitEmpty = (rows: RowSet): RowSet =>
  Object.fromEntries(Object.entries(rows).filter(([, value]) => !isEmpty(value)))

/** Adds the version, which the database sets in rows that the service does not write itself. */
export const withVersion = (rows: RowSet, version: string): RowSet =>
  isEmpty(rows) ? rows : { ...rows, stem: version }

/** Called with the difference that every commit of this instance makes, once it is written. */
export type CommitListener = (changed: Difference) => Effect.Effect<void>

/** The statement that takes the rows as JSON. */
export const COMMIT = "SELECT write_changes($1)"
