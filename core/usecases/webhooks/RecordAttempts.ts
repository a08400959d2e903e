// Records delivery attempts. The store writes those that end at the same time together.
import { Effect, Fiber, Schedule, type Scope } from "effect"
import { type MadeAttempt, recordAttempts } from "#core/decisions/webhooks/Deliveries.ts"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import type { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Retries for as long as the lease lasts: the receiver would get the delivery again if its outcome were lost. */
const RETRY = { schedule: Schedule.exponential("100 millis"), times: 5 }

/** Waits until the attempt is recorded. An interrupted caller's attempt is recorded all the same. */
export type RecordAttempt = (webhookId: WebhookId, made: MadeAttempt) => Effect.Effect<void, StoreUnavailable>

/** Records until the scope closes. */
export const makeRecordAttempts = (book: OrderBook["Service"]): Effect.Effect<RecordAttempt, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => (webhookId, made) => {
    const reads = { _tag: "ForDeliveries" as const, deliveryIds: [made.claimed.deliveryId], webhookId }
    const recorded = Effect.asVoid(Effect.retry(book.transact(reads, recordAttempts([made])), RETRY))
    return Effect.flatMap(
      Effect.forkIn(Effect.uninterruptible(recorded), scope, { startImmediately: true }),
      Fiber.join
    )
  })
