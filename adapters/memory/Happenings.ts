// What goes on, kept from the first time that somebody asks where now is; until then nobody watches, and it costs nothing.
import { Clock, Effect, Iterable, Layer, PubSub, Schedule, Scope } from "effect"
import { find } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import { type ActivityEvent, type Position, placeAt, placeOfAbandonment, placeOfId } from "#core/domain/ActivityEvent.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { Happenings } from "#core/ports/Happenings.ts"
import { type Commit, MemoryBooks } from "./MemoryBooks.ts"
import { Sorted } from "./Sorted.ts"

type Books = ReturnType<MemoryBooks["Service"]["current"]>

const toldBy = (books: Books, change: Change, atMs: Millis): ActivityEvent | undefined => {
  switch (change._tag) {
    case "QuoteOpened": {
      const { quoteId, accountId, mode, totalCents, creditCents, cardCents } = change.quote
      const quote = { quoteId, accountId, mode, totalCents, creditCents, cardCents }
      return { _tag: "QuoteOpened", position: placeOfId(quoteId), atMs, ...quote }
    }
    case "QuoteAbandoned": {
      const { quoteId, by } = change
      const quote = find(books.quotes, quoteId)
      if (quote === undefined) return undefined
      const { accountId, mode } = quote
      return { _tag: "QuoteAbandoned", position: placeOfAbandonment(quoteId, atMs), atMs, quoteId, accountId, mode, by }
    }
    case "EventRaised": {
      const { eventId, type, mode, accountId, orderId, linkId } = change.event
      return { _tag: "OrderEvent", position: placeOfId(eventId), atMs, eventId, type, mode, accountId, orderId, linkId }
    }
    case "Credited":
      return { _tag: "WalletCredited", position: placeOfId(change.entry.entryId), atMs, entry: change.entry }
    case "AuditRecorded":
      return { _tag: "OperatorActed", position: placeOfId(change.record.auditId), atMs, record: change.record }
    default:
      return undefined
  }
}

export const layer: Layer.Layer<Happenings, never, MemoryBooks> = Layer.effect(
  Happenings,
  Effect.gen(function* () {
    const { current, commits } = yield* MemoryBooks
    const scope = yield* Effect.scope
    const order = new Sorted()
    const byPlace = new Map<Position, ActivityEvent>()

    const note = ({ changes, atMs }: Commit) => {
      for (const change of changes) {
        const told = toldBy(current(), change, atMs)
        if (told === undefined) continue
        byPlace.set(told.position, told)
        order.add({ rank: 0, id: told.position })
      }
    }

    const begin = yield* Effect.cached(
      Effect.gen(function* () {
        const subscription = yield* PubSub.subscribe(commits)
        const catchUp = Effect.map(PubSub.takeUpTo(subscription, Number.POSITIVE_INFINITY), (all) => all.forEach(note))
        // What nobody looks at any more must not pile up where it waits.
        yield* catchUp.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)
        return catchUp
      }).pipe(Effect.provideService(Scope.Scope, scope))
    )

    return Happenings.of({
      now: Effect.andThen(begin, Effect.map(Clock.currentTimeMillis, placeAt)),
      behind: ({ place, limit }) =>
        Effect.map(Effect.flatten(begin), () => {
          const places = Iterable.take(order.after({ rank: 0, id: place }), limit)
          return Array.from(places, ({ id }) => byPlace.get(id)).filter((one) => one !== undefined)
        })
    })
  })
)
