// What is claimed while another instance claims or notes: nothing beyond what an endpoint bears, and nothing that is being moved.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { claim, idsOf, queueTests, scopedSubscription } from "#test/ports/DeliverySteps.ts"
import { buyer } from "#test/ports/ShopSetup.ts"
import { otherSession, sharedDatabase, whileBlocked } from "./OtherSession.ts"

const somebody = Effect.flatMap(buyer(), ({ caller }) => scopedSubscription(caller))

/** Far enough ahead that all is due, and what is leased stays so. */
const AHEAD_MS = 9_000_000_000_000

layer(sharedDatabase, { excludeTestServices: true })("deliveries", (it) => {
  it.effect("are claimed when another instance's claim is done, and counts", () =>
    Effect.gen(function* () {
      yield* queueTests(yield* somebody, 2)
      const claiming = `SELECT FROM claim_deliveries(${AHEAD_MS}, 100, 1, 60000)`
      const [claimed] = yield* whileBlocked([claiming], claim({ perEndpoint: 1 }), Effect.void)
      expect(idsOf(claimed)).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.effect("that are being moved are left to whoever moves them, and nobody waits for that", () =>
    Effect.gen(function* () {
      const [moved, other] = yield* queueTests(yield* somebody, 2)
      const mover = yield* otherSession
      yield* mover.query("BEGIN")
      yield* mover.query("UPDATE outbox SET due_at_ms = due_at_ms WHERE delivery_id = $1", [moved?.deliveryId])
      const claimed = yield* claim()
      yield* mover.query("ROLLBACK")
      expect(idsOf(claimed)).toEqual([other?.deliveryId])
    }).pipe(Effect.scoped)
  )
})
