// What the statements of `DueStatements` return, as requests for documents.
import { Schema } from "effect"
import type { InvoiceDue } from "#core/domain/invoicing/InvoicesDue.ts"
import type { InvoiceSource } from "#core/ports/invoicing/Invoices.ts"
import { decodeRows } from "../../database/Queries.ts"
import { billingIdentities, invoicedLinks, invoicedOrders, invoices } from "../../rows/InvoiceRows.ts"
import { ledger, links } from "../../rows/OrderRows.ts"
import { Integer, Text, textOrNull } from "../../rows/Table.ts"
import { dueInLedger, dueOrders, dueRefunds } from "./DueStatements.ts"

interface Examined {
  readonly count: number
  /** The last id that was examined; `null` where there was none. */
  readonly last: string | null
  readonly due: ReadonlyArray<{ readonly id: string; readonly request: InvoiceDue }>
}

const reader = <Row extends Schema.ConstraintDecoder<unknown>>(
  row: Row,
  requestOf: (row: Row["Type"]) => Examined["due"][number]
) => {
  const decode = decodeRows(
    Schema.Struct({ examined: Integer, last: textOrNull, due: Schema.NullOr(Schema.Array(Schema.Unknown)) })
  )
  const decodeDue = decodeRows(row)
  return (rows: unknown): Examined => {
    const [found] = decode(rows)
    return { count: found?.examined ?? 0, last: found?.last ?? null, due: decodeDue(found?.due ?? []).map(requestOf) }
  }
}

const optionalIdentity = Schema.NullOr(billingIdentities.schema)

const OrderRow = Schema.Struct({
  id: Text,
  order: invoicedOrders.schema,
  links: Schema.NullOr(Schema.Array(invoicedLinks.schema)),
  accountName: Text,
  identity: optionalIdentity
})

/** Either of a top-up, or of the credit of a link. */
const EntryRow = Schema.Struct({
  id: Text,
  entry: ledger.schema,
  accountName: textOrNull,
  identity: optionalIdentity,
  link: Schema.NullOr(links.schema),
  invoice: Schema.NullOr(invoices.schema)
})

const RefundRow = Schema.Struct({ id: Text, link: links.schema, invoice: invoices.schema })

interface Source {
  readonly sql: string
  /** A column of `invoice_progress`. */
  readonly column: string
  readonly idPrefix: string
  readonly read: (rows: unknown) => Examined
}

export const sources: Readonly<Record<InvoiceSource, Source>> = {
  orders: {
    sql: dueOrders,
    column: "orders_to",
    idPrefix: "ord_",
    read: reader(OrderRow, ({ id, order, links, accountName, identity }) => ({
      id,
      request: { _tag: "OrderPlaced", placed: { order, links: links ?? [] }, buyer: { accountName, identity } }
    }))
  },
  ledger: {
    sql: dueInLedger,
    column: "ledger_to",
    idPrefix: "led_",
    read: reader(EntryRow, ({ id, entry, accountName, identity, link, invoice }) => ({
      id,
      request:
        link === null || invoice === null
          ? { _tag: "ToppedUp", entry: entry, buyer: { accountName: accountName ?? "", identity } }
          : { _tag: "LinkCancelled", link, invoice }
    }))
  },
  refunds: {
    sql: dueRefunds,
    column: "refunds_to",
    idPrefix: "aud_",
    read: reader(RefundRow, ({ id, link, invoice }) => ({
      id,
      request: { _tag: "LinkCancelled", link, invoice }
    }))
  }
}
