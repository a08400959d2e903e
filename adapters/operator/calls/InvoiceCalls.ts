// Calls about invoices, credit notes and receipts, and about the seller who issues them.
import { Schema } from "effect"
import { RpcGroup } from "effect/rpc"
import { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { InvoiceId, idBrands } from "#core/domain/shared/Ids.ts"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import { argument, flag } from "../records/CommandFields.ts"
import { Id, Millis, PageSize } from "../records/Fields.ts"
import * as Records from "../records/InvoiceRecords.ts"
import { call } from "./Call.ts"

const OfInvoice = { invoice: Id.pipe(argument("Number such as 2026-000123, or id")) }

export class InvoiceRpcs extends RpcGroup.make(
  /**
   * Newest first, of one account, or of all: then from `fromMs` to before `toMs`, if these are given. `beforeId` is the last document of
   * the page before.
   */
  call(
    "listInvoices",
    "reader",
    {
      accountId: Schema.optionalKey(
        Id.pipe(idBrands.AccountId, flag("Of this account alone, acc_…", { name: "account" }))
      ),
      fromMs: Schema.optionalKey(Millis),
      toMs: Schema.optionalKey(Millis),
      limit: PageSize,
      beforeId: Schema.optionalKey(Id.pipe(idBrands.InvoiceId))
    },
    Schema.Struct({ invoices: Schema.Array(Invoice), nextBeforeId: Schema.NullOr(InvoiceId) })
  ),
  call("showInvoice", "reader", OfInvoice, Invoice),
  /** The files of a document; the same bytes each time. */
  call("renderInvoice", "reader", OfInvoice, Records.Rendered),
  call("showSeller", "reader", {}, Records.Seller)
).middleware(OperatorMiddleware) {}
