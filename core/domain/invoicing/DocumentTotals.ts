// What the documents of a period come to: spent by invoices, given back by credit notes, topped up by receipts.
import { Schema } from "effect"
import { Cents, sum } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { KeyId } from "../shared/Ids.ts"
import { InvoiceKind } from "./Invoice.ts"

/** The most documents that are added up at once. */
export const MAX_TOTALLED = 100_000

/** Documents of one kind, of one span of time, for orders of one credential. */
export const DocumentTotal = Schema.Struct({
  /** When the span begins, such as a month where the reader is. */
  sinceMs: Millis,
  kind: InvoiceKind,
  /** The key or connection that ordered; `null` for receipts. */
  keyId: Schema.NullOr(KeyId),
  count: Schema.Int,
  totalCents: Cents
})
export type DocumentTotal = typeof DocumentTotal.Type

export interface Totals {
  readonly orders: number
  readonly spentCents: Cents
  readonly givenBackCents: Cents
  readonly toppedUpCents: Cents
}

export const addUp = (documents: ReadonlyArray<DocumentTotal>): Totals => {
  const of = (wanted: InvoiceKind) => documents.filter(({ kind }) => kind === wanted)
  const centsOf = (kind: InvoiceKind) => sum(of(kind).map(({ totalCents }) => totalCents))
  return {
    orders: sum(of("invoice").map(({ count }) => count)),
    spentCents: centsOf("invoice"),
    givenBackCents: centsOf("credit_note"),
    toppedUpCents: centsOf("receipt")
  }
}

/** The totals of each span or each credential that has documents. */
export const totalsBy = <Name extends "sinceMs" | "keyId">(
  documents: ReadonlyArray<DocumentTotal>,
  name: Name
): ReadonlyArray<{ readonly of: DocumentTotal[Name]; readonly totals: Totals }> => {
  const groups = new Map<DocumentTotal[Name], Array<DocumentTotal>>()
  for (const one of documents) {
    const group = groups.get(one[name])
    if (group === undefined) groups.set(one[name], [one])
    else group.push(one)
  }
  return Array.from(groups, ([of, all]) => ({ of, totals: addUp(all) }))
}
