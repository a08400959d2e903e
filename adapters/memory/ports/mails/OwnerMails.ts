// Mails to owners in memory.
import { Effect, Layer } from "effect"
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import { type DueApprovalMail, WAITING_SHOWN } from "#core/domain/mails/ApprovalMail.ts"
import { CHOSEN_MAILS } from "#core/domain/mails/ChosenMail.ts"
import { type DuePurchaseMail, isAgentPurchase, PURCHASES_SHOWN } from "#core/domain/mails/PurchaseMail.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { rowsWhere } from "../../books/Rows.ts"
import { type Kind, queue } from "./MailQueue.ts"
import { notices } from "./NoticeMails.ts"
import { expiries, links, receipts, topUps } from "./TradeMails.ts"

const labelOf = ({ keys }: Books, { keyId }: Quote | Order): string => find(keys, keyId)?.label ?? ""

const approverOf = ({ quotes, members }: Books, { quoteId }: Order): string | null => {
  const quote = find(quotes, quoteId)
  if (quote === undefined || quote.approvedAtMs === null) return null
  return find(members, MemberId.make(quote.approvedBy ?? ""))?.email ?? "the operator"
}

/** Equal ones stay as they are, oldest first. */
const largestFirst = (quotes: ReadonlyArray<Quote>): ReadonlyArray<Quote> =>
  quotes.toSorted((one, other) => other.totalCents - one.totalCents)

const approvals: Kind<Quote, Pick<DueApprovalMail, "orders" | "totalCents" | "firstExpiresAtMs">> = {
  news: ({ quotes }) => rowsWhere(quotes, (one) => awaitsApproval(one) && one.mode === "live"),
  isTold: ({ expiresAtMs }, nowMs) => expiresAtMs > nowMs,
  idPrefix: "q_",
  idOf: ({ quoteId }) => quoteId,
  tell: (books, quotes) => ({
    totalCents: quotes.reduce((total, quote) => total + quote.totalCents, 0),
    firstExpiresAtMs: quotes.length === 0 ? null : Math.min(...quotes.map(({ expiresAtMs }) => expiresAtMs)),
    orders: largestFirst(quotes)
      .slice(0, WAITING_SHOWN)
      .map((quote) => ({
        quoteId: quote.quoteId,
        credential: labelOf(books, quote),
        totalCents: quote.totalCents,
        expiresAtMs: quote.expiresAtMs,
        links: quote.lines.map(({ domain, item: { targetUrl, anchorText } }) => ({ domain, targetUrl, anchorText }))
      }))
  }),
  skipsOld: false
}

const purchases: Kind<Order, Pick<DuePurchaseMail, "purchases" | "totalCents">> = {
  news: ({ orders, quotes }) =>
    rowsWhere(orders, (order) => {
      const quote = find(quotes, order.quoteId)
      return quote !== undefined && isAgentPurchase(order, quote)
    }),
  idPrefix: "ord_",
  idOf: ({ orderId }) => orderId,
  tell: (books, orders) => ({
    totalCents: orders.reduce((total, order) => total + order.totalCents, 0),
    purchases: orders.slice(0, PURCHASES_SHOWN).map((order) => ({
      orderId: order.orderId,
      credential: labelOf(books, order),
      totalCents: order.totalCents,
      approvedBy: approverOf(books, order),
      links: linksOf(books, order).map(({ domain, targetUrl, netCents }) => ({ domain, targetUrl, netCents }))
    }))
  }),
  skipsOld: true
}

export const layer: Layer.Layer<OwnerMails, never, MemoryBooks> = Layer.effect(
  OwnerMails,
  Effect.map(MemoryBooks, (books) => {
    const chosen = {
      approvals: queue(books, approvals),
      purchases: queue(books, purchases),
      links: queue(books, links),
      expiries: queue(books, expiries),
      receipts: queue(books, receipts),
      topUps: queue(books, topUps)
    }
    return {
      ...chosen,
      notices: queue(books, notices),
      wanted: (memberId) => Effect.sync(() => CHOSEN_MAILS.filter((kind) => chosen[kind].isWanted(memberId))),
      choose: (memberId, wanted) =>
        Effect.sync(() => {
          for (const kind of CHOSEN_MAILS) chosen[kind].want(memberId, wanted.includes(kind))
        })
    }
  })
)
