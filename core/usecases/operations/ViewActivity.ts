// What agents, members and operators did with an account, in one list: the audit's records of it, and the orders of its live keys.
import { Context, Effect, Layer } from "effect"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { type Position, positionOfId } from "#core/domain/operations/ActivityEvent.ts"
import { OrderStatus, type OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { type AccountId, AuditId, type KeyId, OrderId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Who did something; a former member is known by id alone. */
export type Doer =
  | { readonly _tag: "Member"; readonly name: string }
  | { readonly _tag: "Key"; readonly keyId: KeyId; readonly label: string }
  /** An operator, or the payment processor. */
  | { readonly _tag: "Operator" }

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

export class ViewActivity extends Context.Service<
  ViewActivity,
  {
    readonly page: (query: {
      readonly accountId: AccountId
      readonly limit: number
      /** Only what was before it; `null` for the newest. */
      readonly before: Position | null
    }) => Effect.Effect<ActivityPage, StoreUnavailable>
  }
>()("backlinks/usecases/operations/ViewActivity") {
  static readonly layer = Layer.effect(
    ViewActivity,
    Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const orders = yield* Orders
      const apiKeys = yield* ApiKeys
      const members = yield* Members

      const page = Effect.fnUntraced(function* ({
        accountId,
        limit,
        before
      }: Parameters<ViewActivity["Service"]["page"]>[0]) {
        const keys = (yield* apiKeys.ofAccount(accountId)).map(({ key }) => key)
        const everyone = yield* members.ofAccount(accountId)
        const live = keys.flatMap(({ mode, keyId }) => (mode === "live" ? [keyId] : []))

        const doer = (actor: string): Doer => {
          const key = keys.find(({ keyId }) => keyId === actor)
          if (key !== undefined) return { _tag: "Key", keyId: key.keyId, label: key.label }
          if (!actor.startsWith("mem_")) return { _tag: "Operator" }
          return { _tag: "Member", name: everyone.find(({ memberId }) => memberId === actor)?.email ?? actor }
        }

        const audited = yield* auditLog.ofAccount({
          accountId,
          limit,
          beforeId: before === null ? null : AuditId.make(`aud_${before}`)
        })
        const statuses = OrderStatus.literals
        const placed = yield* orders.ofKeys({
          keyIds: live,
          statuses,
          limit,
          beforeId: before === null ? null : OrderId.make(`ord_${before}`)
        })
        const all: ReadonlyArray<Activity> = [
          ...audited.records.map((record) => ({
            _tag: "Recorded" as const,
            position: positionOfId(record.auditId),
            atMs: record.atMs,
            by: doer(record.actor),
            record
          })),
          ...placed.orders.map((one) => ({
            _tag: "Ordered" as const,
            position: positionOfId(one.order.orderId),
            atMs: one.order.createdAtMs,
            by: doer(one.order.keyId),
            placed: one
          }))
        ]
        const entries = all.toSorted((a, b) => (a.position < b.position ? 1 : -1)).slice(0, limit)
        const isLast = all.length <= limit && audited.nextBeforeId === null && placed.nextBeforeId === null
        return { entries, nextBefore: isLast ? null : (entries.at(-1)?.position ?? null) }
      })

      return ViewActivity.of({ page: Effect.fn("ViewActivity.page")(page) })
    })
  )
}
