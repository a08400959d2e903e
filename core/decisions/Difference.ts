// The difference of two books, of which the later were made from the earlier by changes: the rows that are not the same object. Changes
// replace rows and add them; none removes one.
import type { HashMap } from "effect"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { type Books, find, type RowIn, type TableName, tableNames } from "./Books.ts"

export interface ChangedRow<Row> {
  /** `undefined` if the row is new. */
  readonly before: Row | undefined
  readonly after: Row
}

type ChangedRows = { readonly [Name in TableName]: ReadonlyArray<ChangedRow<RowIn<Name>>> }

export interface Difference extends ChangedRows {
  /** The operator's switch, if it has another position. */
  readonly fulfilment: Fulfilment | null
}

const none: ReadonlyArray<never> = []

const changedRows = <Id, Row>(
  before: HashMap.HashMap<Id, Row>,
  after: HashMap.HashMap<Id, Row>
): ReadonlyArray<ChangedRow<Row>> => {
  const rows: Array<ChangedRow<Row>> = []
  for (const [id, row] of after) {
    const known = find(before, id)
    if (known !== row) rows.push({ before: known, after: row })
  }
  return rows
}

// Each name of a table, with no rows.
const unchanged = Object.fromEntries(tableNames.map((name) => [name, none])) as unknown as ChangedRows

/** A table that no change has touched is the same object. */
export const difference = (before: Books, after: Books): Difference => {
  const changed: Partial<Record<TableName, ReadonlyArray<ChangedRow<unknown>>>> = {}
  for (const name of tableNames) {
    // Both are the table of that name, whose rows have one type.
    const [earlier, later] = [before[name], after[name]] as [
      HashMap.HashMap<unknown, unknown>,
      HashMap.HashMap<unknown, unknown>
    ]
    if (earlier !== later) changed[name] = changedRows(earlier, later)
  }
  return {
    ...unchanged,
    // Each name with the rows of its table.
    ...(changed as Partial<ChangedRows>),
    fulfilment: before.fulfilment === after.fulfilment ? null : after.fulfilment
  }
}

/** The rows as they are now. */
export const laterRows = <Row>(rows: ReadonlyArray<ChangedRow<Row>>): ReadonlyArray<Row> =>
  rows.map(({ after }) => after)

export const newRows = <Row>(rows: ReadonlyArray<ChangedRow<Row>>): ReadonlyArray<Row> =>
  rows.flatMap(({ before, after }) => (before === undefined ? [after] : []))

/** The rows that were there before, as they are now. */
export const replacedRows = <Row>(rows: ReadonlyArray<ChangedRow<Row>>): ReadonlyArray<Row> =>
  rows.flatMap(({ before, after }) => (before === undefined ? [] : [after]))

/** The names of an entity's members, but these. */
export const membersOf = <Fields extends object, Name extends keyof Fields>(
  { fields }: { readonly fields: Fields },
  ...except: ReadonlyArray<Name>
) => {
  const excepted = new Set<PropertyKey>(except)
  // The names of fields that are left.
  return Object.keys(fields).filter((name) => !excepted.has(name)) as unknown as ReadonlyArray<
    Exclude<keyof Fields, Name>
  >
}

/** Whether one of these members is another. A new row had none. */
export const differsIn = <Row>({ before, after }: ChangedRow<Row>, names: Iterable<keyof Row>): boolean => {
  for (const name of names) if (before?.[name] !== after[name]) return true
  return false
}

/** Whether deliveries are queued, or begin a new run of attempts. */
export const queuesDeliveries = ({ deliveries }: Difference): boolean =>
  deliveries.some(
    ({ before, after }) => before === undefined || (after.state === "pending" && after.attemptsInRun === 0)
  )

const isDisabled = (one: Subscription | undefined): boolean => one?.health.disabledAtMs != null

/** Whether its endpoint was disabled, or enabled again. */
export const wasSwitched = ({ before, after }: ChangedRow<Subscription>): boolean =>
  before !== undefined && isDisabled(before) !== isDisabled(after)

/** Whether it ended, or its endpoint was disabled, which drops its pending deliveries. */
export const dropsDeliveries = (row: ChangedRow<Subscription>): boolean => {
  const { before, after } = row
  const isRevoked = before?.revokedAtMs === null && after.revokedAtMs !== null
  return isRevoked || (wasSwitched(row) && isDisabled(after))
}
