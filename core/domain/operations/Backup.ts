// What a backup of the store consists of: the migration steps of its schema, then the rows of every table.
import { Schema } from "effect"

/** A file is no backup, or not all of one. The reason is a sentence for the operator. */
export class BackupUnreadable extends Schema.TaggedError<BackupUnreadable>()("BackupUnreadable", {
  reason: Schema.String
}) {}

/** A migration step with the SHA-256 of its text. */
export interface SchemaStep {
  readonly step: string
  readonly sha256: string
}

export type BackupPart =
  /** The first part, once. */
  | { readonly _tag: "Schema"; readonly steps: ReadonlyArray<SchemaStep> }
  /** Some rows of a table. A table comes after those that it refers to, in one run of parts, and also if it is empty. */
  | {
      readonly _tag: "Rows"
      readonly table: string
      readonly count: number
      /** The sum of a number that the store derives from each row: equal for equal rows in any order. */
      readonly digest: bigint
      /** A JSON array with an object for each row. */
      readonly json: string
    }

/** What the parts of one table come to. */
export interface TableTotal {
  readonly rows: number
  readonly digest: bigint
}

export type TableTotals = ReadonlyMap<string, TableTotal>

const NONE: TableTotal = { rows: 0, digest: 0n }

/** The totals with one part more. */
export const addPart = (totals: TableTotals, part: BackupPart): TableTotals => {
  if (part._tag === "Schema") return totals
  const { rows, digest } = totals.get(part.table) ?? NONE
  return new Map(totals).set(part.table, { rows: rows + part.count, digest: digest + part.digest })
}

/** Whether both have the same tables with the same rows. */
export const sameTotals = (one: TableTotals, other: TableTotals): boolean =>
  one.size === other.size &&
  [...one].every(([table, { rows, digest }]) => {
    const { rows: otherRows, digest: otherDigest } = other.get(table) ?? { rows: -1, digest: 0n }
    return rows === otherRows && digest === otherDigest
  })
