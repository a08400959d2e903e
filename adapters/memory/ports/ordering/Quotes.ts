// Quotes, read from the books in memory by id, payment token, idempotency key or items, and those that are due.
import { Clock, Effect, HashMap } from "effect"
import { type Books, bindingId, boundFor, find } from "#core/decisions/Books.ts"
import { unkeyedKey } from "#core/domain/ordering/Idempotency.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { awaitsApproval, awaitsPayment, isOpen, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/ordering/Warning.ts"
import { sum } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type OpenCounts, Quotes, type WaitingQuery } from "#core/ports/ordering/Quotes.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, perVersion, rowsWhere, type SortKey, sorted } from "../../books/Rows.ts"

const waitingFirst = (a: PaymentSetAside, b: PaymentSetAside): number =>
  Number(a.outcome !== null) - Number(b.outcome !== null) || b.atMs - a.atMs || (a.paymentId < b.paymentId ? -1 : 1)

const byExpiry = ({ expiresAtMs, quoteId }: Quote): SortKey => [expiresAtMs, quoteId]
const byId = ({ quoteId }: Quote): SortKey => [quoteId]

/** A person can decide on it or pay it now. */
const waitsAt =
  (accountId: AccountId, nowMs: Millis) =>
  (one: Quote): boolean =>
    one.accountId === accountId && one.mode === "live" && one.expiresAtMs > nowMs && !isPaymentPending(one)

const countsOf = (open: ReadonlyArray<Quote>): OpenCounts => ({
  approvals: open.filter(awaitsApproval).length,
  approvalCents: sum(open.filter(awaitsApproval).map(({ totalCents }) => totalCents)),
  payments: open.filter(awaitsPayment).length,
  approvalsHolding: open.filter((one) => awaitsApproval(one) && one.creditCents > 0).length,
  paymentsHolding: open.filter((one) => awaitsPayment(one) && one.creditCents > 0).length
})

interface Part {
  readonly limit: number
  readonly after?: QuoteId | null | undefined
}

const isWanted = (one: Quote, wanted: WaitingQuery): boolean =>
  one.accountId === wanted.accountId &&
  one.mode === wanted.mode &&
  one.status === wanted.status &&
  (wanted.itemsDigest === undefined || one.itemsDigest === wanted.itemsDigest)

export const layer = overBooks(Quotes, ({ current }) => {
  const quote = (quoteId: QuoteId | null | undefined): Quote | null => find(current().quotes, quoteId) ?? null

  const quotesWhere = (condition: (one: Quote) => boolean) => rowsWhere(current().quotes, condition)

  const openIn = perVersion((quotes: Books["quotes"]) => rowsWhere(quotes, isOpen))
  const openWhere = (condition: (one: Quote) => boolean) => openIn(current().quotes).filter(condition)

  /** Those after the named quote. */
  const rowsBy = (rows: ReadonlyArray<Quote>, by: (one: Quote) => SortKey, { limit, after }: Part) => {
    const last = quote(after)
    return sorted(rows, { by, after: last === null ? null : by(last), limit })
  }
  const idsBy = (...rows: Parameters<typeof rowsBy>) => rowsBy(...rows).map(({ quoteId }) => quoteId)

  const toApprove = (): ReadonlyArray<Quote> => {
    const waiting = openWhere((one) => awaitsApproval(one) && one.mode === "live")
    return sorted(waiting, { by: byId })
  }

  return {
    byId: quote,
    byIds: (quoteIds) => quoteIds.flatMap((quoteId) => find(current().quotes, quoteId) ?? []),
    byPaymentToken: (token) =>
      quotesWhere(({ cardCents, paymentToken }) => cardCents > 0 && paymentToken === token)[0] ?? null,
    byIdempotencyKey: (caller, idempotencyKey) => quote(boundFor(current(), caller, idempotencyKey)?.quoteId),
    latestUnkeyed: ({ keyId, fingerprint }) => {
      const nth = (n: number) => find(current().bindings, bindingId(keyId, unkeyedKey(fingerprint, n)))
      let last = 0
      while (nth(last + 1) !== undefined) last++
      return quote(nth(last)?.quoteId)
    },
    due: ({ nowMs, accountId, ...part }) => {
      const isOf = (one: Quote) => accountId === undefined || one.accountId === accountId
      const due = openWhere((one) => one.expiresAtMs <= nowMs && !isPaymentPending(one) && isOf(one))
      return idsBy(due, byExpiry, part)
    },
    pending: ({ nowMs, ...part }) => {
      const pending = openWhere((one) => one.expiresAtMs <= nowMs && isPaymentPending(one))
      return idsBy(pending, byExpiry, part)
    },
    open: ({ accountId, mode, limit }) => {
      const open = openWhere((one) => one.accountId === accountId && one.mode === mode)
      return sorted(open, { by: byExpiry, isDescending: true, limit })
    },
    waiting: (wanted) => {
      const waiting = openWhere((one) => isWanted(one, wanted))
      return rowsBy(waiting, byExpiry, wanted)
    },
    openCounts: ({ accountId, mode }) => countsOf(openWhere((one) => one.accountId === accountId && one.mode === mode)),
    withoutSession: ({ beforeMs, limit, after }) => {
      const without = openWhere(
        (one) => one.createdAtMs < beforeMs && one.sessionId === null && one.mode === "live" && awaitsPayment(one)
      )
      return idsBy(without, ({ createdAtMs, quoteId }) => [createdAtMs, quoteId], { limit, after })
    },
    ofRevokedKeys: ({ limit, accountId, after = null }) => {
      const isRevoked = ({ keyId }: Quote): boolean => find(current().keys, keyId)?.revokedAtMs !== null
      const isOf = (one: Quote) => accountId === undefined || one.accountId === accountId
      const waiting = openWhere((one) => awaitsApproval(one) && isOf(one) && isRevoked(one))
      return sorted(waiting, { by: byId, after: afterId(after), limit }).map(({ quoteId }) => quoteId)
    },
    awaitingApproval: ({ limit }) => toApprove().slice(0, limit),
    awaitingApprovalCount: Effect.sync(() => toApprove().length),
    waitingCounts: (accountId) =>
      Effect.map(Clock.currentTimeMillis, (nowMs) => {
        const { approvals, payments } = countsOf(openWhere(waitsAt(accountId, nowMs)))
        return { approvals, payments }
      }),
    setAside: ({ limit, paymentId }) => {
      const { setAside } = current()
      const found = paymentId === undefined ? HashMap.toValues(setAside) : [find(setAside, paymentId) ?? []].flat()
      return found.sort(waitingFirst).slice(0, limit)
    },
    setAsideOpen: Effect.sync(() => {
      const open = HashMap.toValues(current().setAside).filter(({ outcome }) => outcome === null)
      return Object.entries(Object.groupBy(open, ({ currency }) => currency)).map(([currency, payments = []]) => ({
        currency,
        count: payments.length,
        cents: payments.reduce((sum, { amountCents }) => sum + amountCents, 0)
      }))
    }),
    lookAlike: ({ keyId, itemsDigest, atMs }) =>
      Effect.map(atMs === undefined ? Clock.currentTimeMillis : Effect.succeed(atMs), (untilMs) => {
        const alike = quotesWhere(
          (one) =>
            one.keyId === keyId &&
            one.itemsDigest === itemsDigest &&
            one.status !== "abandoned" &&
            one.createdAtMs >= untilMs - SIMILAR_ORDER_WINDOW_MS
        )
        return sorted(alike, { by: ({ createdAtMs, quoteId }) => [createdAtMs, quoteId] }).at(-1)?.quoteId ?? null
      })
  }
})
