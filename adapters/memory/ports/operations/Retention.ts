// Frees finished records of the books in memory: each step replaces the books at once.
import { Clock, Effect, HashMap } from "effect"
import { type Books, bindingOf, find, type IdIn, idIn, linksOf } from "#core/decisions/Books.ts"
import {
  deliveryEndedAtMs,
  FREED_TABLES,
  type FreedRows,
  type FreedTable,
  isFinished,
  quoteEndedAtMs,
  showsInterruption
} from "#core/domain/operations/Retention.ts"
import type { Binding } from "#core/domain/ordering/Idempotency.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { isOpen, type Quote } from "#core/domain/ordering/Quote.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { isOrderEvent } from "#core/domain/webhooks/Event.ts"
import { type FreedTotal, Retention, type RetentionStep } from "#core/ports/operations/Retention.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { rowsWhere, type SortKey, sorted } from "../../books/Rows.ts"

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

const deliveriesToFree = (deliveries: ReadonlyArray<Delivery>, beforeMs: Millis): Gone => ({
  ...nothing(),
  deliveries: deliveries
    .filter((delivery) => isBefore(deliveryEndedAtMs(delivery), beforeMs))
    .map(({ deliveryId }) => deliveryId)
})

const linksOfQuote = (books: Books, { orderId }: Quote): ReadonlyArray<Link> => {
  const order = find(books.orders, orderId)
  return order === undefined ? [] : linksOf(books, order)
}

/** Quotes that money refers to stay, and so do quotes whose event a delivery still carries. */
const sandboxToFree = (books: Books, quotes: ReadonlyArray<Quote>, beforeMs: Millis): Gone => {
  const gone = nothing()
  const events = Map.groupBy(HashMap.values(books.events), (one) => (isOrderEvent(one) ? one.orderId : one.quoteId))
  const carried = new Set(Array.from(HashMap.values(books.deliveries), ({ eventId }) => eventId))
  const referred = new Set(
    [...HashMap.values(books.setAside), ...HashMap.values(books.reversals)].map(({ quoteId }) => quoteId)
  )
  for (const quote of quotes) {
    const { quoteId, orderId } = quote
    const binding = bindingOf(books, quote)
    const links = linksOfQuote(books, quote)
    const ids = [orderId, quoteId].flatMap((id) => (id === null ? [] : (events.get(id) ?? [])))
    const isNeeded = referred.has(quoteId) || ids.some(({ eventId }) => carried.has(eventId))
    if (isNeeded || !isBefore(quoteEndedAtMs(quote, links), beforeMs)) continue
    gone.quotes.push(quoteId)
    gone.payments.push(...rowsWhere(books.payments, (one) => one.quoteId === quoteId).map(({ paymentId }) => paymentId))
    gone.events.push(...ids.map(({ eventId }) => eventId))
    gone.links.push(...links.map(({ linkId }) => linkId))
    if (orderId !== null && find(books.orders, orderId) !== undefined) gone.orders.push(orderId)
    if (binding !== undefined) gone.bindings.push(idIn.bindings(binding))
  }
  return gone
}

const answersToFree = (books: Books, bindings: ReadonlyArray<Binding>, beforeMs: Millis): Gone => ({
  ...nothing(),
  answers: bindings
    .filter(({ quoteId }) => {
      const quote = find(books.quotes, quoteId)
      if (quote === undefined) return false
      const links = linksOfQuote(books, quote)
      return isFinished(quote, links) && isBefore(quoteEndedAtMs(quote, links), beforeMs)
    })
    .map(idIn.bindings)
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

/** What a step looks at: records that were made before that time, in the order in which they were made. */
const examine = (books: Books, { kind, limit, after }: RetentionStep, beforeMs: Millis) => {
  const position: SortKey | null = after === null ? null : JSON.parse(after)
  const oldest = <A>(rows: ReadonlyArray<A>, by: (row: A) => SortKey, toFree: (rows: ReadonlyArray<A>) => Gone) => {
    const examined = sorted(
      rows.filter((row) => Number(by(row)[0]) < beforeMs),
      { by, after: position, limit }
    )
    const last = examined.at(-1)
    return {
      gone: toFree(examined),
      next: last === undefined || examined.length < limit ? null : JSON.stringify(by(last))
    }
  }
  switch (kind) {
    case "deliveries":
      return oldest(
        HashMap.toValues(books.deliveries),
        ({ createdAtMs, deliveryId }) => [createdAtMs, deliveryId],
        (found) => deliveriesToFree(found, beforeMs)
      )
    case "sandbox":
      return oldest(
        rowsWhere(books.quotes, (quote) => quote.mode === "sandbox" && !isOpen(quote)),
        ({ createdAtMs, quoteId }) => [createdAtMs, quoteId],
        (found) => sandboxToFree(books, found, beforeMs)
      )
    case "answers":
      return oldest(
        rowsWhere(books.bindings, ({ response }) => response !== null),
        (binding) => [binding.boundAtMs, idIn.bindings(binding)],
        (found) => answersToFree(books, found, beforeMs)
      )
  }
}

export const layer = overBooks(Retention, ({ current, replace }) => {
  const totals = new Map<string, FreedTotal>()

  const free = (step: RetentionStep, nowMs: Millis) => {
    const books = current()
    const beforeMs = nowMs - step.spanMs
    const { gone, next } = examine(books, step, beforeMs)
    const freed: Partial<Record<FreedTable, number>> = {}
    for (const table of FREED_TABLES) {
      const { length: count } = gone[table]
      if (count === 0) continue
      freed[table] = count
      totals.set(table, { table, rows: (totals.get(table)?.rows ?? 0) + count, lastAtMs: nowMs })
    }
    replace(removeAnswers(remove(books, gone, beforeMs), gone.answers, nowMs))
    return { freed: freed satisfies FreedRows, next }
  }

  return {
    free: (step) => Effect.map(Clock.currentTimeMillis, (nowMs) => free(step, nowMs)),
    freed: () => FREED_TABLES.flatMap((table) => totals.get(table) ?? [])
  }
})
