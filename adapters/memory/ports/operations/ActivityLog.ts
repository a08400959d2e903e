// Activity events in memory. Recording starts with the first call, so that a service without watchers keeps none.
import { Clock, Effect, Layer, PubSub, Schedule, Scope } from "effect"
import { newRows } from "#core/decisions/Difference.ts"
import {
  type ActivityEvent,
  type Position,
  positionAt,
  positionOfAbandonment,
  positionOfId
} from "#core/domain/operations/ActivityEvent.ts"
import { CREDIT_KINDS, type MovementKind } from "#core/domain/wallet/Ledger.ts"
import { isOrderEvent } from "#core/domain/webhooks/Event.ts"
import { ActivityLog } from "#core/ports/operations/ActivityLog.ts"
import { type Commit, MemoryBooks } from "../../books/MemoryBooks.ts"
import { afterId, sorted } from "../../books/Rows.ts"

const CREDITS: ReadonlySet<MovementKind> = new Set(CREDIT_KINDS)

const eventsOf = ({ changed, atMs }: Commit): ReadonlyArray<ActivityEvent> => [
  ...newRows(changed.quotes).map(({ quoteId, accountId, mode, totalCents, creditCents, cardCents }) => {
    const quote = { quoteId, accountId, mode, totalCents, creditCents, cardCents }
    return { _tag: "QuoteOpened" as const, position: positionOfId(quoteId), atMs, ...quote }
  }),
  ...changed.quotes.flatMap(({ before, after: { quoteId, accountId, mode, status, abandonedBy: by } }) => {
    if (status !== "abandoned" || before?.status === "abandoned" || by === null) return []
    const position = positionOfAbandonment(quoteId, atMs)
    return [{ _tag: "QuoteAbandoned" as const, position, atMs, quoteId, accountId, mode, by }]
  }),
  ...newRows(changed.orders).map(({ orderId, mode, accountId }) => {
    const accepted = { type: "order.accepted" as const, mode, accountId, orderId, linkId: null }
    return { _tag: "OrderEvent" as const, position: positionOfId(orderId), atMs, ...accepted }
  }),
  ...newRows(changed.events).flatMap((event) => {
    if (!isOrderEvent(event) || event.type === "order.accepted" || event.body === null) return []
    const { eventId, type, mode, accountId, orderId, linkId } = event
    return [
      { _tag: "OrderEvent" as const, position: positionOfId(eventId), atMs, type, mode, accountId, orderId, linkId }
    ]
  }),
  ...newRows(changed.ledger)
    .filter(({ kind }) => CREDITS.has(kind))
    .map((entry) => ({ _tag: "WalletCredited" as const, position: positionOfId(entry.entryId), atMs, entry })),
  ...newRows(changed.audit).map((record) => ({
    _tag: "OperatorActed" as const,
    position: positionOfId(record.auditId),
    atMs,
    record
  }))
]

export const layer: Layer.Layer<ActivityLog, never, MemoryBooks> = Layer.effect(
  ActivityLog,
  Effect.gen(function* () {
    const { commits } = yield* MemoryBooks
    const scope = yield* Effect.scope
    const events = new Map<Position, ActivityEvent>()

    const record = (commit: Commit) => {
      for (const event of eventsOf(commit)) events.set(event.position, event)
    }

    const start = yield* Effect.cached(
      Effect.gen(function* () {
        const subscription = yield* PubSub.subscribe(commits)
        const catchUp = Effect.map(PubSub.takeUpTo(subscription, Number.POSITIVE_INFINITY), (all) =>
          all.forEach(record)
        )
        // Drains the subscription, which would grow without bound while no watcher reads.
        yield* catchUp.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)
        return catchUp
      }).pipe(Effect.provideService(Scope.Scope, scope))
    )

    return ActivityLog.of({
      now: Effect.andThen(start, Effect.map(Clock.currentTimeMillis, positionAt)),
      after: ({ position, limit }) =>
        Effect.map(Effect.flatten(start), () =>
          sorted([...events.values()], { by: (event) => [event.position], after: afterId(position), limit })
        )
    })
  })
)
