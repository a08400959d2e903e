// Frees finished records of the books in memory: each step replaces the books at once.
import { Clock, Effect, HashMap, Iterable, Layer } from "effect"
import { type Books, bindingId, find, type IdIn, linksOf } from "#core/decisions/Books.ts"
import {
  deliveryEndedAtMs,
  FREED_TABLES,
  type FreedRows,
  isFinished,
  quoteEndedAtMs,
  type RetentionKind,
  showsInterruption
} from "#core/domain/operations/Retention.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { DeliveryId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type FreedTotal, Retention, type RetentionStep } from "#core/ports/operations/Retention.ts"
import type { Row } from "../../books/IndexEntries.ts"
import { idsIn, type ReadonlyIndexes } from "../../books/Indexes.ts"
import { type IndexKey, indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import type { Entry } from "../../books/SortedSet.ts"

/** Ids to remove, per table. */
type Gone = {
  [Name in "deliveries" | "quotes" | "bindings" | "payments" | "orders" | "links" | "events"]: Array<IdIn<Name>>
} & {
  /** Bindings that only lose their response. */
  answers: Array<IdIn<"bindings">>
}

const nothing = (): Gone => ({
  deliveries: [],
  quotes: [],
  bindings: [],
  payments: [],
  orders: [],
  links: [],
  events: [],
  answers: []
})

const isBefore = (atMs: Millis | null, beforeMs: Millis): boolean => atMs !== null && atMs < beforeMs

const deliveriesToFree = (books: Books, ids: ReadonlyArray<DeliveryId>, beforeMs: Millis): Gone => ({
  ...nothing(),
  deliveries: ids.filter((id) => {
    const delivery = find(books.deliveries, id)
    return delivery !== undefined && isBefore(deliveryEndedAtMs(delivery), beforeMs)
  })
})

/** Quotes that money refers to stay, and so do quotes whose event a delivery still carries. */
const sandboxToFree = (books: Books, indexes: ReadonlyIndexes, ids: ReadonlyArray<QuoteId>, beforeMs: Millis): Gone => {
  const gone = nothing()
  for (const quoteId of ids) {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) continue
    const order = find(books.orders, quote.orderId)
    const ofOrder = order === undefined ? [] : idsIn(indexes, indexKeys.eventsOf(order.orderId))
    const eventIds = [...ofOrder, ...idsIn(indexes, indexKeys.eventsOf(quote.quoteId))]
    const referring: ReadonlyArray<IndexKey<string>> = [
      indexKeys.setAsideOf(quoteId),
      indexKeys.reversalsOf(quoteId),
      ...eventIds.map(indexKeys.deliveriesOfEvent)
    ]
    const isNeeded = referring.some((key) => indexes.get(key).size > 0)
    const links = order === undefined ? [] : linksOf(books, order)
    if (isNeeded || !isBefore(quoteEndedAtMs(quote, links), beforeMs)) continue
    gone.quotes.push(quoteId)
    gone.payments.push(...idsIn(indexes, indexKeys.paymentsOf(quoteId)))
    gone.events.push(...eventIds)
    gone.links.push(...links.map(({ linkId }) => linkId))
    if (order !== undefined) gone.orders.push(order.orderId)
    if (quote.idempotencyKey !== null) gone.bindings.push(bindingId(quote.keyId, quote.idempotencyKey))
  }
  return gone
}

const answersToFree = (books: Books, ids: ReadonlyArray<IdIn<"bindings">>, beforeMs: Millis): Gone => ({
  ...nothing(),
  answers: ids.filter((id) => {
    const quote = find(books.quotes, find(books.bindings, id)?.quoteId)
    if (quote === undefined) return false
    const order = find(books.orders, quote.orderId)
    const links = order === undefined ? [] : linksOf(books, order)
    return isFinished(quote, links) && isBefore(quoteEndedAtMs(quote, links), beforeMs)
  })
})

const without = <K, A>(table: HashMap.HashMap<K, A>, ids: ReadonlyArray<K>): HashMap.HashMap<K, A> =>
  ids.length === 0 ? table : HashMap.removeMany(table, ids)

const remove = (books: Books, gone: Gone, beforeMs: Millis): Books => {
  const interrupted = gone.deliveries.flatMap((id) => {
    const delivery = find(books.deliveries, id)
    return delivery !== undefined && showsInterruption(delivery) ? [delivery.webhookId] : []
  })
  const { freed } = books
  const latest = (marked: Millis, ids: ReadonlyArray<string>) =>
    ids.length === 0 ? marked : Math.max(marked, beforeMs)
  return {
    ...books,
    deliveries: without(books.deliveries, gone.deliveries),
    quotes: without(books.quotes, gone.quotes),
    bindings: without(books.bindings, gone.bindings),
    payments: without(books.payments, gone.payments),
    orders: without(books.orders, gone.orders),
    links: without(books.links, gone.links),
    events: without(books.events, gone.events),
    freed: {
      deliveriesBeforeMs: latest(freed.deliveriesBeforeMs, gone.deliveries),
      quotesBeforeMs: latest(freed.quotesBeforeMs, gone.quotes),
      interrupted: interrupted.length === 0 ? freed.interrupted : new Set([...freed.interrupted, ...interrupted])
    }
  }
}

const removeAnswers = (books: Books, ids: ReadonlyArray<string>, freedAtMs: Millis): Books => ({
  ...books,
  bindings: ids.reduce(
    (bindings, id) => HashMap.modify(bindings, id, (binding) => ({ ...binding, response: null, freedAtMs })),
    books.bindings
  )
})

const positionOf = ({ score, id }: Entry): string => `${score} ${id}`

const entryAt = (position: string | null): Entry | null => {
  if (position === null) return null
  const end = position.indexOf(" ")
  return { score: Number(position.slice(0, end)), id: position.slice(end + 1) }
}

export const layer: Layer.Layer<Retention, never, MemoryBooks> = Layer.effect(
  Retention,
  Effect.gen(function* () {
    const { current, indexes, replace } = yield* MemoryBooks
    const totals = new Map<string, FreedTotal>()

    const free = ({ kind, spanMs, limit, after }: RetentionStep, nowMs: Millis) => {
      const books = current()
      const beforeMs = nowMs - spanMs
      /** The scores of an index are no later than the records' ends. */
      const examine = <Id extends string>(key: IndexKey<Id>, toFree: (ids: ReadonlyArray<Id>) => Gone) => {
        const old = Iterable.takeWhile(indexes.get(key).after(entryAt(after)), ({ score }) => score < beforeMs)
        const examined = Array.from(Iterable.take(old, limit))
        return { examined, gone: toFree(examined.map(({ id }) => id)) }
      }
      const step: Readonly<
        Record<RetentionKind, () => { readonly examined: ReadonlyArray<Entry>; readonly gone: Gone }>
      > = {
        deliveries: () => examine(indexKeys.deliveriesMade, (ids) => deliveriesToFree(books, ids, beforeMs)),
        sandbox: () => examine(indexKeys.sandboxQuotesMade, (ids) => sandboxToFree(books, indexes, ids, beforeMs)),
        answers: () => examine(indexKeys.answersStored, (ids) => answersToFree(books, ids, beforeMs))
      }
      const { examined, gone } = step[kind]()
      const changed: Array<Row> = gone.answers.map((id) => ({ table: "bindings", id }))
      const freed: Partial<Record<(typeof FREED_TABLES)[number], number>> = {}
      for (const table of FREED_TABLES) {
        const freedIds = gone[table]
        if (freedIds.length === 0) continue
        freed[table] = freedIds.length
        totals.set(table, { table, rows: (totals.get(table)?.rows ?? 0) + freedIds.length, lastAtMs: nowMs })
        if (table !== "answers") changed.push(...freedIds.map((id): Row => ({ table, id })))
      }
      if (changed.length > 0) replace(removeAnswers(remove(books, gone, beforeMs), gone.answers, nowMs), changed)
      const last = examined.at(-1)
      return {
        freed: freed satisfies FreedRows,
        next: last === undefined || examined.length < limit ? null : positionOf(last)
      }
    }

    return Retention.of({
      free: (step) => Effect.map(Clock.currentTimeMillis, (nowMs) => free(step, nowMs)),
      freed: () => Effect.sync(() => FREED_TABLES.flatMap((table) => totals.get(table) ?? []))
    })
  })
)
