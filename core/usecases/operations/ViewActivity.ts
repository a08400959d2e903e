// What agents, members and operators did with an account, in one list: the audit's records of it, the orders of its live keys, what else they
// asked for, and what was refused to them.
import { Clock, Context, Effect, Layer } from "effect"
import { type ApiKey, endedAtMs } from "#core/domain/access/ApiKey.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import { PROCESSOR, SERVICE } from "#core/domain/members/Actor.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { type Position, positionOfId } from "#core/domain/operations/ActivityEvent.ts"
import type { ActivityFilter } from "#core/domain/operations/ActivityKind.ts"
import { REFUSALS_KEPT_DAYS, type RefusedAttempts } from "#core/domain/operations/AgentActivity.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { OrderStatus, type OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { DAY_MS, idPrefixAt, idTimeMs, type Millis, utcDay } from "#core/domain/shared/DecisionContext.ts"
import { type AccountId, AuditId, type KeyId, LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { isTooOld, oldestPrefix, startBefore } from "#core/domain/shared/IdTimes.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { Members } from "#core/ports/members/Members.ts"
import { AgentActivity } from "#core/ports/operations/AgentActivity.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Purchases } from "#core/ports/ordering/Purchases.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { SweepQuotes } from "../ordering/SweepQuotes.ts"

/** Who did something; a former member is known by id alone. */
export type Doer =
  | { readonly _tag: "Member"; readonly name: string }
  | { readonly _tag: "Key"; readonly keyId: KeyId; readonly label: string }
  | { readonly _tag: "Operator" | "Processor" | "Service" }

export type Activity = {
  readonly position: Position
  readonly atMs: number
  readonly by: Doer
} /** `link`: what a record of a link is about. */ & (
  | { readonly _tag: "Recorded"; readonly record: AuditRecord; readonly link: Link | null }
  | { readonly _tag: "Ordered"; readonly placed: OrderWithLinks }
  /** Asked for and not bought, when it was asked for and as it is now. */
  | { readonly _tag: "Asked"; readonly quote: Quote }
  /** What one rule refused to a key on one day, when the last of it was. */
  | { readonly _tag: "Refused"; readonly attempts: RefusedAttempts; readonly key: ApiKey }
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

const UNBOUGHT = ["awaiting_approval", "awaiting_payment", "abandoned"] as const

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

const isWithin = (atMs: Millis, { fromMs = 0, toMs = Number.POSITIVE_INFINITY }: ActivityFilter): boolean =>
  atMs >= fromMs && atMs <= toMs

/** Behind all that began in its millisecond, and another one for each key and rule. */
const positionOfRefusal = ({ keyId, rule, lastAtMs }: RefusedAttempts): Position =>
  `${idPrefixAt(lastAtMs)}~${positionOfId(keyId)}~${rule}`

/** Entries count as far back as all lists reached. */
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

/** Who an actor is to the people of the account. */
type Doers = (actor: string) => Doer

const askedFor = Effect.gen(function* () {
  const purchases = yield* Purchases
  const { sweepAccount } = yield* SweepQuotes
  return Effect.fnUntraced(function* (search: ActivitySearch, keyIds: ReadonlyArray<KeyId>, doer: Doers) {
    const { accountId, limit, filter = {} } = search
    // What has expired is told as that.
    yield* sweepAccount(accountId)
    const start = startOf(search)
    const beforeId = start === null ? null : QuoteId.make(`q_${start}`)
    const listed = { shown: keyIds, leftOut: [], statuses: UNBOUGHT, limit, beforeId }
    const { quotes, nextBeforeId } = yield* purchases.quotes(listed)
    const entries = quotes.flatMap(({ quote }) => {
      const { quoteId, createdAtMs, memberId, keyId } = quote
      const at = { position: positionOfId(quoteId), atMs: createdAtMs }
      return isWithin(createdAtMs, filter)
        ? [{ _tag: "Asked" as const, ...at, by: doer(memberId ?? keyId), quote }]
        : []
    })
    const oldest = quotes.at(-1)?.quote.createdAtMs ?? null
    return { entries, reachedTo: isTooOld(oldest, filter.fromMs) ? "" : reached(nextBeforeId) }
  })
})

/** Reads all that is kept of those keys that can have something in it: one record for each day and rule. */
const refusedTo = Effect.gen(function* () {
  const agentActivity = yield* AgentActivity
  return Effect.fnUntraced(function* (search: ActivitySearch, keys: ReadonlyArray<ApiKey>, doer: Doers) {
    const { before, filter = {} } = search
    const kept = utcDay(yield* Clock.currentTimeMillis) - REFUSALS_KEPT_DAYS
    const wanted = keys.filter((key) => !isWebCredential(key.keyId) && endedAtMs(key) >= kept * DAY_MS)
    const startMs = before === null ? undefined : idTimeMs(before)
    if (wanted.length === 0 || (startMs !== undefined && startMs < kept * DAY_MS)) return NOTHING
    const ids = wanted.map(({ keyId }) => keyId)
    const known = yield* agentActivity.of(ids, Math.max(kept, utcDay(filter.fromMs ?? 0)))
    const entries = known.flatMap(({ refused: all }) =>
      all.flatMap((attempts) => {
        const { keyId, lastAtMs } = attempts
        const key = wanted.find((one) => one.keyId === keyId)
        const position = positionOfRefusal(attempts)
        const isOnPage = isWithin(lastAtMs, filter) && (before === null || position < before)
        return key === undefined || !isOnPage
          ? []
          : [{ _tag: "Refused" as const, position, atMs: lastAtMs, by: doer(keyId), attempts, key }]
      })
    )
    return { entries, reachedTo: "" }
  })
})

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
      const asked = yield* askedFor
      const refused = yield* refusedTo

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
        const linkIds = records.flatMap(({ subject }) => (subject.startsWith("lnk_") ? [LinkId.make(subject)] : []))
        const links = yield* orders.linksNamed([...new Set(linkIds)])
        const entries = records.map((record) => ({
          _tag: "Recorded" as const,
          position: positionOfId(record.auditId),
          atMs: record.atMs,
          by: doer(record.actor),
          record,
          link: links.find((link) => link.linkId === record.subject && link.accountId === accountId) ?? null
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
        const isOfOrders = filter.kind === undefined || filter.kind === "orders"
        const hasOrders = buyers.length > 0 && isOfOrders
        const hasRefusals = isOfOrders && (filter.by === undefined || filter.by === "agent")
        const parts = [
          yield* recorded(search, agents, doer),
          hasOrders ? yield* ordered(search, buyers, doer) : NOTHING,
          hasOrders ? yield* asked(search, buyers, doer) : NOTHING,
          hasRefusals ? yield* refused(search, keys, doer) : NOTHING
        ]
        return mergeParts(parts, limit)
      })

      return ViewActivity.of({ page: Effect.fn("ViewActivity.page")(page) })
    })
  )
}
