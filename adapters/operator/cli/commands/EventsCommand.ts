// `events`: what goes on in the shop, a line for each as it happens. With --json, a JSON value a line.
import { Console, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import type { ActivityEvent } from "../../records/MonitoringRecords.ts"
import { timeText } from "../Columns.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect } from "../Connect.ts"
import { euros } from "../Euros.ts"
import { Json, printNote } from "../Output.ts"
import { fieldList } from "../Table.ts"
import { detailsText } from "./BooksCommands.ts"
import { numberFlag } from "./Parameters.ts"

const sentence = (happening: ActivityEvent): string => {
  switch (happening._tag) {
    case "QuoteOpened": {
      const { quoteId, accountId, totalCents, cardCents } = happening
      return `quote ${quoteId} of ${accountId} opened: ${euros(totalCents)} EUR, ${euros(cardCents)} EUR by card`
    }
    case "QuoteAbandoned":
      return `quote ${happening.quoteId} of ${happening.accountId} abandoned by ${happening.by}`
    case "OrderEvent": {
      const { type, orderId, linkId, accountId } = happening
      return `${type} ${linkId === null ? orderId : `${linkId} of ${orderId}`} of ${accountId}`
    }
    case "WalletCredited": {
      const { kind, amountCents, accountId, balanceAfterCents } = happening.entry
      return `${kind} ${euros(amountCents)} EUR: ${accountId} has ${euros(balanceAfterCents)} EUR`
    }
    case "OperatorActed": {
      const { actor, action, subject, details } = happening.record
      return `${actor} did ${action} ${subject} ${detailsText(details)}`
    }
  }
}

const stopped = new CommandFailed({
  sentence: "The service was stopped. Run the command again once it is back."
})

export const eventsCommand = Command.make(
  "events",
  {
    after: Flag.String("after").pipe(
      Flag.withDescription("Go on behind this cursor of an earlier event, instead of from now on"),
      Flag.withMetavar("CURSOR"),
      Flag.optional
    ),
    count: numberFlag("count", "Stop after so many events; otherwise only when told to").pipe(Flag.optional)
  },
  Effect.fnUntraced(function* ({ after, count }) {
    const client = yield* connect
    const asJson = yield* Json
    let last = Option.getOrNull(after)
    let told = 0
    yield* client.watch(Option.match(after, { onNone: () => ({}), onSome: (cursor) => ({ after: cursor }) })).pipe(
      (events) => (Option.isSome(count) ? Stream.take(events, count.value) : events),
      Stream.runForEach((happening) => {
        last = happening.cursor
        told += 1
        return Console.log(
          asJson ? JSON.stringify(happening) : fieldList([[timeText(happening.atMs), sentence(happening)]])
        )
      }),
      // What is watched has no end of its own: a service that is told to stop lets go of those who watch.
      Effect.andThen(Effect.suspend(() => (told === Option.getOrNull(count) ? Effect.void : Effect.fail(stopped)))),
      Effect.tapError(() => (last === null ? Effect.void : printNote(`Nothing is lost: go on with --after ${last}`)))
    )
  })
).pipe(Command.withDescription("Follow what goes on in the shop, live; with --json a JSON value a line"))
