// Tells owners by mail which orders wait for their approval or expired without, what agents bought from credit, what people paid for, which
// links are online, and what happened to their account, at least once: a crash between a mail and its record sends it again. A mail server
// that is away delays mails and nothing else. What is decided before its mail is due is not told.
import { Context, Effect, Layer } from "effect"
import { APPROVAL_MAIL_GAP_MS, type DueApprovalMail } from "#core/domain/mails/ApprovalMail.ts"
import type { ChosenMail } from "#core/domain/mails/ChosenMail.ts"
import { type DueExpiryMail, EXPIRY_MAIL_GAP_MS } from "#core/domain/mails/ExpiryMail.ts"
import { type DueLinkMail, LINK_MAIL_GAP_MS } from "#core/domain/mails/LinkMail.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import {
  type DueNoticeMail,
  isClosing,
  NOTICE_MAIL_GAP_MS,
  type Notice,
  topicOf
} from "#core/domain/mails/NoticeMail.ts"
import { type DuePurchaseMail, MAIL_GAP_MS } from "#core/domain/mails/PurchaseMail.ts"
import { type DueReceiptMail, RECEIPT_MAIL_GAP_MS } from "#core/domain/mails/ReceiptMail.ts"
import { type DueTopUpMail, TOP_UP_MAIL_GAP_MS } from "#core/domain/mails/TopUpMail.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { type OwnerMailing, ownerMailing } from "./OwnerMailing.ts"

/** How often mails are looked for that may come a minute late. */
const MINUTE_MS = 60_000

/** The page for news of one topic; several lead to the settings. */
const pageOf = (area: MemberArea["Service"], notices: ReadonlyArray<Notice>): string => {
  if (notices.some(isClosing)) return area.closedPage
  const topics = new Set(notices.map(topicOf))
  const [topic] = topics
  if (topics.size > 1) return area.activityPage
  switch (topic) {
    case "agents":
      return area.overviewPage
    case "money":
      return area.creditPage
    case "orders":
      return area.ordersPage
    default:
      return area.settingsPage
  }
}

const zoneOf = (timeZone: string | null) => (timeZone === null ? {} : { timeZone })

/** What each kind of due mail says, and where it leads; `null` where there is nothing to tell any more. */
const mailsOf = (area: MemberArea["Service"], { approvalPage }: ServiceContext["Service"]) => {
  const { mailsPage: choicesUrl, stopPage: stopUrl, approvalsPage, invoicesPage: invoicesUrl } = area
  return {
    waiting: (due: DueApprovalMail): Mail | null => {
      const { accountName, orders, count, totalCents, firstExpiresAtMs, timeZone } = due
      const [first] = orders
      if (first === undefined || firstExpiresAtMs === null) return null
      const url = count === 1 ? approvalPage(first.quoteId) : approvalsPage
      return {
        ...{ _tag: "OrdersWaiting", accountName, orders, count, totalCents, firstExpiresAtMs },
        ...{ ...zoneOf(timeZone), stopUrl, url, choicesUrl }
      }
    },
    bought: ({ accountName, purchases, count, totalCents }: DuePurchaseMail): Mail => {
      const [first] = purchases
      const url = first !== undefined && count === 1 ? area.orderPage(first.orderId) : area.ordersPage
      return {
        ...{ _tag: "CreditPurchases", accountName, purchases, count, totalCents },
        ...{ stopUrl, url, invoicesUrl, choicesUrl }
      }
    },
    happened: ({ accountName, notices, count }: DueNoticeMail): Mail | null => {
      if (count === 0) return null
      return { _tag: "AccountNews", accountName, notices, count, url: pageOf(area, notices) }
    },
    online: ({ accountName, links, count }: DueLinkMail): Mail | null => {
      const [first] = links
      if (first === undefined) return null
      const isOneOrder = count === links.length && links.every(({ orderId }) => orderId === first.orderId)
      const url = isOneOrder ? area.orderPage(first.orderId) : area.linksPage
      return { _tag: "LinksOnline", accountName, links, count, url, choicesUrl }
    },
    expired: ({ accountName, expiries, count }: DueExpiryMail): Mail | null => {
      const [first] = expiries
      if (first === undefined) return null
      const url = count === 1 ? area.quotePage(first.quoteId) : area.quotesPage
      return { _tag: "ApprovalsExpired", accountName, expiries, count, url, choicesUrl }
    },
    paid: ({ accountName, receipts, count, totalCents }: DueReceiptMail): Mail | null => {
      const [first] = receipts
      if (first === undefined) return null
      const url = count === 1 ? area.orderPage(first.orderId) : area.ordersPage
      const invoiceUrl = count === 1 ? area.invoicePage(first.invoiceId) : invoicesUrl
      return { _tag: "OrdersPaid", accountName, receipts, count, totalCents, url, invoiceUrl, choicesUrl }
    },
    toppedUp: ({ accountName, topUps, count, totalCents, timeZone }: DueTopUpMail): Mail | null => {
      const [first] = topUps
      if (first === undefined) return null
      const receiptUrl = count === 1 ? area.invoicePage(first.invoiceId) : invoicesUrl
      return {
        ...{ _tag: "TopUpsPaid", accountName, topUps, count, totalCents },
        ...{ ...zoneOf(timeZone), url: area.creditPage, receiptUrl, choicesUrl }
      }
    }
  }
}

export class MailOwners extends Context.Service<
  MailOwners,
  {
    /** Every owner gets them: no page asks whether they are wanted. */
    readonly notices: OwnerMailing
    /** Which of the others the member wants. */
    readonly wanted: (signedIn: SignedIn) => Effect.Effect<ReadonlyArray<ChosenMail>, StoreUnavailable>
    /** The member wants these, and none of the others. */
    readonly choose: (signedIn: SignedIn, wanted: ReadonlyArray<ChosenMail>) => Effect.Effect<void, StoreUnavailable>
  } & Readonly<Record<ChosenMail, OwnerMailing>>
>()("backlinks/usecases/mails/MailOwners") {
  static readonly layer = Layer.effect(
    MailOwners,
    Effect.gen(function* () {
      const queues = yield* OwnerMails
      const mailer = yield* Mailer
      const mails = mailsOf(yield* MemberArea, yield* ServiceContext)
      return MailOwners.of({
        wanted: ({ member }) => queues.wanted(member.memberId),
        choose: ({ member }, wanted) => queues.choose(member.memberId, wanted),
        approvals: ownerMailing(mailer, {
          what: "mails on approvals",
          queue: queues.approvals,
          mailOf: mails.waiting,
          gapMs: APPROVAL_MAIL_GAP_MS
        }),
        purchases: ownerMailing(mailer, {
          what: "mails on purchases",
          queue: queues.purchases,
          mailOf: mails.bought,
          gapMs: MAIL_GAP_MS
        }),
        notices: ownerMailing(mailer, {
          what: "mails on what happened to accounts",
          queue: queues.notices,
          mailOf: mails.happened,
          gapMs: NOTICE_MAIL_GAP_MS
        }),
        links: ownerMailing(mailer, {
          ...{ what: "mails on links that are online", pollMs: MINUTE_MS },
          ...{ queue: queues.links, mailOf: mails.online, gapMs: LINK_MAIL_GAP_MS }
        }),
        expiries: ownerMailing(mailer, {
          ...{ what: "mails on approvals that expired", pollMs: MINUTE_MS },
          ...{ queue: queues.expiries, mailOf: mails.expired, gapMs: EXPIRY_MAIL_GAP_MS }
        }),
        receipts: ownerMailing(mailer, {
          ...{ what: "mails with invoices", pollMs: MINUTE_MS },
          ...{ queue: queues.receipts, mailOf: mails.paid, gapMs: RECEIPT_MAIL_GAP_MS }
        }),
        topUps: ownerMailing(mailer, {
          ...{ what: "mails on top-ups", pollMs: MINUTE_MS },
          ...{ queue: queues.topUps, mailOf: mails.toppedUp, gapMs: TOP_UP_MAIL_GAP_MS }
        })
      })
    })
  )
}
