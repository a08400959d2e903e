// Serves the prepaid balance and its ledger.

import { Effect, Layer, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { showBalance, showEntry } from "#adapters/contract/Balance.ts"
import { PAGE_SIZE, type PageQuery, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { CheckBalance } from "#core/usecases/CheckBalance.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { withMinimalContext } from "../MinimalContext.ts"

const entryCursor = pageCursor("ledger", Schema.String)

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const wallets = yield* CheckBalance

    const balance = Effect.gen(function* () {
      const caller = yield* CurrentCaller
      return showBalance(yield* wallets.balance(caller), caller.mode === "sandbox")
    })

    const ledger = Effect.fnUntraced(function* ({ limit = PAGE_SIZE, cursor }: PageQuery) {
      const caller = yield* CurrentCaller
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

    return withMinimalContext(
      HttpApiBuilder.group(Api, "balance", (handlers) =>
        handlers.handleAll({
          getBalance: () => withErrorResponses(balance),
          listLedger: ({ query }) => withErrorResponses(ledger(query))
        })
      )
    )
  })
)
