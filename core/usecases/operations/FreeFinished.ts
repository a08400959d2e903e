// Frees finished records whose span has passed, and what has expired of sign-ins, invitations, grants and sheets of links, in small steps. Any instance may run a
// pass at any time: what has expired is judged by the store's time.
import { Cause, Context, Effect, Exit, Layer } from "effect"
import {
  FREED_TABLES,
  type FreedRows,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionSpans
} from "#core/domain/operations/Retention.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { BoundCalls } from "#core/ports/access/BoundCalls.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { Challenges } from "#core/ports/members/Challenges.ts"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { AgentActivity } from "#core/ports/operations/AgentActivity.ts"
import { type FreedTotal, Retention } from "#core/ports/operations/Retention.ts"
import { Sheets } from "#core/ports/pricing/Sheets.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** A step locks what it frees for some milliseconds, and the pause lets others have the database between two steps. */
const STEP_SIZE = 200
/** A larger step, because no request waits for the lock of an expired grant. */
const GRANTS_STEP_SIZE = 500
const PAUSE = "20 millis"

const sum = (a: FreedRows, b: FreedRows): FreedRows =>
  Object.fromEntries(
    FREED_TABLES.flatMap((table) => {
      const rows = (a[table] ?? 0) + (b[table] ?? 0)
      return rows === 0 ? [] : [[table, rows] as const]
    })
  )

/** Runs all parts, so that one that fails stops no other; returns the first failure. */
const allOf = Effect.fnUntraced(function* (parts: Readonly<Record<string, Effect.Effect<void, StoreUnavailable>>>) {
  let failed: Cause.Cause<StoreUnavailable> | null = null
  for (const [part, free] of Object.entries(parts)) {
    const exit = yield* Effect.exit(free)
    if (Exit.isSuccess(exit)) continue
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
    yield* Effect.logWarning("What has expired could not be freed", exit.cause).pipe(Effect.annotateLogs({ part }))
    failed ??= exit.cause
  }
  return failed
})

export class FreeFinished extends Context.Service<
  FreeFinished,
  {
    /**
     * One pass over everything whose span has passed; a span of 0 keeps a kind for ever. Returns what this pass freed, without what has
     * expired: sign-ins and grants are kept for no longer than they hold, invitations twice as long, refused attempts of agents for 30 days, sheets for `SHEET_KEPT_MS`. A part that fails is logged by its
     * name; the others are freed, and the pass fails.
     */
    readonly pass: (spans: RetentionSpans) => Effect.Effect<FreedRows, StoreUnavailable>
    /** Forgets the successors of refresh tokens whose grace has passed, and answers with a secret; soon after, if this runs often. */
    readonly forgetSecrets: Effect.Effect<void, StoreUnavailable>
    /** What all instances have freed since the store was made. */
    readonly freed: () => Effect.Effect<ReadonlyArray<FreedTotal>, StoreUnavailable>
  }
>()("backlinks/usecases/operations/FreeFinished") {
  static readonly layer = Layer.effect(
    FreeFinished,
    Effect.gen(function* () {
      const retention = yield* Retention
      const sessions = yield* Sessions
      const challenges = yield* Challenges
      const invitations = yield* Invitations
      const grants = yield* Grants
      const calls = yield* BoundCalls
      const sheets = yield* Sheets
      const activity = yield* AgentActivity

      const pruneGrants = Effect.fnUntraced(function* () {
        while ((yield* grants.prune(GRANTS_STEP_SIZE)) === GRANTS_STEP_SIZE) yield* Effect.sleep(PAUSE)
      })

      const freeAll = Effect.fnUntraced(function* (kind: RetentionKind, spanMs: Millis) {
        let total: FreedRows = {}
        for (let after: string | null = null; ; ) {
          const step: Effect.Success<ReturnType<typeof retention.free>> = yield* retention.free({
            kind,
            spanMs,
            limit: STEP_SIZE,
            after
          })
          total = sum(total, step.freed)
          if (step.next === null) return total
          after = step.next
          yield* Effect.sleep(PAUSE)
        }
      })

      return FreeFinished.of({
        pass: Effect.fn("FreeFinished.pass")(function* (spans) {
          let total: FreedRows = {}
          const free = (kind: RetentionKind) =>
            Effect.map(freeAll(kind, spans[kind]), (freed) => {
              total = sum(total, freed)
            })
          const parts: Record<string, Effect.Effect<void, StoreUnavailable>> = {
            sessions: sessions.prune,
            challenges: challenges.prune,
            invitations: invitations.prune,
            refusals: activity.prune,
            grants: pruneGrants(),
            sheets: sheets.prune,
            ...Object.fromEntries(RETENTION_KINDS.filter((kind) => spans[kind] > 0).map((kind) => [kind, free(kind)]))
          }
          const failed = yield* allOf(parts)
          return failed === null ? total : yield* Effect.failCause(failed)
        }),
        forgetSecrets: Effect.withSpan(
          Effect.andThen(grants.forgetSuccessors, calls.prune),
          "FreeFinished.forgetSecrets"
        ),
        freed: Effect.fn("FreeFinished.freed")(() => retention.freed())
      })
    })
  )
}
