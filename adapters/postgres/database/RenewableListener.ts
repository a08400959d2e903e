// Listens on a channel over a separate connection.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { type Duration, Effect, Queue, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { makeRenewable } from "./Renewable.ts"
import type { SwitchOvers } from "./SwitchOvers.ts"

/** Fails when the connection is lost. Also has a notification at first and after each renewal: some may have been missed before. */
export const listenRenewably = Effect.fnUntraced(function* (
  session: PgConnection.Config,
  channel: string,
  switchOvers: SwitchOvers,
  lifetime?: Duration.Duration
): Effect.fn.Return<Queue.Dequeue<PgConnection.Notification, SqlError>, SqlError, Scope.Scope> {
  const notifications = yield* Queue.unbounded<PgConnection.Notification, SqlError>()

  const listen = Effect.gen(function* () {
    const connection = yield* PgConnection.make(session)
    const received = yield* connection.listen(channel)
    yield* Queue.take(received).pipe(
      Effect.flatMap((one) => Queue.offer(notifications, one)),
      Effect.forever,
      Effect.catch((error) => Queue.fail(notifications, error)),
      Effect.forkScoped
    )
    yield* Queue.offer(notifications, { channel, processId: connection.processId, payload: "" })
  })

  yield* makeRenewable(listen, switchOvers, lifetime)
  return notifications
})
