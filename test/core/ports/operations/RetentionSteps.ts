// Passes of retention over a store, and what to expect after them.
import { Effect } from "effect"
import { expect } from "vitest"
import type { RetentionKind } from "#core/domain/operations/Retention.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { Retention } from "#core/ports/operations/Retention.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"

/** Whatever has ended, or expires tomorrow, has ended for longer than this. */
export const ANY_END = -2 * DAY_MS

/** All steps of one pass over a kind; the number of rows freed in each table. */
export const freeAll = Effect.fnUntraced(function* (kind: RetentionKind, spanMs = ANY_END, limit = 50) {
  const retention = yield* Retention
  const total: Record<string, number> = {}
  for (let after: string | null = null; ; ) {
    const step: Effect.Success<ReturnType<typeof retention.free>> = yield* retention.free({
      kind,
      spanMs,
      limit,
      after
    })
    for (const [table, rows] of Object.entries(step.freed)) total[table] = (total[table] ?? 0) + rows
    if (step.next === null) return total
    after = step.next
  }
})

export const expectSound = Effect.gen(function* () {
  const { reconcile } = yield* Reconciliation
  expect((yield* reconcile(10)).violations).toEqual([])
})

export const logOf = Effect.fnUntraced(function* (webhookId: WebhookId) {
  const deliveries = yield* Deliveries
  return (yield* deliveries.ofWebhook({ webhookId, limit: 50, beforeId: null })).deliveries
})

export const idsOf = (deliveries: ReadonlyArray<Delivery>): ReadonlyArray<string> =>
  deliveries.map(({ deliveryId }) => deliveryId)

export const keyed = (key: string, fingerprint = "f") => ({ idempotency: { key, fingerprint } })
