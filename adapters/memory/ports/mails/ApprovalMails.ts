// Mails on orders that wait for approval, in memory. Each call is one synchronous step, which no other fiber can interleave.
import { Effect, HashMap, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import { type DueApprovalMail, WAITING_SHOWN } from "#core/domain/mails/ApprovalMail.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import { idPrefixAt, type Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { ApprovalMails } from "#core/ports/mails/ApprovalMails.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

interface State {
  readonly mailedTo: string
  readonly nextAtMs: number
  readonly leasedUntilMs: number
  readonly attempts: number
  readonly wanted: boolean
}

const IDLE: State = { mailedTo: "", nextAtMs: 0, leasedUntilMs: 0, attempts: 0, wanted: true }

export const layer: Layer.Layer<ApprovalMails, never, MemoryBooks> = Layer.effect(
  ApprovalMails,
  Effect.map(MemoryBooks, ({ current, indexes }) => {
    const states = new Map<MemberId, State>()
    const stateOf = (memberId: MemberId): State => states.get(memberId) ?? IDLE

    const change = (memberId: MemberId, changed: Partial<State>): void => {
      states.set(memberId, { ...stateOf(memberId), ...changed })
    }

    /** Quotes by account, oldest first. */
    const waitingAt = (nowMs: Millis, before: string): ReadonlyMap<AccountId, ReadonlyArray<Quote>> =>
      Map.groupBy(
        Array.from(indexes.get(indexKeys.due).after(null), ({ id }) => find(current().quotes, id))
          .filter((one) => one !== undefined)
          .filter((one) => awaitsApproval(one) && one.mode === "live")
          .filter(({ quoteId, expiresAtMs }) => quoteId < before && expiresAtMs > nowMs)
          .sort((a, b) => (a.quoteId < b.quoteId ? -1 : 1)),
        ({ accountId }) => accountId
      )

    const mailOf = ({ memberId, email, accountId }: Member, waiting: ReadonlyArray<Quote>): DueApprovalMail => {
      const { mailedTo, attempts } = stateOf(memberId)
      const accountName = find(current().accounts, accountId)?.name ?? ""
      const untold = waiting.filter(({ quoteId }) => quoteId > mailedTo)
      const orders = untold.slice(0, WAITING_SHOWN).map(({ quoteId, keyId, totalCents, lines }) => ({
        quoteId,
        credential: find(current().keys, keyId)?.label ?? "",
        totalCents,
        links: lines.map(({ domain, item: { targetUrl } }) => ({ domain, targetUrl }))
      }))
      const upTo = untold.at(-1)?.quoteId ?? mailedTo
      return { memberId, email, accountName, orders, count: untold.length, upTo, attempts }
    }

    return ApprovalMails.of({
      claim: ({ nowMs, untilMs, lagMs, limit }) =>
        Effect.sync(() => {
          const waiting = waitingAt(nowMs, `q_${idPrefixAt(nowMs - lagMs)}`)
          const isDue = ({ memberId, accountId, role, removedAtMs }: Member): boolean => {
            const { mailedTo, wanted, nextAtMs, leasedUntilMs } = stateOf(memberId)
            const newest = waiting.get(accountId)?.at(-1)?.quoteId ?? ""
            const isFree = wanted && nextAtMs <= nowMs && leasedUntilMs <= nowMs
            return role === "owner" && removedAtMs === null && isFree && newest > mailedTo
          }
          return Array.from(HashMap.values(current().members))
            .filter(isDue)
            .slice(0, limit)
            .map((member) => {
              change(member.memberId, { leasedUntilMs: untilMs })
              return mailOf(member, waiting.get(member.accountId) ?? [])
            })
        }),
      sent: ({ memberId, upTo }, nextAtMs) =>
        Effect.sync(() => change(memberId, { mailedTo: upTo, nextAtMs, leasedUntilMs: 0, attempts: 0 })),
      failed: (memberId, nextAtMs) =>
        Effect.sync(() => change(memberId, { nextAtMs, leasedUntilMs: 0, attempts: stateOf(memberId).attempts + 1 })),
      isWanted: (memberId) => Effect.sync(() => stateOf(memberId).wanted),
      want: (memberId, wanted) => Effect.sync(() => change(memberId, { wanted }))
    })
  })
)
