// The operator plane as one group of calls (contract §10): what the server serves at `/operator/rpc`, and what the operator
// CLI and the bench make their clients from (`OperatorClient`). Definitions alone: calls by subject are in `calls/`, the shapes
// they carry in `records/`, what the server does for them in `handlers/`, who may call at all in `OperatorGate`.
import { RpcGroup } from "effect/rpc"
import { AccountRpcs } from "./calls/AccountCalls.ts"
import { CatalogueRpcs } from "./calls/CatalogueCalls.ts"
import { FulfilmentRpcs } from "./calls/FulfilmentCalls.ts"
import { MonitoringRpcs } from "./calls/MonitoringCalls.ts"

export const OPERATOR_PATH = "/operator/rpc"

export class OperatorRpcs extends RpcGroup.make().merge(AccountRpcs, CatalogueRpcs, FulfilmentRpcs, MonitoringRpcs) {}
