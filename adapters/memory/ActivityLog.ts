// Activity events in memory. Recording starts with the first call, so that a service without watchers keeps none.
import { Clock, Effect, Iterable, Layer, PubSub, Schedule, Scope } from "effect"
import { type Books, find } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import {
  type ActivityEvent,
  type Position,
  positionAt,
  positionOfAbandonment,
  positionOfId
} from "#core/domain/ActivityEvent.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { isOrderEvent } from "#core/domain/Event.ts"
import { ActivityLog } from "#core/ports/ActivityLog.ts"
import { type Commit, MemoryBooks } from "./books/MemoryBooks.ts"
import { SortedSet } from "./books/SortedSet.ts"

const eventOf = (books: Books, change: Change, atMs: Millis): ActivityEvent | undefined => {
  switch (change._tag) {
    case "QuoteOpened": {
      const { quoteId, accountId, mode, totalCents, creditCents, cardCents } = change.quote
      const quote = { quoteId, accountId, mode, totalCents, creditCents, cardCents }
      return { _tag: "QuoteOpened", position: positionOfId(quoteId), atMs, ...quote }
    }
    case "QuoteAbandoned": {
      const { quoteId, by } = change
      const quote = find(books.quotes, quoteId)
      if (quote === undefined) return undefined
      const { accountId, mode } = quote
      const position = positionOfAbandonment(quoteId, atMs)
      return { _tag: "QuoteAbandoned", position, atMs, quoteId, accountId, mode, by }
    }
    case "OrderPlaced": {
      const { orderId, mode, accountId } = change.order
      const type = "order.accepted"
      return { _tag: "OrderEvent", position: positionOfId(orderId), atMs, type, mode, accountId, orderId, linkId: null }
    }
    case "EventRaised": {
      if (!isOrderEvent(change.event) || change.event.type === "order.accepted") return undefined
      const { eventId, type, mode, accountId, orderId, linkId } = change.event
      return { _tag: "OrderEvent", position: positionOfId(eventId), atMs, type, mode, accountId, orderId, linkId }
    }
    case "Credited":
    case "Debited":
      return { _tag: "WalletCredited", position: positionOfId(change.entry.entryId), atMs, entry: change.entry }
    case "AuditRecorded":
      return { _tag: "OperatorActed", position: positionOfId(change.record.auditId), atMs, record: change.record }
    default:
      return undefined
  }
}

export const layer: Layer.Layer<ActivityLog, never, MemoryBooks> = Layer.effect(
  ActivityLog,
  Effect.gen(function* () {
    const { current, commits } = yield* MemoryBooks
    const scope = yield* Effect.scope
    const positions = new SortedSet()
    const events = new Map<Position, ActivityEvent>()

    const record = ({ changes, atMs }: Commit) => {
      for (const change of changes) {
        const event = eventOf(current(), change, atMs)
        if (event === undefined) continue
        events.set(event.position, event)
        positions.add({ score: 0, id: event.position })
      }
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
        Effect.map(Effect.flatten(start), () => {
          const next = Iterable.take(positions.after({ score: 0, id: position }), limit)
          return Array.from(next, ({ id }) => events.get(id)).filter((event) => event !== undefined)
        })
    })
  })
)
