// Quotes, read from the books in memory by id, payment token, idempotency key or items, and those that are due.
import { Clock, Effect, HashMap, Iterable, Layer } from "effect"
import { bindingId, find } from "#core/decisions/Books.ts"
import { unkeyedKey } from "#core/domain/ordering/Idempotency.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/ordering/Warning.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { type IndexKey, indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { page } from "../../books/Paging.ts"
import type { Entry } from "../../books/SortedSet.ts"

const waitingFirst = (a: PaymentSetAside, b: PaymentSetAside): number =>
  Number(a.outcome !== null) - Number(b.outcome !== null) || b.atMs - a.atMs || (a.paymentId < b.paymentId ? -1 : 1)

export const layer: Layer.Layer<Quotes, never, MemoryBooks> = Layer.effect(
  Quotes,
  Effect.gen(function* () {
    const { current, indexes } = yield* MemoryBooks
    const quote = (quoteId: QuoteId | null | undefined): Quote | null => find(current().quotes, quoteId) ?? null

    /** Ids in an index that scores quotes by a time: those after the named quote, as long as `isDue` holds of their time. */
    const dueIn = (key: IndexKey<QuoteId>, last: Entry | null, isDue: (atMs: number) => boolean, limit: number) => {
      const due = Iterable.takeWhile(indexes.get(key).after(last), ({ score }) => isDue(score))
      return Array.from(Iterable.take(due, limit), ({ id }) => id)
    }

    const toApprove = (): ReadonlyArray<Quote> =>
      Array.from(indexes.get(indexKeys.due).after(null), ({ id }) => quote(id) ?? [])
        .flat()
        .filter((one) => awaitsApproval(one) && one.mode === "live")
        .sort((a, b) => (a.quoteId < b.quoteId ? -1 : 1))

    return Quotes.of({
      byId: (quoteId) => Effect.sync(() => quote(quoteId)),
      byPaymentToken: (token) => Effect.sync(() => quote(indexes.get(indexKeys.quoteWithToken(token)).first()?.id)),
      byIdempotencyKey: (keyId, idempotencyKey) =>
        Effect.sync(() => quote(find(current().bindings, bindingId(keyId, idempotencyKey))?.quoteId)),
      latestUnkeyed: ({ keyId, fingerprint }) =>
        Effect.sync(() => {
          const nth = (n: number) => find(current().bindings, bindingId(keyId, unkeyedKey(fingerprint, n)))
          let last = 0
          while (nth(last + 1) !== undefined) last++
          return quote(nth(last)?.quoteId)
        }),
      due: ({ nowMs, limit, accountId, after }) =>
        Effect.sync(() => {
          const key = accountId === undefined ? indexKeys.due : indexKeys.dueOf(accountId)
          const last = quote(after)
          const start = last && { score: last.expiresAtMs, id: last.quoteId }
          return dueIn(key, start, (expiresAtMs) => expiresAtMs <= nowMs, limit)
        }),
      pending: ({ nowMs, limit, after }) =>
        Effect.sync(() => {
          const last = quote(after)
          const start = last && { score: last.expiresAtMs, id: last.quoteId }
          return dueIn(indexKeys.pending, start, (expiresAtMs) => expiresAtMs <= nowMs, limit)
        }),
      open: ({ accountId, mode, limit }) =>
        Effect.sync(() => {
          const latestFirst = indexes.get(indexKeys.openOf(accountId)).before(null)
          const inMode = (quoteId: QuoteId) => {
            const found = quote(quoteId)
            return found?.mode === mode ? found : undefined
          }
          return page(latestFirst, limit, inMode).rows
        }),
      withoutSession: ({ beforeMs, limit, after }) =>
        Effect.sync(() => {
          const last = quote(after)
          const start = last && { score: last.createdAtMs, id: last.quoteId }
          return dueIn(indexKeys.withoutSession, start, (createdAtMs) => createdAtMs < beforeMs, limit)
        }),
      ofRevokedKeys: ({ limit, accountId, after = null }) =>
        Effect.sync(() => {
          const isRevoked = ({ keyId }: Quote): boolean => find(current().keys, keyId)?.revokedAtMs !== null
          const key = accountId === undefined ? indexKeys.due : indexKeys.dueOf(accountId)
          return Array.from(indexes.get(key).after(null), ({ id }) => quote(id) ?? [])
            .flat()
            .filter((one) => awaitsApproval(one) && isRevoked(one))
            .map(({ quoteId }) => quoteId)
            .filter((quoteId) => after === null || quoteId > after)
            .sort()
            .slice(0, limit)
        }),
      awaitingApproval: ({ limit }) => Effect.sync(() => toApprove().slice(0, limit)),
      awaitingApprovalCount: Effect.sync(() => toApprove().length),
      setAside: ({ limit, paymentId }) =>
        Effect.sync(() => {
          const { setAside } = current()
          const found = paymentId === undefined ? HashMap.toValues(setAside) : [find(setAside, paymentId) ?? []].flat()
          return found.sort(waitingFirst).slice(0, limit)
        }),
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
          const newest = indexes.get(indexKeys.lookAlikes(keyId, itemsDigest)).last()
          return newest !== undefined && newest.score >= untilMs - SIMILAR_ORDER_WINDOW_MS ? newest.id : null
        })
    })
  })
)
