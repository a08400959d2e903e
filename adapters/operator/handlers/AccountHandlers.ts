// What the server does for calls about accounts, deposits and keys.
import { Effect, Redacted } from "effect"
import { CheckBalance } from "#core/usecases/CheckBalance.ts"
import { LookUp } from "#core/usecases/LookUp.ts"
import { ManageAccounts } from "#core/usecases/ManageAccounts.ts"
import { ManageKeys } from "#core/usecases/ManageKeys.ts"
import { AccountRpcs } from "../calls/AccountCalls.ts"
import { acting, refusing } from "./Refusing.ts"

export const layer = AccountRpcs.toLayer(
  Effect.gen(function* () {
    const accounts = yield* ManageAccounts
    const keys = yield* ManageKeys
    const balances = yield* CheckBalance
    const lookUp = yield* LookUp

    return AccountRpcs.of({
      openAccount: (account) => acting((by) => accounts.open(account, by)),
      listAccounts: ({ limit, beforeId = null }) => refusing(accounts.list({ limit, beforeId })),
      showAccount: ({ accountId }) => refusing(lookUp.account(accountId)),
      topUp: (deposit) => acting((by) => accounts.topUpOnce(deposit, by)),
      readLedger: ({ accountId, limit, beforeId = null }) =>
        refusing(
          Effect.andThen(lookUp.wallet(accountId), balances.ledger({ accountId, mode: "live" }, { limit, beforeId }))
        ),
      issueKey: (order) =>
        Effect.map(
          acting((by) => keys.issue(order, by)),
          ({ key, text }) => ({ key, text: Redacted.value(text) })
        ),
      listKeys: ({ accountId }) => refusing(Effect.map(lookUp.account(accountId), ({ keys: onRing }) => onRing)),
      limitKey: ({ keyId, limits }) => acting((by) => keys.limit(keyId, limits, by)),
      revokeKey: ({ keyId }) => acting((by) => keys.revoke(keyId, by))
    })
  })
)
