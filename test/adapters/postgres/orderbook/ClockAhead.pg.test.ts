// Ids of an account's rows ascend, even after a decision of an instance whose clock is ahead.
import { describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { expect } from "vitest"
import { idPrefixAt } from "#core/domain/shared/DecisionContext.ts"
import { buyer, linksOn, listSite, order, topUpAccount } from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { ledgerOf } from "#test/core/ports/wallet/LedgerChecks.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"

const HOUR_MS = 3_600_000

describe("an account that was written by an instance whose clock is ahead", () => {
  it.live("gets ids that ascend in the order of its decisions", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const { caller } = yield* buyer()
        const { accountId } = caller
        const ahead = idPrefixAt((yield* Clock.currentTimeMillis) + HOUR_MS).padEnd(26, "z")
        yield* execute(url, `UPDATE accounts SET version = '${ahead}' WHERE account_id = '${accountId}'`)
        yield* topUpAccount(accountId, 700)
        yield* order(caller, { items: linksOn(yield* listSite()) })
        const lines = yield* ledgerOf(accountId)
        expect(lines.map(({ kind }) => kind)).toEqual(["top_up", "capture"])
        for (const { entryId } of lines) expect(entryId > `led_${ahead}`).toBe(true)
      }).pipe(Effect.provide(Layer.merge(storeInstance(url), UniqueNumbers.layer)))
    }).pipe(Effect.scoped)
  )
})
