// Issues and reads invoices, credit notes and receipts. An order, a cancelled link or a top-up without its document is itself the
// request for it.
import { Context, type Effect } from "effect"
import type { DocumentTotal } from "#core/domain/invoicing/DocumentTotals.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { InvoiceConditions } from "#core/domain/invoicing/InvoiceConditions.ts"
import type { DocumentNumber } from "#core/domain/invoicing/InvoiceSeries.ts"
import type { SellerTerms } from "#core/domain/invoicing/Party.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, InvoiceId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

/** Where requests come from: orders; the ledger, for top-ups and credit of cancelled links; links that were cancelled as refunded. */
export const INVOICE_SOURCES = ["orders", "ledger", "refunds"] as const
export type InvoiceSource = (typeof INVOICE_SOURCES)[number]

export interface IssueStep {
  readonly source: InvoiceSource
  readonly terms: SellerTerms
  /** Documents that are issued at most. */
  readonly limit: number
  /** `next` of the step before. `null` begins where all before is known to be issued, `"again"` a day before that. */
  readonly after: string | null
}

export interface IssuedStep {
  /** In the order of their numbers. */
  readonly issued: ReadonlyArray<Invoice>
  /** Where the next step begins; `null` if nothing is left, or if another instance is issuing at this moment. */
  readonly next: string | null
}

/** The place of a document in lists: those of one moment are in the order of their ids. */
export type InvoicePosition = Pick<Invoice, "issuedAtMs" | "invoiceId">

/** A time in spans, such as months. */
export interface Period {
  /** When each begins; ascending, at least one. */
  readonly starts: ReadonlyArray<Millis>
  /** Inclusive. */
  readonly toMs: Millis
}

interface InvoicePageRequest {
  /** At least 1. */
  readonly limit: number
  /** Continues after this place; `null` starts with the newest. */
  readonly before: InvoicePosition | null
}

export interface InvoicePage {
  /** Newest first. */
  readonly invoices: ReadonlyArray<Invoice>
  /** The place of the last one, if there are more. */
  readonly next: InvoicePosition | null
}

export class Invoices extends Context.Service<
  Invoices,
  {
    /** Orders from now on are numbered, unless that was noted before. Without a seller, nothing is noted. */
    readonly noteSeller: (terms: SellerTerms) => Effect.Effect<void, StoreUnavailable>
    /**
     * One transaction, at most one at a time over all instances: issues what is due, with the next numbers of its series, by the
     * store's clock. All of it is written or none, so that no number is lost; what has its document is never due.
     */
    readonly issue: (step: IssueStep) => Effect.Effect<IssuedStep, StoreUnavailable>
    /** Since when orders are numbered; `null`: no seller was ever noted. */
    readonly numberedSince: () => Effect.Effect<Millis | null, StoreUnavailable>
    readonly byNumber: (number: DocumentNumber) => Effect.Effect<Invoice | null, StoreUnavailable>
    readonly byId: (invoiceId: InvoiceId) => Effect.Effect<Invoice | null, StoreUnavailable>
    /** Those of the ids that were issued, in the order of issue. */
    readonly byIds: (invoiceIds: ReadonlyArray<InvoiceId>) => Effect.Effect<ReadonlyArray<Invoice>, StoreUnavailable>
    readonly ofAccount: (
      query: InvoicePageRequest & { readonly accountId: AccountId; readonly conditions?: InvoiceConditions }
    ) => Effect.Effect<InvoicePage, StoreUnavailable>
    /**
     * What the account's documents come to, by span, kind and credential, the first span first. A span begins at each of `starts`, which ascend,
     * and the last one ends with `toMs`. `null` where there are more than `MAX_TOTALLED`.
     */
    readonly totals: (
      query: Period & { readonly accountId: AccountId }
    ) => Effect.Effect<ReadonlyArray<DocumentTotal> | null, StoreUnavailable>
    /** Documents of all accounts, issued in this span; the end is exclusive. */
    readonly issuedIn: (
      query: InvoicePageRequest & { readonly fromMs: Millis; readonly toMs: Millis }
    ) => Effect.Effect<InvoicePage, StoreUnavailable>
  }
>()("backlinks/ports/invoicing/Invoices") {}
