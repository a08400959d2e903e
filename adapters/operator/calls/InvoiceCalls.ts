// Calls about invoices, credit notes and receipts, and about the seller who issues them.
import { Schema } from "effect"
import { RpcGroup } from "effect/rpc"
import { InvoiceId, idBrands } from "#core/domain/shared/Ids.ts"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import { Id, Millis, PageSize } from "../records/Fields.ts"
import * as Records from "../records/InvoiceRecords.ts"
import { call } from "./Call.ts"

/** An id, or a number such as 2026-000123. */
const Invoice = { invoice: Id }

export class InvoiceRpcs extends RpcGroup.make(
  /**
   * Newest first, of one account, or of all: then from `fromMs` to before `toMs`, if these are given. `beforeId` is the last document of
   * the page before.
   */
  call(
    "listInvoices",
    "reader",
    {
      accountId: Schema.optionalKey(Id.pipe(idBrands.AccountId)),
      fromMs: Schema.optionalKey(Millis),
      toMs: Schema.optionalKey(Millis),
      limit: PageSize,
      beforeId: Schema.optionalKey(Id.pipe(idBrands.InvoiceId))
    },
    Schema.Struct({ invoices: Schema.Array(Records.Invoice), nextBeforeId: Schema.NullOr(InvoiceId) })
  ),
  call("showInvoice", "reader", Invoice, Records.Invoice),
  /** The files of a document; the same bytes each time. */
  call("renderInvoice", "reader", Invoice, Records.Rendered),
  call("showSeller", "reader", {}, Records.Seller)
).middleware(OperatorMiddleware) {}
