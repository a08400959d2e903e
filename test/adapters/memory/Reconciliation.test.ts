// The laws that a database would not let anybody break even in a test: memory has no checks of its own.
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { layer as memoryStore } from "#adapters/memory/MemoryStore.ts"
import { Deliveries } from "#core/ports/Deliveries.ts"
import { Reconciliation } from "#core/ports/Reconciliation.ts"
import { listen } from "#test/ports/Deeds.ts"
import { commit, entry } from "#test/ports/Misdeeds.ts"
import { Numbers } from "#test/ports/StoreSuite.ts"
import { buyer, linksOn, listSite, order } from "#test/ports/World.ts"

const layer = Layer.merge(memoryStore, Numbers.layer)

describe("reconciliation in memory", () => {
  it.effect("names a wallet that holds more than it has", () =>
    Effect.gen(function* () {
      const { prove } = yield* Reconciliation
      const { accountId } = (yield* buyer(100)).account
      const over = { accountId, entryId: `led_${accountId}`, heldAfterCents: 106 }
      const unsound = entry({ balanceCents: 100, heldCents: 0 }, { kind: "top_up", cents: 5 }, over)
      yield* commit({ _tag: "ForAccount", accountId }, () => [{ _tag: "Credited", entry: unsound }])
      const { findings } = yield* prove(10)
      expect(findings).toContainEqual({
        law: "wallet_is_sound",
        subject: accountId,
        message: "106 of 105 cents are held"
      })
    }).pipe(Effect.provide(layer))
  )

  it.effect("names a delivery that is to be sent and waits for no time", () =>
    Effect.gen(function* () {
      const { prove } = yield* Reconciliation
      const { ofWebhook } = yield* Deliveries
      const { caller } = yield* buyer(500)
      const { webhookId } = yield* listen(caller)
      yield* order(caller, { items: linksOn(yield* listSite()) })
      const page = yield* ofWebhook({ webhookId, limit: 1, beforeId: null })
      yield* commit({ _tag: "ForSubscription", webhookId }, () =>
        page.deliveries.map((delivery) => ({
          _tag: "DeliveryMoved" as const,
          delivery: { ...delivery, nextAttemptAtMs: null }
        }))
      )
      const subject = page.deliveries[0]?.deliveryId
      const { findings } = yield* prove(10)
      expect(findings).toEqual([{ law: "delivery_is_awaited", subject, message: "it is pending, due at -" }])
    }).pipe(Effect.provide(layer))
  )
})
