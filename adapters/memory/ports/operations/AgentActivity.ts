// What agents did, in memory: refusals are kept apart from the books, and the rest is read from them.
import { Clock, Effect } from "effect"
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import {
  type AgentRecords,
  addedRefusals,
  dayOf,
  type LastPurchase,
  REFUSALS_KEPT_DAYS,
  type RefusedAttempts,
  refusalsId
} from "#core/domain/operations/AgentActivity.ts"
import { isOpen, type Quote } from "#core/domain/ordering/Quote.ts"
import { sum } from "#core/domain/pricing/Money.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { AgentActivity } from "#core/ports/operations/AgentActivity.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { rowsWhere } from "../../books/Rows.ts"

const targetsOf = (books: Books, { orderId, lines }: Quote): ReadonlyArray<string> => {
  const order = find(books.orders, orderId)
  return order === undefined
    ? lines.map(({ item }) => item.targetUrl)
    : linksOf(books, order).map(({ targetUrl }) => targetUrl)
}

const lastOf = (books: Books, quotes: ReadonlyArray<Quote>): LastPurchase | null => {
  const [last] = quotes.toSorted((one, other) => (one.quoteId < other.quoteId ? 1 : -1))
  if (last === undefined) return null
  const { quoteId, status, createdAtMs: atMs, totalCents, orderId } = last
  const { abandonedBy, declinedReason, paymentPendingAtMs } = last
  const targets = targetsOf(books, last)
  return { quoteId, status, atMs, totalCents, targets, orderId, abandonedBy, declinedReason, paymentPendingAtMs }
}

const byDay = (quotes: ReadonlyArray<Quote>) =>
  [...Map.groupBy(quotes, (one) => `${dayOf(one)} ${one.status}`).values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const cents = sum(same.map(({ totalCents }) => totalCents))
    return [{ day: dayOf(first), status: first.status, count: same.length, cents }]
  })

export const layer = overBooks(AgentActivity, ({ current }) => {
  const refused = new Map<string, RefusedAttempts>()

  const recordsOf = (keyId: KeyId, sinceDay: number): AgentRecords => {
    const books = current()
    const quotes = rowsWhere(books.quotes, (one) => one.keyId === keyId)
    const abandoned = quotes.filter((one) => one.status === "abandoned" && dayOf(one) >= sinceDay)
    return {
      keyId,
      usage: rowsWhere(books.dailyUsage, (one) => one.keyId === keyId && one.day >= sinceDay),
      open: byDay(quotes.filter(isOpen)),
      abandoned: byDay(abandoned).map(({ day, count }) => ({ day, count })),
      last: lastOf(books, quotes),
      refused: [...refused.values()].filter((one) => one.keyId === keyId && one.day >= sinceDay)
    }
  }

  return {
    noteRefused: (attempts) => {
      for (const one of attempts) {
        if (find(current().keys, one.keyId) === undefined) continue
        const known = refused.get(refusalsId(one))
        refused.set(refusalsId(one), known === undefined ? one : addedRefusals(known, one))
      }
    },
    of: (keyIds, sinceDay) => keyIds.map((keyId) => recordsOf(keyId, sinceDay)),
    prune: Effect.map(Clock.currentTimeMillis, (nowMs) => {
      for (const [id, { day }] of refused) if (day < utcDay(nowMs) - REFUSALS_KEPT_DAYS) refused.delete(id)
    })
  }
})
