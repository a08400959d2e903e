// Top-ups, read from the books in memory.
import { HashMap } from "effect"
import { find } from "#core/decisions/Books.ts"
import type { TopUpId } from "#core/domain/shared/Ids.ts"
import { awaitsSession, type TopUp } from "#core/domain/wallet/TopUp.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page, type SortKey, sorted } from "../../books/Rows.ts"

export const layer = overBooks(TopUps, ({ current }) => {
  const all = () => HashMap.toValues(current().topUps)
  const by = ({ expiresAtMs, topUpId }: TopUp): SortKey => [expiresAtMs, topUpId]
  const idsOf = (rows: ReadonlyArray<TopUp>, after: TopUpId | null, limit: number): ReadonlyArray<TopUpId> => {
    const last = find(current().topUps, after)
    return sorted(rows, { by, after: last === undefined ? null : by(last), limit }).map(({ topUpId }) => topUpId)
  }
  const isOfClosed = ({ accountId }: TopUp) => find(current().accounts, accountId)?.closedAtMs !== undefined
  return {
    byId: (topUpId) => find(current().topUps, topUpId) ?? null,
    byPaymentToken: (token) => all().find(({ paymentToken }) => paymentToken === token) ?? null,
    ofAccount: ({ accountId, limit, beforeId }) => {
      const { rows: topUps, next } = page(
        all().filter((one) => one.accountId === accountId),
        { by: ({ topUpId }) => [topUpId], isDescending: true, after: afterId(beforeId), limit }
      )
      return { topUps, nextBeforeId: next?.topUpId ?? null }
    },
    openOf: (accountId) => {
      const open = all().filter((one) => one.accountId === accountId && one.status === "open")
      return sorted(open, { by: ({ topUpId }) => [topUpId], after: null, limit: open.length })
    },
    due: ({ nowMs, limit, after = null }) => {
      const due = all().filter((one) => one.status === "open" && (one.expiresAtMs <= nowMs || isOfClosed(one)))
      return idsOf(due, after, limit)
    },
    unopened: ({ beforeMs, nowMs, limit, after = null }) => {
      const unopened = all().filter(
        (one) => awaitsSession(one, nowMs) && one.createdAtMs <= beforeMs && !isOfClosed(one)
      )
      return idsOf(unopened, after, limit)
    }
  }
})
