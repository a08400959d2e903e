// The invariants of quotes, payments, orders and links.

import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { isRefunded, type Link, linkCreditedCents } from "#core/domain/ordering/Link.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import { hasExpired, type Quote } from "#core/domain/ordering/Quote.ts"
import { goneCents } from "#core/domain/ordering/Reversal.ts"
import { DAY_MS, utcDay } from "#core/domain/shared/DecisionContext.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { type Books, dailyUsageId, find, linksOf } from "../Books.ts"
import { leftToGiveBack } from "../ordering/RecordReversal.ts"
import { all, compositeKey, groupBy, type InvariantCheck, total } from "./InvariantCheck.ts"

const quoteAddsUp: InvariantCheck = function* ({ quotes }) {
  for (const { quoteId, lines, grossCents, discount, totalCents, creditCents, cardCents } of all(quotes)) {
    const gross = total(lines, ({ priceCents }) => priceCents)
    const net = total(lines, ({ netCents }) => netCents)
    const sound = lines.length > 0 && lines.every((line) => 0 <= line.netCents && line.netCents <= line.priceCents)
    const adds = gross === grossCents && net === totalCents && grossCents - discount.amountCents === totalCents
    const paid = creditCents + cardCents === totalCents && creditCents >= 0 && cardCents >= 0
    if (sound && adds && paid && discount.amountCents >= 0) continue
    const amounts = `gross ${grossCents}, discount ${discount.amountCents}, total ${totalCents}`
    const funding = `credit ${creditCents}, card ${cardCents}`
    yield { subject: quoteId, message: `its lines cost ${gross} cents and ${net} net; ${amounts}, ${funding}` }
  }
}

const paymentIsKept: InvariantCheck = function* ({ quotes, payments, ledger }) {
  const paymentsOf = groupBy(all(payments), ({ quoteId }) => quoteId)
  const lateOf = groupBy(
    all(ledger).filter(({ kind }) => kind === "late_payment"),
    ({ quoteId }) => quoteId
  )
  for (const { quoteId, status, mode, cardCents, creditedCents } of all(quotes)) {
    const paid = total(paymentsOf(quoteId), ({ amountCents }) => amountCents)
    const late = total(lateOf(quoteId), ({ amountCents }) => amountCents)
    const kept = (status === "paid" ? cardCents : 0) + creditedCents
    if (paid === kept && late === (mode === "live" ? creditedCents : 0)) continue
    const is = `it is ${status} with ${cardCents} cents for the card and ${creditedCents} credited`
    yield { subject: quoteId, message: `${paid} cents were paid for it; ${is}, ${late} of them in the ledger` }
  }
}

const setAsideIsKept: InvariantCheck = function* ({ setAside, payments, topUps }) {
  const paid = all(topUps).map(({ paymentId, topUpId, cents }) => ({ paymentId, quoteId: topUpId, amountCents: cents }))
  const ofTopUps = groupBy(paid, ({ paymentId }) => paymentId)
  for (const { paymentId, quoteId, amountCents, outcome } of all(setAside)) {
    const payment = find(payments, paymentId) ?? ofTopUps(paymentId)[0]
    const credited = payment?.quoteId === quoteId && payment.amountCents === amountCents
    if (outcome === "credited" ? credited : payment === undefined) continue
    yield {
      subject: paymentId,
      message: `${amountCents} cents are ${outcome ?? "undecided"}; ${payment?.amountCents ?? 0} were paid`
    }
  }
}

const quoteEnds: InvariantCheck = function* ({ quotes }, nowMs) {
  for (const quote of all(quotes)) {
    const { quoteId, expiresAtMs } = quote
    if (!hasExpired(quote, nowMs - DAY_MS)) continue
    yield { subject: quoteId, message: `it is open, and expired at ${expiresAtMs}` }
  }
}

const isOrderOf = (quote: Quote, order: Order): boolean =>
  quote.orderId === order.orderId &&
  quote.accountId === order.accountId &&
  quote.keyId === order.keyId &&
  quote.mode === order.mode &&
  quote.totalCents === order.totalCents

const quoteHasItsOrder: InvariantCheck = function* ({ quotes, orders }) {
  const ordersOf = groupBy(all(orders), ({ quoteId }) => quoteId)
  for (const quote of all(quotes)) {
    const { quoteId, status, orderId, totalCents } = quote
    const found = ordersOf(quoteId)
    const expected = status === "paid" ? 1 : 0
    const fits = found.length === expected && found.every((order) => isOrderOf(quote, order))
    if (fits && (expected === 1 || orderId === null)) continue
    const there = found.map((order) => `${order.orderId} over ${order.totalCents} cents`).join(", ") || "none"
    yield {
      subject: quoteId,
      message: `it is ${status} over ${totalCents} cents and names order ${orderId}; there is ${there}`
    }
  }
  for (const { quoteId, orderId } of all(orders)) {
    if (find(quotes, quoteId) === undefined)
      yield { subject: quoteId, message: `order ${orderId} is of a quote that is not there` }
  }
}

const isAsQuoted = (quote: Quote, link: Link, index: number): boolean => {
  const line = quote.lines[index]
  return (
    link.index === index &&
    link.quoteId === quote.quoteId &&
    link.accountId === quote.accountId &&
    link.mode === quote.mode &&
    link.siteId === line?.item.siteId &&
    link.articleId === (line.item.articleId ?? null) &&
    link.priceCents === line.priceCents &&
    link.netCents === line.netCents
  )
}

const orderHasItsLinks: InvariantCheck = function* (books) {
  const byOrder = groupBy(all(books.links), ({ orderId }) => orderId)
  for (const order of all(books.orders)) {
    const quote = find(books.quotes, order.quoteId)
    const links = linksOf(books, order)
    const quoted = quote === undefined ? 0 : links.filter((link, index) => isAsQuoted(quote, link, index)).length
    const counts = new Set([order.linkIds.length, byOrder(order.orderId).length, quote?.lines.length ?? 0, quoted])
    const net = total(links, ({ netCents }) => netCents)
    if (counts.size === 1 && net === order.totalCents) continue
    const names = `it names ${order.linkIds.length} links over ${order.totalCents} cents`
    yield {
      subject: order.orderId,
      message: `${names}; there are ${links.length} over ${net}, ${quoted} of them as in its quote`
    }
  }
}

const recreditedOnce: InvariantCheck = function* ({ links, ledger }) {
  const recredits = all(ledger).filter(({ kind }) => kind === "recredit")
  const entriesOf = groupBy(recredits, ({ linkId }) => linkId)
  const due = (link: Link) => (link.mode === "live" ? linkCreditedCents(link) : 0)
  for (const linkId of new Set([...all(links), ...recredits].map((one) => one.linkId ?? LinkId.make("")))) {
    const link = find(links, linkId)
    const cents = link === undefined ? 0 : due(link)
    const entries = entriesOf(linkId)
    const back = total(entries, ({ amountCents }) => amountCents)
    const fits = entries.every(({ accountId }) => accountId === link?.accountId)
    if (fits && back === cents && entries.length === (cents > 0 ? 1 : 0)) continue
    const bring = `${entries.length} entries of ${back} cents bring it`
    yield { subject: linkId, message: `${cents} cents of its net price are to come back; ${bring}` }
  }
}

const moneyGoesBackOnce: InvariantCheck = function* (books) {
  const linksOfQuote = groupBy(all(books.links), (link) => (isRefunded(link) ? link.quoteId : null))
  for (const { quoteId, creditCents } of all(books.quotes)) {
    const refunded = total(linksOfQuote(quoteId), linkCreditedCents)
    if (refunded <= creditCents) continue
    yield { subject: quoteId, message: `its refunded links credited ${refunded} cents; credit paid ${creditCents}` }
  }
  for (const [quoteId, reversals] of Map.groupBy(all(books.reversals), (reversal) => reversal.quoteId)) {
    const quote = find(books.quotes, quoteId)
    const gone = goneCents(reversals)
    const excess = quote === undefined ? gone : -leftToGiveBack(books, quote, gone)
    if (excess <= 0) continue
    yield {
      subject: quoteId,
      message: `${gone} cents went back by refund or dispute, ${excess} too many with its credit`
    }
  }
}

const keyIsBoundOnce: InvariantCheck = function* ({ quotes, bindings }) {
  const bound = groupBy(all(bindings), ({ quoteId }) => quoteId)
  const keyed = all(quotes).filter(({ idempotencyKey }) => idempotencyKey !== null)
  for (const quoteId of new Set([...all(bindings), ...keyed].map((one) => one.quoteId))) {
    const quote = find(quotes, quoteId)
    const keys = bound(quoteId).map(({ keyId, idempotencyKey }) => compositeKey(keyId, idempotencyKey))
    const madeWith = quote === undefined ? "nothing" : compositeKey(quote.keyId, quote.idempotencyKey)
    if (keys.length === 1 && keys[0] === madeWith) continue
    yield { subject: quoteId, message: `it was made with ${madeWith}; bound to it is ${keys.join(", ") || "nothing"}` }
  }
}

/** Not of days of which retention may have freed sandbox quotes: they stay counted. */
const dayIsCounted: InvariantCheck = function* ({ quotes, dailyUsage, keys, freed }: Books) {
  const quotesOf = groupBy(all(quotes), ({ keyId, createdAtMs }) => dailyUsageId(keyId, utcDay(createdAtMs)))
  const days = all(quotes).map(({ keyId, createdAtMs }) => ({ keyId, day: utcDay(createdAtMs) }))
  const named = [...days, ...all(dailyUsage)].map(
    ({ keyId, day }) => [dailyUsageId(keyId, day), { keyId, day }] as const
  )
  for (const [id, { keyId, day }] of new Map(named)) {
    const made = quotesOf(id)
    const cents = total(
      made.filter(({ status }) => status !== "abandoned"),
      ({ totalCents }) => totalCents
    )
    const { quotes: counted, spentCents } = find(dailyUsage, id) ?? { quotes: 0, spentCents: 0 }
    if (counted === made.length && spentCents === cents) continue
    if (find(keys, keyId)?.mode === "sandbox" && day * DAY_MS < freed.quotesBeforeMs) continue
    const is = `${counted} quotes and ${spentCents} cents are counted`
    yield { subject: id, message: `${is}; ${made.length} quotes were made, and ${cents} cents of them not given up` }
  }
}

export const orderInvariants = {
  quote_adds_up: quoteAddsUp,
  payment_is_kept: paymentIsKept,
  set_aside_is_kept: setAsideIsKept,
  quote_ends: quoteEnds,
  quote_has_its_order: quoteHasItsOrder,
  order_has_its_links: orderHasItsLinks,
  recredited_once: recreditedOnce,
  money_goes_back_once: moneyGoesBackOnce,
  key_is_bound_once: keyIsBoundOnce,
  day_is_counted: dayIsCounted
} satisfies Partial<Record<Invariant, InvariantCheck>>
