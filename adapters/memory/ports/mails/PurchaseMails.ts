// Mails on purchases in memory. Each call is one synchronous step, which no other fiber can interleave.
import { Clock, Effect, HashMap, Layer } from "effect"
import { find, linksOf } from "#core/decisions/Books.ts"
import {
  type DuePurchaseMail,
  isAgentPurchase,
  PURCHASES_SHOWN,
  type Purchase
} from "#core/domain/mails/PurchaseMail.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import { idPrefixAt } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, KeyId, MemberId } from "#core/domain/shared/Ids.ts"
import { PurchaseMails } from "#core/ports/mails/PurchaseMails.ts"
import { rowsIn } from "../../books/Indexes.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { unscored } from "../../books/Paging.ts"

interface State {
  readonly mailedTo: string
  readonly dueTo: string
  readonly nextAtMs: number
  readonly leasedUntilMs: number
  readonly attempts: number
  readonly wanted: boolean
}

const idle = (mailedTo: string): State => ({
  ...{ mailedTo, dueTo: mailedTo, nextAtMs: 0, leasedUntilMs: 0, attempts: 0, wanted: true }
})

export const layer: Layer.Layer<PurchaseMails, never, MemoryBooks> = Layer.effect(
  PurchaseMails,
  Effect.map(MemoryBooks, ({ current, indexes }) => {
    const states = new Map<MemberId, State>()
    let examinedTo = ""

    const change = (memberId: MemberId, changed: Partial<State>): void => {
      states.set(memberId, { ...(states.get(memberId) ?? idle(examinedTo)), ...changed })
    }

    /** Purchases of a key, after one id, up to the other; oldest first. */
    const purchasesOf = (keyId: KeyId, after: string, upTo: string): ReadonlyArray<Order> => {
      const found: Array<Order> = []
      for (const { id } of indexes.get(indexKeys.ordersOf(keyId, null)).after(unscored(after))) {
        if (id > upTo) break
        const order = find(current().orders, id)
        const quote = order && find(current().quotes, order.quoteId)
        if (order !== undefined && quote !== undefined && isAgentPurchase(order, quote)) found.push(order)
      }
      return found
    }

    const ownersOf = (accountId: AccountId): ReadonlyArray<Member> =>
      rowsIn(current().members, indexes, indexKeys.membersOf(accountId)).filter(({ role }) => role === "owner")

    const ownerWith = (memberId: MemberId): { readonly member: Member; readonly account: Account } | undefined => {
      const member = find(current().members, memberId)
      const account = member && find(current().accounts, member.accountId)
      const isOwner = member?.removedAtMs === null && member.role === "owner"
      return isOwner && account !== undefined ? { member, account } : undefined
    }

    const purchaseOf = (order: Order): Purchase => ({
      orderId: order.orderId,
      credential: find(current().keys, order.keyId)?.label ?? "",
      totalCents: order.totalCents,
      links: linksOf(current(), order).map(({ domain, targetUrl, netCents }) => ({ domain, targetUrl, netCents }))
    })

    const mailOf = (memberId: MemberId, { mailedTo, dueTo, attempts }: State): ReadonlyArray<DuePurchaseMail> => {
      const owner = ownerWith(memberId)
      if (owner === undefined) return []
      const { accountId, name: accountName } = owner.account
      const orders = rowsIn(current().keys, indexes, indexKeys.keysOf(accountId))
        .flatMap(({ keyId }) => purchasesOf(keyId, mailedTo, dueTo))
        .sort((a, b) => (a.orderId < b.orderId ? -1 : 1))
      const totalCents = orders.reduce((total, order) => total + order.totalCents, 0)
      const purchases = orders.slice(0, PURCHASES_SHOWN).map(purchaseOf)
      const { email } = owner.member
      return [{ memberId, email, accountName, purchases, count: orders.length, totalCents, upTo: dueTo, attempts }]
    }

    return PurchaseMails.of({
      collect: ({ lagMs }) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          const until = `ord_${idPrefixAt(nowMs - lagMs)}`
          let last = examinedTo
          for (const { keyId, accountId } of HashMap.values(current().keys)) {
            const newest = purchasesOf(keyId, examinedTo, until).at(-1)?.orderId
            if (newest === undefined) continue
            for (const { memberId } of ownersOf(accountId)) {
              const dueTo = states.get(memberId)?.dueTo ?? ""
              change(memberId, { dueTo: newest > dueTo ? newest : dueTo })
            }
            if (newest > last) last = newest
          }
          examinedTo = last
          return false
        }),
      claim: ({ nowMs, untilMs, limit }) =>
        Effect.sync(() =>
          [...states]
            .filter(([memberId, { mailedTo, dueTo, nextAtMs, leasedUntilMs, wanted }]) => {
              const isDue = wanted && dueTo > mailedTo && nextAtMs <= nowMs && leasedUntilMs <= nowMs
              return isDue && ownerWith(memberId) !== undefined
            })
            .sort(([, a], [, b]) => a.nextAtMs - b.nextAtMs)
            .slice(0, limit)
            .flatMap(([memberId, state]) => {
              change(memberId, { leasedUntilMs: untilMs })
              return mailOf(memberId, state)
            })
        ),
      sent: ({ memberId, upTo }, nextAtMs) =>
        Effect.sync(() => change(memberId, { mailedTo: upTo, nextAtMs, leasedUntilMs: 0, attempts: 0 })),
      failed: (memberId, nextAtMs) =>
        Effect.sync(() =>
          change(memberId, { nextAtMs, leasedUntilMs: 0, attempts: (states.get(memberId)?.attempts ?? 0) + 1 })
        ),
      isWanted: (memberId) => Effect.sync(() => states.get(memberId)?.wanted ?? true),
      want: (memberId, wanted) =>
        Effect.sync(() => {
          const { dueTo = examinedTo } = states.get(memberId) ?? {}
          change(memberId, { wanted, ...(wanted ? { mailedTo: dueTo } : {}) })
        })
    })
  })
)
