// Endpoints of the prepaid balance.
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Balance, LedgerPage, LedgerQuery } from "#adapters/contract/Balance.ts"
import { failures, operation } from "./Operation.ts"

const getBalance = HttpApiEndpoint.get("getBalance", "/balance", { success: Balance, error: failures() }).annotateMerge(
  operation(
    "getBalance",
    "read",
    "Read the available prepaid credit",
    "Also what open quotes hold, and how many orders this key may still place today."
  )
)

const listLedger = HttpApiEndpoint.get("listLedger", "/balance/ledger", {
  query: LedgerQuery,
  success: LedgerPage,
  error: failures()
}).annotateMerge(
  operation(
    "listLedger",
    "read",
    "List every movement of the account's credit",
    "Top-ups, holds, releases, captures and credits back, each with its quote or order; newest first."
  )
)

export class BalanceApi extends HttpApiGroup.make("balance")
  .add(getBalance, listLedger)
  .annotateMerge(OpenApi.annotations({ title: "Balance", description: "Prepaid credit of the account." })) {}
