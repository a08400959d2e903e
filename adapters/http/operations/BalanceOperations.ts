// Operations of the prepaid balance and its ledger.
import { Effect } from "effect"
import { centsOfEur } from "#adapters/contract/schema/Amount.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import { showBalance, showEntry } from "#adapters/contract/wallet/Balance.ts"
import { showTopUp } from "#adapters/contract/wallet/TopUps.ts"
import { EntryId } from "#core/domain/shared/Ids.ts"
import { CheckBalance } from "#core/usecases/wallet/CheckBalance.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import type { BalanceApi } from "../api/BalanceApi.ts"
import type { OperationsOf } from "./Operation.ts"

const entryCursor = pageCursor("ledger", EntryId)

export const balanceOperations = Effect.map(
  Effect.all([CheckBalance, TopUpCredit, SupportContact]),
  ([wallets, topUps, supportContact]): OperationsOf<typeof BalanceApi> => ({
    getBalance: Effect.fnUntraced(function* (caller) {
      return showBalance(yield* wallets.balance(caller), caller.mode === "sandbox")
    }),

    listLedger: Effect.fnUntraced(function* (caller, { query: { limit = PAGE_SIZE, cursor } }) {
      const beforeId = yield* Effect.fromResult(entryCursor.begin({}, cursor))
      const { entries, nextBeforeId } = yield* wallets.ledger(caller, { limit, beforeId })
      return {
        ok: true as const,
        count: entries.length,
        entries: entries.map(showEntry),
        ...entryCursor.next({}, nextBeforeId),
        sandbox: caller.mode === "sandbox"
      }
    }),

    requestTopUp: (caller, { query: { amount_eur } }) => {
      const cents = centsOfEur(amount_eur)
      const place = { cents, url: topUps.pageFor(cents), supportContact }
      return Effect.succeed(showTopUp(place, caller.mode === "sandbox"))
    }
  })
)
