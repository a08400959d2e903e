// Listens on a channel over a connection of its own that is replaced like those of the pools: after a switch-over, when it may still lead
// to the old primary, where nothing is notified any more, and every few minutes.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { type Duration, Effect, Exit, Queue, Schedule, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { LIFETIME } from "./RenewablePool.ts"
import type { SwitchOvers } from "./SwitchOvers.ts"

/** Fails when the connection is lost. Also has a notification after each renewal: some may have been missed. */
export const listenRenewably = Effect.fnUntraced(function* (
  session: PgConnection.Config,
  channel: string,
  switchOvers: SwitchOvers,
  lifetime: Duration.Duration = LIFETIME
): Effect.fn.Return<Queue.Dequeue<PgConnection.Notification, SqlError>, SqlError, Scope.Scope> {
  const scope = yield* Effect.scope
  const notifications = yield* Queue.unbounded<PgConnection.Notification, SqlError>()

  const forward = (received: Queue.Dequeue<PgConnection.Notification, SqlError>) =>
    Queue.take(received).pipe(
      Effect.flatMap((one) => Queue.offer(notifications, one)),
      Effect.forever,
      Effect.catch((error) => Queue.fail(notifications, error))
    )

  const open = Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    const connection = yield* Scope.provide(PgConnection.make(session), own)
    const received = yield* Scope.provide(connection.listen(channel), own)
    yield* Effect.forkIn(forward(received), own)
    return { close: Scope.close(own, Exit.void), processId: connection.processId }
  })

  let current = yield* open

  const renew = Effect.uninterruptible(
    Effect.flatMap(open, (next) => {
      const last = current
      current = next
      const missed = Queue.offer(notifications, { channel, processId: next.processId, payload: "" })
      return Effect.andThen(last.close, Effect.asVoid(missed))
    })
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => switchOvers.add(renew)),
    (remove) => Effect.sync(remove)
  )
  yield* Effect.ignore(renew).pipe(Effect.schedule(Schedule.jittered(Schedule.spaced(lifetime))), Effect.forkScoped)
  return notifications
})
