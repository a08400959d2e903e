// All calls of the operator plane, served at `/operator/rpc` and called by `OperatorClient`. `calls/` defines them by subject,
// `records/` their schemas, `handlers/` the server side, `RequestChecks` the access.
import { RpcGroup } from "effect/rpc"
import { AccountRpcs } from "./calls/AccountCalls.ts"
import { CatalogueRpcs } from "./calls/CatalogueCalls.ts"
import { FulfilmentRpcs } from "./calls/FulfilmentCalls.ts"
import { InvoiceRpcs } from "./calls/InvoiceCalls.ts"
import { MonitoringRpcs } from "./calls/MonitoringCalls.ts"
import { ReviewerRpcs } from "./calls/ReviewerCalls.ts"

export const OPERATOR_PATH = "/operator/rpc"
/** Not a call: `BackupResponse` streams it. */
export const BACKUP_PATH = "/operator/backup"

export class OperatorRpcs extends RpcGroup.make().merge(
  AccountRpcs,
  CatalogueRpcs,
  FulfilmentRpcs,
  InvoiceRpcs,
  MonitoringRpcs,
  ReviewerRpcs
) {}
