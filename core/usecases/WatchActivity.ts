// Shows an operator what was done and what goes on: the audit log page by page, and everything that happens as it happens, on
// whichever instance.
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { type ActivityEvent, earlier, type Position } from "#core/domain/ActivityEvent.ts"
import { ActivityLog, MAX_COMMIT_LAG_MS } from "#core/ports/ActivityLog.ts"
import { AuditLog, type AuditPage } from "#core/ports/AuditLog.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"

const PAGE = 500
const LOOK_EVERY = "400 millis"

/** After a long absence so much is told at once, and the rest from look to look: nobody keeps months of a shop in mind. */
const MOST_AT_ONCE = 5_000

/** A store that is away now may be back at the next look: whoever watches waits for it. */
const patiently = <A>(look: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A> =>
  look.pipe(Effect.retry(Schedule.spaced("1 second")), Effect.orDie)

export class WatchActivity extends Context.Service<
  WatchActivity,
  {
    readonly audit: (query: {
      readonly limit: number
      readonly beforeId: string | null
    }) => Effect.Effect<AuditPage, StoreUnavailable>
    /**
     * From now on, or behind a place where somebody stopped watching; then some that were seen may come again. Each at least
     * once, in the order in which they are seen, which is that of writing but for decisions that overlap.
     */
    readonly watch: (after: Position | null) => Stream.Stream<ActivityEvent>
  }
>()("backlinks/usecases/WatchActivity") {
  static readonly layer = Layer.effect(
    WatchActivity,
    Effect.gen(function* () {
      const log = yield* AuditLog
      const happenings = yield* ActivityLog

      const page = (place: Position) => patiently(happenings.after({ position: place, limit: PAGE }))

      /** Looks once more at what may have come late, and tells what it has not told yet. Nothing up to `floor` is told. */
      const watcher = (floor: Position) => {
        let newest = floor
        let told = new Set<string>()
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
            // The next look must begin further on than this one.
            const isEnough = seen.length >= MOST_AT_ONCE && earlier(newest, MAX_COMMIT_LAG_MS) > start
            if (found.length < PAGE || isEnough) break
            from = last
          }
          const fresh = seen.filter(({ position: place }) => !told.has(place))
          told = new Set(seen.map(({ position: place }) => place))
          return fresh
        })
      }

      const watch = (after: Position | null) =>
        Effect.map(
          after === null ? patiently(happenings.now) : Effect.succeed(earlier(after, MAX_COMMIT_LAG_MS)),
          (floor) =>
            Stream.fromEffectSchedule(watcher(floor), Schedule.spaced(LOOK_EVERY)).pipe(
              Stream.flatMap(Stream.fromIterable)
            )
        ).pipe(Stream.unwrap)

      return WatchActivity.of({
        audit: Effect.fn("WatchActivity.audit")(log.page),
        watch
      })
    })
  )
}
