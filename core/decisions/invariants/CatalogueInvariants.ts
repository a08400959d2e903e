// The invariants of articles, promotion codes and the welcome offer.
import { HashSet } from "effect"
import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { hasExpired, isOpen, type Quote } from "#core/domain/ordering/Quote.ts"
import { find } from "../Books.ts"
import { all, groupBy, type InvariantCheck } from "./InvariantCheck.ts"

const isLive = ({ mode }: Quote): boolean => mode === "live"
const isPaid = ({ status }: Quote): boolean => status === "paid"

const wants = (quote: Quote, articleId: number): boolean => quote.lines.some(({ item }) => item.articleId === articleId)

const articleIsSoldOnce: InvariantCheck = function* ({ articles, links, quotes }, nowMs) {
  const active = all(links).filter(({ mode, status }) => mode === "live" && status !== "cancelled")
  const linksIn = groupBy(active, ({ articleId }) => (articleId === null ? null : String(articleId)))
  for (const { articleId, sale } of all(articles)) {
    const buyers = linksIn(String(articleId)).map(({ quoteId }) => quoteId)
    const quote = sale.state === "free" ? undefined : find(quotes, sale.quoteId)
    const sold = sale.state === "sold" ? [sale.quoteId] : []
    const reserved =
      sale.state !== "reserved" || (quote !== undefined && isLive(quote) && isOpen(quote) && wants(quote, articleId))
    if (reserved && buyers.join() === sold.join()) continue
    const to = quote === undefined ? "no quote" : `quote ${quote.quoteId}, which is ${quote.status}`
    const inIt = `${buyers.length} living links are in it, of ${buyers.join(", ") || "no quote"}`
    yield { subject: String(articleId), message: `it is ${sale.state} to ${to}; ${inIt}` }
  }
  // An expired quote may have lost its reservation to another one.
  for (const { quoteId, lines } of all(quotes).filter((one) => isLive(one) && isOpen(one) && !hasExpired(one, nowMs))) {
    for (const { item } of lines) {
      const sale = item.articleId === undefined ? undefined : find(articles, item.articleId)?.sale
      if (item.articleId === undefined || (sale?.state === "reserved" && sale.quoteId === quoteId)) continue
      yield { subject: String(item.articleId), message: `it is not reserved by quote ${quoteId}, which is open` }
    }
  }
}

const promoIsCounted: InvariantCheck = function* ({ promos, quotes }) {
  const took = all(quotes).filter((quote) => isLive(quote) && quote.discount.source === "promo")
  const takersOf = groupBy(took, ({ discount }) => discount.code ?? null)
  for (const { code, redeemed, redeemedBy, reservations } of all(promos)) {
    const paid = takersOf(code).filter(isPaid)
    const open = takersOf(code).filter(isOpen)
    if (redeemed !== paid.length || paid.some(({ accountId }) => !HashSet.has(redeemedBy, accountId))) {
      yield { subject: code, message: `${redeemed} redemptions are counted; ${paid.length} paid quotes took it` }
    }
    const noted = reservations.map(({ quoteId }) => quoteId)
    const holding = open.map(({ quoteId }) => quoteId)
    for (const quoteId of new Set([...noted, ...holding])) {
      if (noted.includes(quoteId) && holding.includes(quoteId)) continue
      const is = find(quotes, quoteId)?.status ?? "not one that took it"
      const use = noted.includes(quoteId) ? "noted as reserved" : "not noted"
      yield { subject: code, message: `quote ${quoteId} is ${is}; its use of the code is ${use}` }
    }
  }
}

const welcomeIsGivenOnce: InvariantCheck = function* ({ accounts, quotes }, nowMs) {
  const took = all(quotes).filter((quote) => isLive(quote) && quote.discount.source === "welcome")
  const takersOf = groupBy(took, ({ accountId }) => accountId)
  for (const { accountId, welcome } of all(accounts)) {
    const takers = takersOf(accountId)
    const paid = takers.filter(isPaid).map(({ quoteId }) => quoteId)
    const taker = takers.find(({ quoteId }) => welcome.state !== "available" && quoteId === welcome.quoteId)
    const reserved = welcome.state !== "reserved" || (taker !== undefined && isOpen(taker))
    const spent = welcome.state === "spent" ? [welcome.quoteId] : []
    if (!reserved || paid.join() !== spent.join()) {
      const to = taker === undefined ? "no quote" : `quote ${taker.quoteId}, which is ${taker.status}`
      yield {
        subject: accountId,
        message: `the offer is ${welcome.state} to ${to}; ${paid.length} paid quotes took it`
      }
    }
    for (const { quoteId } of takers.filter((quote) => isOpen(quote) && !hasExpired(quote, nowMs))) {
      if (welcome.state === "reserved" && welcome.quoteId === quoteId) continue
      yield { subject: accountId, message: `the offer is ${welcome.state}; quote ${quoteId} took it and is open` }
    }
  }
}

export const catalogueInvariants = {
  article_is_sold_once: articleIsSoldOnce,
  promo_is_counted: promoIsCounted,
  welcome_is_given_once: welcomeIsGivenOnce
} satisfies Partial<Record<Invariant, InvariantCheck>>
