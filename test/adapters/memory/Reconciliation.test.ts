// Violations that PostgreSQL's constraints make impossible to write, even in a test: memory has no constraints.
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { layer as memoryStore } from "#adapters/memory/MemoryStore.ts"
import { EntryId } from "#core/domain/shared/Ids.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { ledgerEntryAfter, writeCorrupt } from "#test/core/ports/operations/CorruptBooks.ts"
import { addSubscription } from "#test/core/ports/ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"

const layer = Layer.merge(memoryStore, UniqueNumbers.layer)

describe("reconciliation in memory", () => {
  it.effect("reports a wallet that holds more than its balance", () =>
    Effect.gen(function* () {
      const { reconcile } = yield* Reconciliation
      const { accountId } = (yield* buyer(100)).account
      const over = { accountId, entryId: EntryId.make(`led_${accountId}`), heldAfterCents: 106 }
      const unsound = ledgerEntryAfter({ balanceCents: 100, heldCents: 0 }, { kind: "top_up", cents: 5 }, over)
      yield* writeCorrupt({ _tag: "ForAccount", accountId }, () => [{ _tag: "Credited", entry: unsound }])
      const { violations } = yield* reconcile(10)
      expect(violations).toContainEqual({
        invariant: "wallet_is_sound",
        subject: accountId,
        message: "106 of 105 cents are held"
      })
    }).pipe(Effect.provide(layer))
  )

  it.effect("reports a pending delivery without a due time", () =>
    Effect.gen(function* () {
      const { reconcile } = yield* Reconciliation
      const { ofWebhook } = yield* Deliveries
      const { caller } = yield* buyer(500)
      const { webhookId } = yield* addSubscription(caller)
      yield* order(caller, { items: linksOn(yield* listSite()) })
      const page = yield* ofWebhook({ webhookId, limit: 1, beforeId: null })
      const deliveryIds = page.deliveries.map(({ deliveryId }) => deliveryId)
      yield* writeCorrupt({ _tag: "ForDeliveries", deliveryIds }, () =>
        page.deliveries.map((delivery) => ({
          _tag: "DeliveryMoved" as const,
          delivery: { ...delivery, nextAttemptAtMs: null }
        }))
      )
      const subject = page.deliveries[0]?.deliveryId
      const { violations } = yield* reconcile(10)
      expect(violations).toEqual([{ invariant: "delivery_is_awaited", subject, message: "it is pending, due at -" }])
    }).pipe(Effect.provide(layer))
  )
})
