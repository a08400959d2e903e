// The kinds of mails on orders and money that need no decision any more, with what tests do to get one.
import { Effect, Result } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { moveLink } from "#core/decisions/ordering/MoveLink.ts"
import { openTopUp, settleTopUp } from "#core/decisions/wallet/TopUps.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { EXPIRED_SHOWN } from "#core/domain/mails/ExpiryMail.ts"
import { LINKS_SHOWN } from "#core/domain/mails/LinkMail.ts"
import { RECEIPTS_SHOWN } from "#core/domain/mails/ReceiptMail.ts"
import { TOP_UPS_SHOWN } from "#core/domain/mails/TopUpMail.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { LinkId, MemberId, PaymentId, TopUpId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { render } from "#test/core/Given.ts"
import { issueAllDue } from "../invoicing/InvoiceSteps.ts"
import { pay } from "../ordering/OrderSteps.ts"
import { actor, type Buyer, buyer, expiredQuoteSettings, linksOn, listSite, order } from "../ShopSetup.ts"
import { UniqueNumbers } from "../StoreSuite.ts"

/** Returns the id of the audit record that the decision makes. */
const audited =
  <A>(decide: Decide<A>): Decide<string> =>
  (books, context) =>
    Result.map(decide(books, context), ({ changes, ...decided }) => {
      const [id = ""] = changes.flatMap((change) => (change._tag === "AuditRecorded" ? [change.record.auditId] : []))
      return { ...decided, changes, reply: id }
    })

/** Publishes the link; returns the id of the record. */
export const publish = Effect.fnUntraced(function* ({ linkId, domain }: Pick<Link, "linkId" | "domain">) {
  const publishedUrl = `https://${domain}/${linkId}`
  const move = moveLink({ linkId, to: "published", publishedUrl, reason: null, actor, render })
  return yield* (yield* OrderBook).transact({ _tag: "ForLink", linkId }, audited(move))
})

/** Asks for a link of 5.00 EUR, and lets the time for the approval pass; returns the id of the record. */
const expiry = Effect.fnUntraced(function* ({ caller }: Pick<Buyer, "caller">) {
  const { quote } = yield* order(caller, { items: linksOn(yield* listSite()), settings: expiredQuoteSettings })
  const expire = abandonQuote(quote.quoteId, "expiry", { render })
  return yield* (yield* OrderBook).transact({ _tag: "ForQuote", quoteId: quote.quoteId }, audited(expire))
})

/** A member tops up 50.00 EUR by card. */
export const topUpByCard = Effect.fnUntraced(function* ({ account: { accountId } }: Pick<Buyer, "account">) {
  const book = yield* OrderBook
  const topUpId = TopUpId.make(`top_${String(yield* (yield* UniqueNumbers).next).padStart(28, "0")}`)
  const [member] = yield* (yield* Members).ofAccount(accountId)
  const memberId = member?.memberId ?? MemberId.make("")
  const reads = { _tag: "ForTopUp", topUpId } as const
  yield* book.transact({ ...reads, accountId }, openTopUp({ topUpId, accountId, memberId, cents: 5_000 }))
  const paymentId = PaymentId.make(`pay_${topUpId}`)
  const payment = { paymentId, quoteId: topUpId, amountCents: 5_000, currency: "EUR" }
  yield* book.transact({ ...reads, reference: paymentId }, settleTopUp(payment))
  const { entries } = yield* (yield* Wallets).ledger({ accountId, limit: 1, beforeId: null })
  return entries[0]?.entryId ?? "nothing was booked"
})

/** Orders a Plancton link by card, or tops up; no document is issued. */
export const orderUnissued = Effect.fnUntraced(function* (kind: "receipts" | "topUps", { account, caller }: Buyer) {
  if (kind === "topUps") return String(yield* topUpByCard({ account }))
  const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
  return String((yield* pay(quote)).quote.orderId)
})

/** Issues documents of what is newer than the id alone. */
export const issueAfter = (id: string) => issueAllDue(undefined, undefined, id)
export const issueMissed = issueAllDue(undefined, undefined, "again")

export const newsKinds = {
  links: {
    shown: LINKS_SHOWN,
    someone: buyer(50_000, { label: "Assistant" }),
    /** A link that was ordered, and is online. */
    order: Effect.fnUntraced(function* ({ caller }: Pick<Buyer, "caller">) {
      const { links } = yield* order(caller, { items: linksOn(yield* listSite()) })
      const [link = { linkId: LinkId.make(""), domain: "" }] = links
      return yield* publish(link)
    })
  },
  expiries: {
    shown: EXPIRED_SHOWN,
    someone: buyer(50_000, { label: "Assistant", limits: { ...noLimits, approveAboveCents: 0 } }),
    order: expiry
  },
  receipts: {
    shown: RECEIPTS_SHOWN,
    someone: buyer(0, { label: "Assistant" }),
    /** A Plancton link by card, with its invoice. */
    order: Effect.fnUntraced(function* (someone: Buyer) {
      const id = yield* orderUnissued("receipts", someone)
      yield* issueAllDue()
      return id
    })
  },
  topUps: {
    shown: TOP_UPS_SHOWN,
    someone: buyer(0),
    order: Effect.fnUntraced(function* (someone: Buyer) {
      const id = yield* orderUnissued("topUps", someone)
      yield* issueAllDue()
      return id
    })
  }
} as const
