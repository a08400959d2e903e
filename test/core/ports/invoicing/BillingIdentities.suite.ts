// What every store promises of BillingIdentities: one of several changes of the same identity wins, and each has its audit record.
import { Effect } from "effect"
import { expect } from "vitest"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { BillingIdentities } from "#core/ports/invoicing/BillingIdentities.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { identity } from "#test/core/InvoiceGiven.ts"
import { buyer } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { billingChange } from "./InvoiceSteps.ts"

const recordsOf = Effect.fnUntraced(function* (accountId: string) {
  const { records } = yield* (yield* AuditLog).page({ limit: 100, beforeId: null })
  return records.filter(({ subject, action }) => subject === accountId && action === "account.billing")
})

export const billingIdentitiesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`BillingIdentities of ${name}`, store, (it) => {
    it.effect("are absent at first, and then what was written last", () =>
      Effect.gen(function* () {
        const identities = yield* BillingIdentities
        const { accountId } = (yield* buyer()).account
        expect(yield* identities.of(accountId)).toBeNull()
        const hostile = identity({ name: "\u202E<script>'\"\\ \uD83D\uDE00", reference: null, vatId: null })
        const change = billingChange(accountId, null, hostile)
        expect(yield* identities.replace(change)).toBe(true)
        expect(yield* identities.of(accountId)).toEqual(hostile)
        expect(yield* recordsOf(accountId)).toEqual([change.audit])
        const next = identity({ vatIdConfirmed: false })
        expect(yield* identities.replace(billingChange(accountId, hostile, next))).toBe(true)
        expect(yield* identities.of(accountId)).toEqual(next)
      })
    )

    it.effect("are not replaced if they were changed meanwhile, and nothing is audited", () =>
      Effect.gen(function* () {
        const identities = yield* BillingIdentities
        const { accountId } = (yield* buyer()).account
        const first = identity()
        expect(yield* identities.replace(billingChange(accountId, null, first))).toBe(true)
        for (const previous of [null, identity({ vatIdConfirmed: false }), identity({ reference: null })])
          expect(yield* identities.replace(billingChange(accountId, previous, identity({ name: "Eve" })))).toBe(false)
        expect(yield* identities.of(accountId)).toEqual(first)
        expect(yield* recordsOf(accountId)).toHaveLength(1)
      })
    )

    it.effect("take one of many changes at once", () =>
      Effect.gen(function* () {
        const identities = yield* BillingIdentities
        const { accountId } = (yield* buyer()).account
        const race = Effect.fnUntraced(function* (name: string) {
          const previous = yield* identities.of(accountId)
          const saved = yield* concurrently(
            times(8, (index) =>
              identities.replace(billingChange(accountId, previous, identity({ name: `${name} ${index}` })))
            )
          )
          expect(saved.filter((one) => one)).toHaveLength(1)
        })
        yield* race("first")
        yield* race("second")
        expect(yield* recordsOf(accountId)).toHaveLength(2)
      })
    )

    it.effect("belong to accounts that exist", () =>
      Effect.gen(function* () {
        const identities = yield* BillingIdentities
        const refused = yield* Effect.flip(
          identities.replace(billingChange(AccountId.make("acc_unknown"), null, identity()))
        )
        expect(refused._tag).toBe("AccountNotFound")
        expect(yield* identities.of(AccountId.make("acc_unknown"))).toBeNull()
      })
    )
  })
