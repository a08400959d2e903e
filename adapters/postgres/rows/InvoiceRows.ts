// Rows of invoices and billing identities, and their conversion to and from the domain.
import { Schema } from "effect"
import { Format, Tier2 } from "#core/domain/Cart.ts"
import { type Invoice, InvoiceFacts, InvoiceKind } from "#core/domain/Invoice.ts"
import { Integer, integerOrNull, Text, table, textOrNull } from "./Table.ts"

export const invoices = table({
  invoiceId: Text,
  kind: InvoiceKind,
  accountId: Text,
  orderId: textOrNull,
  linkId: textOrNull,
  entryId: textOrNull,
  year: integerOrNull,
  sequence: integerOrNull,
  issuedAtMs: Integer,
  totalCents: Integer,
  netCents: Integer,
  vatCents: Integer,
  facts: InvoiceFacts
})

export const invoiceOf = ({ year, sequence, ...row }: typeof invoices.schema.Type): Invoice => ({
  ...row,
  series: year === null || sequence === null ? null : { year, sequence }
})

export const invoiceRow = ({ series, ...invoice }: Invoice) =>
  invoices.row({ ...invoice, year: series?.year ?? null, sequence: series?.sequence ?? null })

/** The columns of an order and its links that are on its invoice. */
export const invoicedOrders = table({ orderId: Text, accountId: Text, createdAtMs: Integer })
export const invoicedLinks = table({
  linkId: Text,
  domain: Text,
  format: Format,
  anchorText: Text,
  targetUrl: Text,
  tier2Links: Tier2,
  netCents: Integer
})

const identity = {
  name: Text,
  address: Text,
  country: Text,
  vatId: textOrNull,
  vatIdConfirmed: Schema.Boolean,
  reference: textOrNull
}

export const billingIdentities = table(identity)

export const billingIdentityRows = table({ accountId: Text, ...identity })
