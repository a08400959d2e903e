// One mail of each kind, and of each size that looks different.
import type { Mail } from "#core/domain/mails/Mail.ts"
import type { Notice } from "#core/domain/mails/NoticeMail.ts"
import { AuditId, EntryId, InvoiceId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"

const base = "https://shop.example/account"
const choicesUrl = `${base}/settings/mails`
const invoicesUrl = `${base}/invoices`
const accountName = "Willow & Spade"
const atMs = Date.UTC(2027, 10, 28, 12, 0)

/** At the prices of the demo's shelves. */
const links = (
  [
    ["copperleaf-review.example", "garden tools that last", 3_000],
    ["northwind-notes.example", "spring tools", 500],
    ["northwind-journal.example", "a spade for life", 1_500],
    ["copperleaf-notes.example", "willow baskets", 500]
  ] as const
).map(([domain, anchorText, netCents]) => ({
  ...{ domain, anchorText, netCents, targetUrl: "https://willow-and-spade.example/spring" }
}))

const TOTAL = 5_500

const waiting = {
  quoteId: QuoteId.make("q_sample"),
  credential: "Gardener Desktop",
  totalCents: TOTAL,
  expiresAtMs: atMs,
  links
}

const bought = {
  orderId: OrderId.make("ord_sample"),
  credential: "Claude for Willow",
  totalCents: 3_500,
  approvedBy: null,
  links: links.slice(0, 2)
}

const blank = { email: "", role: "", label: "", url: "", cents: null, reason: "", outcome: "", near: null, by: null }

/** A record of what a member did, if `by` names one, or of the operator. */
export const notice = (action: Notice["action"], over: Partial<Notice> = {}): Notice => ({
  ...{ ...blank, auditId: AuditId.make("aud_sample"), action, isOfOperator: over.by == null, atMs, ...over }
})

const news = (url: string, ...notices: ReadonlyArray<Notice>): Mail => ({
  ...{ _tag: "AccountNews", accountName, notices, count: notices.length, url }
})

const receipt = {
  placedBy: "Gardener Desktop",
  orderId: OrderId.make("ord_sample"),
  invoiceId: InvoiceId.make("inv_sample"),
  invoiceNumber: "2027-000004",
  vat: { cents: 878, basisPoints: 1_900, sentence: null },
  atMs,
  totalCents: TOTAL,
  cardCents: 3_500,
  creditCents: 2_000,
  links
}

const paid = { _tag: "OrdersPaid", accountName, choicesUrl } as const

const expiry = {
  auditId: AuditId.make("aud_sample"),
  quoteId: QuoteId.make("q_sample"),
  credential: "Gardener Desktop",
  totalCents: TOTAL,
  links
}

const expired = { _tag: "ApprovalsExpired", accountName, url: `${base}/quotes`, choicesUrl } as const

const online = links.map(({ domain, targetUrl }) => ({
  auditId: AuditId.make("aud_sample"),
  orderId: OrderId.make("ord_sample"),
  domain,
  targetUrl,
  publishedUrl: `https://${domain}/2027/11/how-to-plant-a-hedge-that-keeps-the-wind-out-of-your-kitchen-garden`
}))

const isOnline = { _tag: "LinksOnline", accountName, url: `${base}/orders/ord_sample`, choicesUrl } as const

const topUp = {
  entryId: EntryId.make("led_sample"),
  invoiceId: InvoiceId.make("rct_sample"),
  cents: 25_000,
  by: "ada@willow-and-spade.example",
  atMs
}

const toppedUp = { _tag: "TopUpsPaid", accountName, url: `${base}/credit`, choicesUrl } as const

const changed = {
  accountName,
  from: "ada@willow-and-spade.example",
  to: "ada.lovelace@willow-and-spade.example",
  url: `${base}/email?token=mem_sample.t0ken`,
  expiresAtMs: atMs
}

export const sampleMails: Readonly<Record<string, Mail>> = {
  "sign-in": { _tag: "SignInLink", url: `${base}/sign-in?token=t0ken`, code: "048213", accountName, minutes: 15 },
  "sign-up": { _tag: "SignInLink", url: `${base}/sign-in?token=t0ken`, code: "048213", accountName: null, minutes: 15 },
  "sign-in-invited": {
    _tag: "SignInLink",
    url: `${base}/sign-in?token=t0ken`,
    code: "048213",
    accountName: null,
    isInvited: true,
    minutes: 15
  },
  invitation: {
    _tag: "Invitation",
    accountName,
    inviter: "ada@willow-and-spade.example",
    email: "bo@willow-and-spade.example",
    role: "viewer",
    url: `${base}/invitation?token=t0ken`,
    expiresAtMs: atMs
  },
  "address-old": { _tag: "EmailChange", side: "old", ...changed },
  "address-new": { _tag: "EmailChange", side: "new", ...changed, timeZone: "Asia/Tokyo" },
  factor: {
    _tag: "FactorChanged",
    accountName,
    email: "ada@willow-and-spade.example",
    change: "passkey_added",
    url: `${base}/settings`
  },
  approval: {
    _tag: "OrdersWaiting",
    accountName,
    orders: [waiting],
    count: 1,
    totalCents: TOTAL,
    firstExpiresAtMs: atMs,
    stopUrl: `${base}/stop`,
    url: `${base}/approvals/q_sample`,
    choicesUrl
  },
  approvals: {
    _tag: "OrdersWaiting",
    accountName,
    orders: [{ ...waiting, credential: "Price watcher", totalCents: 11_000, links: [...links, ...links] }, waiting],
    count: 4,
    totalCents: 21_500,
    firstExpiresAtMs: atMs,
    stopUrl: `${base}/stop`,
    url: `${base}/approvals`,
    choicesUrl
  },
  purchase: {
    _tag: "CreditPurchases",
    accountName,
    purchases: [bought],
    count: 1,
    totalCents: 3_500,
    stopUrl: `${base}/stop`,
    url: `${base}/orders/ord_sample`,
    invoicesUrl,
    choicesUrl
  },
  "purchase-approved": {
    _tag: "CreditPurchases",
    accountName,
    purchases: [{ ...bought, approvedBy: "ada@willow-and-spade.example" }],
    count: 1,
    totalCents: 3_500,
    stopUrl: `${base}/stop`,
    url: `${base}/orders/ord_sample`,
    invoicesUrl,
    choicesUrl
  },
  "key-made": news(base, notice("key.issue", { label: "Claude for Willow", by: "ada@willow-and-spade.example" })),
  "near-limit": news(
    base,
    notice("key.near_limit", {
      ...{ label: "Claude for Willow", isOfOperator: false },
      near: { limit: "cents", used: 8_400, of: 10_000 }
    })
  ),
  "agents-stopped": news(base, notice("agents.stop", { by: "ada@willow-and-spade.example" })),
  "operator-credit": news(
    `${base}/credit`,
    notice("account.debit", { cents: 1_500, reason: "booked twice on 24 November" })
  ),
  "operator-many": news(
    `${base}/settings/activity`,
    notice("account.top_up", { cents: 5_000, reason: "goodwill" }),
    notice("key.limit", { label: "Claude for Willow" }),
    notice("link.cancel", { label: "northwind-journal.example", cents: 1_500, reason: "the site was sold" }),
    notice("member.remove", { email: "bo@willow-and-spade.example" }),
    notice("topup.refund", { cents: 10_000, isOfOperator: false })
  ),
  "operator-closed": news(`${base}/closed`, notice("account.close", { reason: "you asked us to" })),
  "link-online": { ...isOnline, links: online.slice(0, 1), count: 1 },
  "links-online": { ...isOnline, links: online, count: 31, url: `${base}/links?list=online` },
  expired: { ...expired, expiries: [expiry], count: 1, url: `${base}/quotes/q_sample` },
  "expired-many": { ...expired, expiries: [expiry, { ...expiry, credential: "Price watcher" }], count: 7 },
  receipt: {
    ...{ ...paid, receipts: [receipt], count: 1, totalCents: TOTAL },
    ...{ url: `${base}/orders/ord_sample`, invoiceUrl: `${invoicesUrl}/inv_sample` }
  },
  receipts: {
    ...{
      ...paid,
      receipts: [receipt, { ...receipt, placedBy: null, invoiceNumber: null, creditCents: TOTAL, cardCents: 0 }],
      count: 2
    },
    ...{ totalCents: 2 * TOTAL, url: `${base}/orders`, invoiceUrl: invoicesUrl }
  },
  "top-up": { ...toppedUp, topUps: [topUp], count: 1, totalCents: 25_000, receiptUrl: `${invoicesUrl}/rct_sample` },
  "top-ups": {
    ...toppedUp,
    topUps: [topUp, { ...topUp, cents: 500_000 }],
    count: 2,
    totalCents: 525_000,
    receiptUrl: invoicesUrl
  }
}
