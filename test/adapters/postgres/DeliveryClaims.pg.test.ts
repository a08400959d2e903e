// Claims of deliveries while another session claims or updates them.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { buyer } from "#test/core/ports/ShopSetup.ts"
import { claim, idsOf, queueTests, scopedSubscription } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { otherSession, sharedDatabase, whileBlocked } from "./OtherSession.ts"

const newSubscription = Effect.flatMap(buyer(), ({ caller }) => scopedSubscription(caller))

/** Far enough ahead that all deliveries are due and all leases hold. */
const AHEAD_MS = 9_000_000_000_000

layer(sharedDatabase, { excludeTestServices: true })("deliveries", (it) => {
  it.effect(
    "are claimed after a concurrent claim of another instance, whose leases count against the limit per endpoint",
    () =>
      Effect.gen(function* () {
        yield* queueTests(yield* newSubscription, 2)
        const claiming = `SELECT FROM claim_deliveries(${AHEAD_MS}, 100, 1, 60000)`
        const [claimed] = yield* whileBlocked([claiming], claim({ perEndpoint: 1 }), Effect.void)
        expect(idsOf(claimed)).toEqual([])
      }).pipe(Effect.scoped)
  )

  it.effect("that another session is updating are skipped without waiting", () =>
    Effect.gen(function* () {
      const [updated, other] = yield* queueTests(yield* newSubscription, 2)
      const updater = yield* otherSession
      yield* updater.query("BEGIN")
      yield* updater.query("UPDATE outbox SET due_at_ms = due_at_ms WHERE delivery_id = $1", [updated?.deliveryId])
      const claimed = yield* claim()
      yield* updater.query("ROLLBACK")
      expect(idsOf(claimed)).toEqual([other?.deliveryId])
    }).pipe(Effect.scoped)
  )
})
