// What a decision changed of the part of the books that it read, written into all books.
import { HashMap } from "effect"
import { type Books, find, idOf, type TableName, tableNames } from "#core/decisions/Books.ts"
import { type Difference, dropsDeliveries, laterRows } from "#core/decisions/Difference.ts"
import type { DeliveryId } from "#core/domain/shared/Ids.ts"
import { type Delivery, dropped } from "#core/domain/webhooks/Delivery.ts"
import { isIndexed, type Row } from "./IndexEntries.ts"
import { idsIn, type ReadonlyIndexes } from "./Indexes.ts"
import { indexKeys } from "./IndexKeys.ts"

type Id = string | number

const indexedTables = tableNames.filter(isIndexed)

/** The pending deliveries of subscriptions that ended. */
const pendingOf = ({ subscriptions }: Difference, indexes: ReadonlyIndexes): ReadonlyArray<DeliveryId> =>
  laterRows(subscriptions.filter(dropsDeliveries)).flatMap(({ webhookId }) =>
    idsIn(indexes, indexKeys.deliveriesDueOf(webhookId))
  )

/** `indexes` are those of `books`. */
export const booksWith = (books: Books, changed: Difference, indexes: ReadonlyIndexes): Books => {
  const tables: Record<string, HashMap.HashMap<Id, unknown>> = {}
  for (const name of tableNames) {
    if (changed[name].length === 0) continue
    const id = idOf(name)
    let table = books[name] as HashMap.HashMap<Id, unknown> // Written with rows of that table alone.
    for (const { after } of changed[name]) table = HashMap.set(table, id(after), after)
    tables[name] = table
  }
  // Each by the name of the table that it replaces.
  const after: Books = { ...books, ...(tables as Partial<Books>), fulfilment: changed.fulfilment ?? books.fulfilment }
  const drop = (deliveries: Books["deliveries"], id: DeliveryId): Books["deliveries"] =>
    HashMap.modify(deliveries, id, (delivery: Delivery) => dropped(delivery))
  return { ...after, deliveries: pendingOf(changed, indexes).reduce(drop, after.deliveries) }
}

/** The rows to index again: also the orders of links, as their status follows from their links. */
export const changedRows = (after: Books, changed: Difference, indexes: ReadonlyIndexes): ReadonlyArray<Row> => [
  ...indexedTables.flatMap((table) =>
    changed[table].map(({ after: row }) => ({ table, id: String(idOf<TableName>(table)(row)) }))
  ),
  ...laterRows(changed.links).flatMap(({ orderId }) =>
    find(after.orders, orderId) === undefined ? [] : [{ table: "orders" as const, id: orderId }]
  ),
  ...pendingOf(changed, indexes).map((id) => ({ table: "deliveries" as const, id }))
]
