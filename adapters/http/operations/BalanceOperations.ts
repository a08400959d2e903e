// Operations of the prepaid balance and its ledger.
import { Effect } from "effect"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { showBalance, showEntry } from "#adapters/contract/wallet/Balance.ts"
import { EntryId } from "#core/domain/shared/Ids.ts"
import { CheckBalance } from "#core/usecases/wallet/CheckBalance.ts"
import type { BalanceApi } from "../api/BalanceApi.ts"
import type { OperationsOf } from "./Operation.ts"

const entryCursor = pageCursor("ledger", EntryId)

export const balanceOperations = Effect.map(
  CheckBalance,
  (wallets): OperationsOf<typeof BalanceApi> => ({
    getBalance: Effect.fnUntraced(function* (caller) {
      return showBalance(yield* wallets.balance(caller), caller.mode === "sandbox")
    }),

    listLedger: Effect.fnUntraced(function* (caller, { query: { limit = PAGE_SIZE, cursor } }) {
      const beforeId = cursor === undefined ? null : yield* Effect.fromResult(entryCursor.read({}, cursor))
      const { entries, nextBeforeId } = yield* wallets.ledger(caller, { limit, beforeId })
      return {
        ok: true as const,
        count: entries.length,
        entries: entries.map(showEntry),
        ...(nextBeforeId === null ? {} : { next_cursor: entryCursor.write({}, nextBeforeId) }),
        sandbox: caller.mode === "sandbox"
      }
    })
  })
)
