// Shows an operator the audit log page by page, and a live stream of all activity on all instances.
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { type ActivityEvent, earlier, type Position } from "#core/domain/operations/ActivityEvent.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { ActivityLog, MAX_COMMIT_LAG_MS } from "#core/ports/operations/ActivityLog.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

const PAGE_SIZE = 500
const POLL_INTERVAL = "400 millis"

/** The entries after which a poll ends, for a watcher that was away for long. The following polls return the rest. */
const MAX_PER_POLL = 5_000

/** Retries while the store is unavailable: a watcher waits for it. */
const untilAvailable = <A>(read: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A> =>
  read.pipe(Effect.retry(Schedule.spaced("1 second")), Effect.orDie)

export class WatchActivity extends Context.Service<
  WatchActivity,
  {
    readonly audit: AuditLog["Service"]["page"]
    /**
     * All activity from now on, or after a position at which an earlier stream ended; entries near that position may be repeated. Each
     * entry is emitted at least once, in commit order except for decisions that overlap.
     */
    readonly watch: (after: Position | null) => Stream.Stream<ActivityEvent>
  }
>()("backlinks/usecases/operations/WatchActivity") {
  static readonly layer = Layer.effect(
    WatchActivity,
    Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const activity = yield* ActivityLog

      const page = (position: Position) => untilAvailable(activity.after({ position, limit: PAGE_SIZE }))

      /** Each poll reads the last `MAX_COMMIT_LAG_MS` again and drops what was returned before. It starts at `floor` at the earliest. */
      const poller = (floor: Position) => {
        let newest = floor
        let returned = new Set<Position>()
        return Effect.gen(function* () {
          const seen: Array<ActivityEvent> = []
          let from = earlier(newest, MAX_COMMIT_LAG_MS)
          if (from < floor) from = floor
          const start = from
          for (;;) {
            const found: ReadonlyArray<ActivityEvent> = yield* page(from)
            seen.push(...found)
            const last = found.at(-1)?.position ?? from
            if (last > newest) newest = last
            // A poll may end early only if the next one starts further on.
            const isEnough = seen.length >= MAX_PER_POLL && earlier(newest, MAX_COMMIT_LAG_MS) > start
            if (found.length < PAGE_SIZE || isEnough) break
            from = last
          }
          const fresh = seen.filter(({ position }) => !returned.has(position))
          returned = new Set(seen.map(({ position }) => position))
          return fresh
        })
      }

      const watch = (after: Position | null) => {
        const floor = after === null ? untilAvailable(activity.now) : Effect.succeed(earlier(after, MAX_COMMIT_LAG_MS))
        return Stream.unwrap(
          Effect.map(floor, (position) =>
            Stream.fromEffectSchedule(poller(position), Schedule.spaced(POLL_INTERVAL)).pipe(
              Stream.flatMap(Stream.fromIterable)
            )
          )
        )
      }

      return WatchActivity.of({ audit: Effect.fn("WatchActivity.audit")(auditLog.page), watch })
    })
  )
}
