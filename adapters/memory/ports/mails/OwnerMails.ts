// Mails to owners in memory. Each call is one synchronous step, which no other fiber can interleave, and goes through all quotes or orders.
import { Effect, HashMap, Layer, Schema } from "effect"
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import { type DueApprovalMail, WAITING_SHOWN } from "#core/domain/mails/ApprovalMail.ts"
import {
  type DueNoticeMail,
  LIMIT_CHANGES,
  NOTICES_SHOWN,
  type Notice,
  NoticeAction
} from "#core/domain/mails/NoticeMail.ts"
import { type DuePurchaseMail, isAgentPurchase, PURCHASES_SHOWN } from "#core/domain/mails/PurchaseMail.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import { idPrefixAt, type Millis } from "#core/domain/shared/DecisionContext.ts"
import { type AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { type MailQueue, OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { perVersion, rowsWhere, sorted } from "../../books/Rows.ts"

interface State {
  readonly mailedTo: string
  readonly nextAtMs: Millis
  readonly leasedUntilMs: Millis
  readonly attempts: number
  readonly wanted: boolean
}

/** One kind of mails. */
interface Kind<News, Told> {
  /** What owners may be told of. */
  readonly news: (books: Books) => ReadonlyArray<News>
  /** Whether it still is told then. */
  readonly isTold?: (news: News, nowMs: Millis) => boolean
  readonly idPrefix: string
  readonly idOf: (news: News) => string
  /** Whether this owner is told of it; each is unless said otherwise. */
  readonly isFor?: (news: News, memberId: MemberId) => boolean
  /** What the mail tells of the news, oldest first. */
  readonly tell: (books: Books, news: ReadonlyArray<News>) => Told
  /** News of before an owner came, or of while the mails were not wanted, is not told. */
  readonly skipsOld: boolean
}

interface Addressed {
  readonly memberId: MemberId
  readonly email: string
  readonly timeZone: string | null
  readonly accountName: string
  readonly count: number
  readonly upTo: string
  readonly attempts: number
}

const queue = <News extends { readonly accountId: AccountId }, Told>(
  { current }: MemoryBooks["Service"],
  { news, isTold = () => true, isFor = () => true, idPrefix, idOf, tell, skipsOld }: Kind<News, Told>
): MailQueue<Addressed & Told> => {
  const newsIn = perVersion((books: Books) => sorted(news(books), { by: (one) => [idOf(one)] }))
  const states = new Map<MemberId, State>()
  /** The newest news that was there to be told. */
  let seenTo = ""

  const stateOf = (memberId: MemberId): State =>
    states.get(memberId) ?? {
      ...{ mailedTo: skipsOld ? seenTo : "", nextAtMs: 0, leasedUntilMs: 0, attempts: 0, wanted: true }
    }
  const change = (memberId: MemberId, changed: Partial<State>): void => {
    states.set(memberId, { ...stateOf(memberId), ...changed })
  }

  return {
    claim: ({ nowMs, leaseMs, lagMs, limit }) =>
      Effect.sync(() => {
        const books = current()
        const before = `${idPrefix}${idPrefixAt(nowMs - lagMs)}`
        const found = newsIn(books).filter((one) => idOf(one) < before && isTold(one, nowMs))
        const byAccount = Map.groupBy(found, ({ accountId }) => accountId)
        const claimed: Array<Addressed & Told> = []
        for (const { memberId, email, timeZone = null, accountId, role, removedAtMs } of HashMap.values(
          books.members
        )) {
          if (role !== "owner" || removedAtMs !== null) continue
          const state = stateOf(memberId)
          states.set(memberId, state)
          const untold = (byAccount.get(accountId) ?? []).filter(
            (one) => idOf(one) > state.mailedTo && isFor(one, memberId)
          )
          const last = untold.at(-1)
          const isFree = state.wanted && state.nextAtMs <= nowMs && state.leasedUntilMs <= nowMs
          if (last === undefined || !isFree || claimed.length >= limit) continue
          change(memberId, { leasedUntilMs: nowMs + leaseMs })
          const accountName = find(books.accounts, accountId)?.name ?? ""
          const mail = {
            memberId,
            email,
            timeZone,
            accountName,
            count: untold.length,
            upTo: idOf(last),
            attempts: state.attempts
          }
          claimed.push({ ...mail, ...tell(books, untold) })
        }
        const newest = found.at(-1)
        if (newest !== undefined && idOf(newest) > seenTo) seenTo = idOf(newest)
        return claimed
      }),
    settle: (memberId, { upTo, nextAtMs, attempts }) =>
      Effect.sync(() => {
        const { mailedTo } = stateOf(memberId)
        const reached = upTo !== null && upTo > mailedTo ? upTo : mailedTo
        change(memberId, { mailedTo: reached, nextAtMs, leasedUntilMs: 0, attempts })
      }),
    isWanted: (memberId) => Effect.sync(() => stateOf(memberId).wanted),
    want: (memberId, wanted) =>
      Effect.sync(() => change(memberId, { wanted, ...(skipsOld && wanted ? { mailedTo: seenTo } : {}) }))
  }
}

interface News {
  readonly record: AuditRecord
  readonly accountId: AccountId
}

const labelOf = ({ keys }: Books, { keyId }: Quote | Order): string => find(keys, keyId)?.label ?? ""

const approverOf = ({ quotes, members }: Books, { quoteId }: Order): string | null => {
  const quote = find(quotes, quoteId)
  if (quote === undefined || quote.approvedAtMs === null) return null
  return find(members, MemberId.make(quote.approvedBy ?? ""))?.email ?? "the operator"
}

const approvals: Kind<Quote, Pick<DueApprovalMail, "orders" | "totalCents" | "firstExpiresAtMs">> = {
  news: ({ quotes }) => rowsWhere(quotes, (one) => awaitsApproval(one) && one.mode === "live"),
  isTold: ({ expiresAtMs }, nowMs) => expiresAtMs > nowMs,
  idPrefix: "q_",
  idOf: ({ quoteId }) => quoteId,
  tell: (books, quotes) => ({
    totalCents: quotes.reduce((total, quote) => total + quote.totalCents, 0),
    firstExpiresAtMs: quotes.length === 0 ? null : Math.min(...quotes.map(({ expiresAtMs }) => expiresAtMs)),
    orders: quotes.slice(0, WAITING_SHOWN).map((quote) => ({
      quoteId: quote.quoteId,
      credential: labelOf(books, quote),
      totalCents: quote.totalCents,
      expiresAtMs: quote.expiresAtMs,
      links: quote.lines.map(({ domain, item: { targetUrl } }) => ({ domain, targetUrl }))
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

const isNotice = Schema.is(NoticeAction)

const isTold = ({ action, details }: AuditRecord): boolean =>
  isNotice(action) && (!LIMIT_CHANGES.has(action) || details["loosens"] === true)

/** How much of a limit of the day is used, where the record tells that. */
const nearOf = ({ details }: AuditRecord): Notice["near"] =>
  details["used"] === undefined
    ? null
    : {
        limit: details["limit"] === "cents" ? "cents" : "orders",
        used: Number(details["used"]),
        of: Number(details["of"])
      }

const notices: Kind<News, Pick<DueNoticeMail, "notices">> = {
  news: ({ audit }) =>
    rowsWhere(audit, (record) => record.accountId !== null && isTold(record)).flatMap((record) =>
      record.accountId === null ? [] : [{ record, accountId: record.accountId }]
    ),
  idPrefix: "aud_",
  idOf: ({ record }) => record.auditId,
  isFor: ({ record }, memberId) => record.action !== "member.join" || record.actor !== memberId,
  tell: ({ members }, told) => ({
    notices: told.slice(0, NOTICES_SHOWN).flatMap(({ record }) => {
      const { auditId, action, actor, details, atMs } = record
      if (!isNotice(action)) return []
      const label = String(details["label"] ?? details["client"] ?? "")
      return [
        {
          ...{ auditId, action, email: String(details["email"] ?? ""), role: String(details["role"] ?? "") },
          ...{ label, url: String(details["url"] ?? ""), near: nearOf(record) },
          // Found only where the actor is a member.
          ...{ by: find(members, MemberId.make(actor))?.email ?? null, atMs }
        }
      ]
    })
  }),
  skipsOld: true
}

export const layer: Layer.Layer<OwnerMails, never, MemoryBooks> = Layer.effect(
  OwnerMails,
  Effect.map(MemoryBooks, (books) => ({
    approvals: queue(books, approvals),
    purchases: queue(books, purchases),
    notices: queue(books, notices)
  }))
)
