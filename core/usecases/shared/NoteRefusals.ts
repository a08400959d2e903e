// Notes what a rule of the owner refused to agents, so that the owner sees it. In memory while the request runs; written later, at most once in
// `WRITE_EVERY` for each key and rule, so that no order waits for it.
import { Clock, Context, Effect, Layer } from "effect"
import type { SpendPolicyRefused } from "#core/domain/access/AccessRefusal.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import {
  addedRefusals,
  type RefusedAttempts,
  type RefusedBy,
  refusalsId
} from "#core/domain/operations/AgentActivity.ts"
import type { DailyCapReached } from "#core/domain/ordering/OrderRefusal.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { AgentActivity } from "#core/ports/operations/AgentActivity.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Between two writes of an instance. */
export const WRITE_EVERY = "10 seconds"

/** A key has at most one entry for each rule. What would be more is not noted. */
const MAX_UNWRITTEN = 10_000

/** A stop writes what is left, and does not wait longer for it. */
const LAST_WRITE = "2 seconds"

type RuleRefusal = DailyCapReached | SpendPolicyRefused

const isByRule = (refusal: { readonly _tag: string }): refusal is RuleRefusal =>
  refusal._tag === "SpendPolicyRefused" || refusal._tag === "DailyCapReached"

const factsOf = (
  refusal: RuleRefusal,
  target: string | null
): { readonly rule: RefusedBy } & Pick<RefusedAttempts, "lastTarget" | "lastCents"> => {
  if (refusal._tag === "DailyCapReached") return { rule: "daily_order_cap", lastTarget: target, lastCents: null }
  const { rule, host, wouldBeCents } = refusal
  // The refusal of a day's limit has the sum of the day, and no price.
  const lastCents = rule === "max_order_cents" ? (wouldBeCents ?? null) : null
  return { rule, lastTarget: host ?? target, lastCents }
}

export class NoteRefusals extends Context.Service<
  NoteRefusals,
  {
    /**
     * Notes the failure of what an agent asked for, if a rule of its owner refused it. `target`: the host that it was to link to, if any.
     */
    readonly noting: <A, E extends { readonly _tag: string }, R>(
      asked: Effect.Effect<A, E, R>,
      caller: Pick<Caller, "keyId">,
      target: () => string | null
    ) => Effect.Effect<A, E, R>
    /** Writes what was noted since the last write. What cannot be written is kept for the next one. */
    readonly write: Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/usecases/shared/NoteRefusals") {
  static readonly layer = Layer.effect(
    NoteRefusals,
    Effect.gen(function* () {
      const { noteRefused } = yield* AgentActivity
      let unwritten = new Map<string, RefusedAttempts>()

      const add = (one: RefusedAttempts): void => {
        const id = refusalsId(one)
        const known = unwritten.get(id)
        if (known !== undefined) unwritten.set(id, addedRefusals(known, one))
        else if (unwritten.size < MAX_UNWRITTEN) unwritten.set(id, one)
      }

      const write = Effect.suspend(() => {
        const taken = unwritten
        if (taken.size === 0) return Effect.void
        unwritten = new Map()
        return Effect.onError(noteRefused([...taken.values()]), () =>
          Effect.sync(() => {
            for (const one of taken.values()) add(one)
          })
        )
      })
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(write, LAST_WRITE)))

      return NoteRefusals.of({
        write,
        noting: (asked, { keyId }, target) =>
          Effect.tapError(asked, (refusal) =>
            !isByRule(refusal) || isWebCredential(keyId)
              ? Effect.void
              : Effect.map(Clock.currentTimeMillis, (lastAtMs) =>
                  add({ keyId, day: utcDay(lastAtMs), count: 1, lastAtMs, ...factsOf(refusal, target()) })
                )
          )
      })
    })
  )
}
