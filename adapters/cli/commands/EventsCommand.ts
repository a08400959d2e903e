// `events`: live activity, one line per event; with --json, one JSON value per line.
import { Console, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { euros } from "#adapters/operator/records/Euros.ts"
import type { ActivityEvent } from "#adapters/operator/records/MonitoringRecords.ts"
import { timeText } from "../Columns.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect } from "../Connect.ts"
import { Json, printNote } from "../Output.ts"
import { fieldList } from "../Table.ts"
import { detailsText } from "./BooksCommands.ts"
import { numberFlag } from "./Parameters.ts"

const sentence = (event: ActivityEvent): string => {
  switch (event._tag) {
    case "QuoteOpened": {
      const { quoteId, accountId, totalCents, cardCents } = event
      return `quote ${quoteId} of ${accountId} opened: ${euros(totalCents)} EUR, ${euros(cardCents)} EUR by card`
    }
    case "QuoteAbandoned":
      return `quote ${event.quoteId} of ${event.accountId} abandoned by ${event.by}`
    case "OrderEvent": {
      const { type, orderId, linkId, accountId } = event
      return `${type} ${linkId === null ? orderId : `${linkId} of ${orderId}`} of ${accountId}`
    }
    case "WalletCredited": {
      const { kind, amountCents, accountId, balanceAfterCents } = event.entry
      return `${kind} ${euros(amountCents)} EUR: ${accountId} has ${euros(balanceAfterCents)} EUR`
    }
    case "OperatorActed": {
      const { actor, action, subject, details } = event.record
      return `${actor} did ${action} ${subject} ${detailsText(details)}`
    }
  }
}

const stopped = new CommandFailed({
  sentence: "The service was stopped. Run the command again when it is back."
})

export const eventsCommand = Command.make(
  "events",
  {
    after: Flag.String("after").pipe(
      Flag.withDescription("Resume after this cursor of an earlier event, instead of starting now"),
      Flag.withMetavar("CURSOR"),
      Flag.optional
    ),
    count: numberFlag("count", "Stop after this number of events; by default only when interrupted").pipe(Flag.optional)
  },
  Effect.fnUntraced(function* ({ after, count }) {
    const client = yield* connect
    const asJson = yield* Json
    let last = Option.getOrNull(after)
    let shown = 0
    yield* client.watch(Option.match(after, { onNone: () => ({}), onSome: (cursor) => ({ after: cursor }) })).pipe(
      (events) => (Option.isSome(count) ? Stream.take(events, count.value) : events),
      Stream.runForEach((event) => {
        last = event.cursor
        shown += 1
        return Console.log(asJson ? JSON.stringify(event) : fieldList([[timeText(event.atMs), sentence(event)]]))
      }),
      // The stream never ends by itself: it ends early only when the service stops.
      Effect.andThen(Effect.suspend(() => (shown === Option.getOrNull(count) ? Effect.void : Effect.fail(stopped)))),
      Effect.tapError(() => (last === null ? Effect.void : printNote(`Nothing is lost: resume with --after ${last}`)))
    )
  })
).pipe(Command.withDescription("Follow the activity of the service live; with --json, one JSON value per line"))
