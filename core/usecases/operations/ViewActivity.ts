// What agents, members and operators did with an account, in one list: the audit's records of it, and the orders of its live keys.
import { Context, Effect, Layer } from "effect"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import { PROCESSOR, SERVICE } from "#core/domain/members/Actor.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { type Position, positionOfId } from "#core/domain/operations/ActivityEvent.ts"
import type { ActivityFilter } from "#core/domain/operations/ActivityKind.ts"
import { OrderStatus, type OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { type AccountId, AuditId, type KeyId, OrderId } from "#core/domain/shared/Ids.ts"
import { isTooOld, oldestPrefix, startBefore } from "#core/domain/shared/IdTimes.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Who did something; a former member is known by id alone. */
export type Doer =
  | { readonly _tag: "Member"; readonly name: string }
  | { readonly _tag: "Key"; readonly keyId: KeyId; readonly label: string }
  | { readonly _tag: "Operator" | "Processor" | "Service" }

export type Activity = { readonly position: Position; readonly atMs: number; readonly by: Doer } & (
  | { readonly _tag: "Recorded"; readonly record: AuditRecord }
  | { readonly _tag: "Ordered"; readonly placed: OrderWithLinks }
)

export interface ActivityPage {
  /** Newest first. */
  readonly entries: ReadonlyArray<Activity>
  /** The position at which the next page begins. */
  readonly nextBefore: Position | null
}

export interface ActivitySearch {
  readonly accountId: AccountId
  readonly limit: number
  /** Only what was before it; `null` for the newest. */
  readonly before: Position | null
  readonly filter?: ActivityFilter
}

const ACTIVE = OrderStatus.literals

/** Behind what is too new for the filter. */
const startOf = ({ before, filter = {} }: ActivitySearch): Position | null =>
  startBefore(before, filter.toMs, (idPrefix) => idPrefix)

/** What one of both lists has from the start of the page on; nothing was left out that is newer than `reachedTo`. */
interface Part {
  readonly entries: ReadonlyArray<Activity>
  /** `""`: there is nothing before it. */
  readonly reachedTo: Position
}

const NOTHING: Part = { entries: [], reachedTo: "" }

const reached = (nextBeforeId: string | null): Position => (nextBeforeId === null ? "" : positionOfId(nextBeforeId))

/** Entries count as far back as both lists reached. */
export const mergeParts = (parts: ReadonlyArray<Part>, limit: number): ActivityPage => {
  const reachedTo = parts.map((part) => part.reachedTo).reduce((one, other) => (one > other ? one : other), "")
  const all = parts
    .flatMap(({ entries }) => entries)
    .filter(({ position }) => position >= reachedTo)
    .toSorted((a, b) => (a.position < b.position ? 1 : -1))
  const entries = all.slice(0, limit)
  const last = all.length > limit ? entries.at(-1)?.position : reachedTo
  return { entries, nextBefore: last === undefined || last === "" ? null : last }
}

export class ViewActivity extends Context.Service<
  ViewActivity,
  {
    /** A page with a filter may be short, or empty, and go on all the same: how much it examines is bounded. */
    readonly page: (search: ActivitySearch) => Effect.Effect<ActivityPage, StoreUnavailable>
  }
>()("backlinks/usecases/operations/ViewActivity") {
  static readonly layer = Layer.effect(
    ViewActivity,
    Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const orders = yield* Orders
      const apiKeys = yield* ApiKeys
      const members = yield* Members

      type Doers = (actor: string) => Doer

      const recorded = Effect.fnUntraced(function* (search: ActivitySearch, agents: ReadonlyArray<KeyId>, doer: Doers) {
        const { accountId, limit, filter = {} } = search
        const start = startOf(search)
        const isNarrowed = Object.keys(filter).length > 0
        const { records, nextBeforeId } = yield* auditLog.ofAccount({
          ...{ accountId, limit, beforeId: start === null ? null : AuditId.make(`aud_${start}`) },
          ...(isNarrowed
            ? { conditions: { ...filter, agents, afterId: AuditId.make(`aud_${oldestPrefix(filter.fromMs)}`) } }
            : {})
        })
        const entries = records.map((record) => ({
          _tag: "Recorded" as const,
          position: positionOfId(record.auditId),
          atMs: record.atMs,
          by: doer(record.actor),
          record
        }))
        return { entries, reachedTo: reached(nextBeforeId) }
      })

      const ordered = Effect.fnUntraced(function* (search: ActivitySearch, keyIds: ReadonlyArray<KeyId>, doer: Doers) {
        const { fromMs, toMs } = search.filter ?? {}
        const start = startOf(search)
        const {
          orders: placed,
          nextBeforeId,
          examinedToMs
        } = yield* orders.ofKeys({
          ...{ keyIds, statuses: ACTIVE, limit: search.limit },
          beforeId: start === null ? null : OrderId.make(`ord_${start}`),
          conditions: {
            ...(fromMs === undefined ? {} : { createdFromMs: fromMs }),
            ...(toMs === undefined ? {} : { createdToMs: toMs })
          }
        })
        const entries = placed.map((one) => ({
          _tag: "Ordered" as const,
          position: positionOfId(one.order.orderId),
          atMs: one.order.createdAtMs,
          by: doer(one.order.keyId),
          placed: one
        }))
        return { entries, reachedTo: isTooOld(examinedToMs, fromMs) ? "" : reached(nextBeforeId) }
      })

      const page = Effect.fnUntraced(function* (search: ActivitySearch) {
        const { accountId, limit, filter = {} } = search
        const keys = (yield* apiKeys.ofAccount(accountId)).map(({ key }) => key)
        const everyone = yield* members.ofAccount(accountId)
        const agents = keys.flatMap(({ keyId }) => (isWebCredential(keyId) ? [] : [keyId]))

        const doer = (actor: string): Doer => {
          const key = keys.find(({ keyId }) => keyId === actor)
          if (key !== undefined) return { _tag: "Key", keyId: key.keyId, label: key.label }
          if (actor === PROCESSOR) return { _tag: "Processor" }
          if (actor === SERVICE) return { _tag: "Service" }
          if (!actor.startsWith("mem_")) return { _tag: "Operator" }
          return { _tag: "Member", name: everyone.find(({ memberId }) => memberId === actor)?.email ?? actor }
        }

        /** Members order by the Shop's credential. */
        const orderedBy = ({ keyId, mode }: ApiKey): boolean =>
          mode === "live" && (filter.by === undefined || filter.by === (isWebCredential(keyId) ? "member" : "agent"))
        const buyers = keys.flatMap((key) => (orderedBy(key) ? [key.keyId] : []))
        const hasOrders = buyers.length > 0 && (filter.kind === undefined || filter.kind === "orders")
        return mergeParts(
          [yield* recorded(search, agents, doer), hasOrders ? yield* ordered(search, buyers, doer) : NOTHING],
          limit
        )
      })

      return ViewActivity.of({ page: Effect.fn("ViewActivity.page")(page) })
    })
  )
}
