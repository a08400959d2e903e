// What the keys and connections of an account did, today and in the last seven days, for the people of the account.
import { Clock, Context, Effect, Layer } from "effect"
import { type ApiKey, endedAtMs, isActive } from "#core/domain/access/ApiKey.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import { type AgentReport, agentReport, weekStart } from "#core/domain/operations/AgentActivity.ts"
import { noUsage } from "#core/domain/ordering/DailyCap.ts"
import { DAY_MS, type Millis, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { ApiKeys, type ApiKeyWithUsage } from "#core/ports/access/ApiKeys.ts"
import { AgentActivity } from "#core/ports/operations/AgentActivity.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import type { KeyToday } from "./ViewAccount.ts"

/** A credential that is active, and what it did. */
export interface Agent extends KeyToday {
  readonly report: AgentReport
}

export interface AgentsLately {
  readonly active: ReadonlyArray<Agent>
  readonly ended: ReadonlyArray<Agent>
}

/** One that was revoked or has expired. */
export type EndedAgent = ApiKeyWithUsage

/** When something was done last: used, bought or tried. */
export const lastActionMs = ({ report: { lastPurchase, lastRefused }, lastUsedAtMs }: Agent): Millis | null => {
  const times = [lastPurchase?.atMs, lastRefused?.lastAtMs, lastUsedAtMs].filter((atMs) => atMs != null)
  return times.length === 0 ? null : Math.max(...times)
}

const agentsAmong = (all: ReadonlyArray<ApiKeyWithUsage>, wanted: (key: ApiKey) => boolean) =>
  all.filter(({ key }) => !isWebCredential(key.keyId) && wanted(key))

export class ViewAgents extends Context.Service<
  ViewAgents,
  {
    /** The active ones among these credentials, in their order. */
    readonly active: (keys: ReadonlyArray<ApiKeyWithUsage>) => Effect.Effect<ReadonlyArray<Agent>, StoreUnavailable>
    /** The same, and those that ended in the week: what these spent counts, too. */
    readonly lately: (keys: ReadonlyArray<ApiKeyWithUsage>) => Effect.Effect<AgentsLately, StoreUnavailable>
    /** Those that were revoked or have expired, the last to end first. */
    readonly ended: (accountId: AccountId) => Effect.Effect<ReadonlyArray<EndedAgent>, StoreUnavailable>
  }
>()("backlinks/usecases/members/ViewAgents") {
  static readonly layer = Layer.effect(
    ViewAgents,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const activity = yield* AgentActivity
      const { settings } = yield* ServiceContext

      const withReports = Effect.fnUntraced(function* (found: ReadonlyArray<ApiKeyWithUsage>, nowMs: Millis) {
        const day = utcDay(nowMs)
        const ids = found.map(({ key }) => key.keyId)
        const records = new Map((yield* activity.of(ids, weekStart(day))).map((one) => [one.keyId, one] as const))
        return found.map((one): Agent => {
          const { keyId, limits } = one.key
          const known = records.get(keyId) ?? { keyId, usage: [], open: [], abandoned: [], last: null, refused: [] }
          const { quotes, spentCents } = known.usage.find((usage) => usage.day === day) ?? noUsage(keyId, day)
          const dailyOrderCap = limits.dailyOrderCap ?? settings.dailyOrderCap
          return { ...one, quotes, spentCents, dailyOrderCap, report: agentReport(known, day) }
        })
      })

      return ViewAgents.of({
        active: Effect.fn("ViewAgents.active")(function* (all) {
          const nowMs = yield* Clock.currentTimeMillis
          const found = agentsAmong(all, (key) => isActive(key, nowMs))
          return yield* withReports(found, nowMs)
        }),
        lately: Effect.fn("ViewAgents.lately")(function* (all) {
          const nowMs = yield* Clock.currentTimeMillis
          const sinceMs = weekStart(utcDay(nowMs)) * DAY_MS
          const found = agentsAmong(all, (key) => isActive(key, nowMs) || endedAtMs(key) >= sinceMs)
          const agents = yield* withReports(found, nowMs)
          const isGood = ({ key }: Agent) => isActive(key, nowMs)
          return { active: agents.filter(isGood), ended: agents.filter((one) => !isGood(one)) }
        }),
        ended: Effect.fn("ViewAgents.ended")(function* (accountId) {
          const nowMs = yield* Clock.currentTimeMillis
          const found = agentsAmong(yield* keys.ofAccount(accountId), (key) => !isActive(key, nowMs))
          return found.toReversed().sort((one, other) => endedAtMs(other.key) - endedAtMs(one.key))
        })
      })
    })
  )
}
