// Endpoints of the prepaid balance.
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PageQuery } from "#adapters/contract/schema/Paging.ts"
import { Balance, LedgerPage } from "#adapters/contract/wallet/Balance.ts"
import { TopUpProposal, TopUpQuery } from "#adapters/contract/wallet/TopUps.ts"
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

const requestTopUp = HttpApiEndpoint.get("requestTopUp", "/top-up", {
  query: TopUpQuery,
  success: TopUpProposal,
  error: errorsOf()
}).annotateMerge(
  describe(
    "read",
    "Ask for the page on which a human tops up the credit",
    "Pass on `tell_user`. Only a signed-in owner pays there; this call stores nothing and charges nothing."
  )
)

export class BalanceApi extends HttpApiGroup.make("balance")
  .add(getBalance, listLedger, requestTopUp)
  .annotateMerge(OpenApi.annotations({ title: "Balance", description: "Prepaid credit of the account." })) {}
