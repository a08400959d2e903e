// Endpoints of the prepaid balance.
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PageQuery } from "#adapters/contract/schema/Paging.ts"
import { Balance, LedgerPage } from "#adapters/contract/wallet/Balance.ts"
import { describe, errorsOf } from "./EndpointDescription.ts"

const getBalance = HttpApiEndpoint.get("getBalance", "/balance", { success: Balance, error: errorsOf() }).annotateMerge(
  describe(
    "read",
    "Read the available prepaid credit",
    "Also what open quotes hold, and how many orders this key may still place today."
  )
)

const listLedger = HttpApiEndpoint.get("listLedger", "/balance/ledger", {
  query: PageQuery,
  success: LedgerPage,
  error: errorsOf()
}).annotateMerge(
  describe(
    "read",
    "List every movement of the account's credit",
    "Top-ups, holds, releases, captures and credits back, each with its quote or order; newest first."
  )
)

export class BalanceApi extends HttpApiGroup.make("balance")
  .add(getBalance, listLedger)
  .annotateMerge(OpenApi.annotations({ title: "Balance", description: "Prepaid credit of the account." })) {}
