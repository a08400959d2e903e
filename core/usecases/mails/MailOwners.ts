// Tells owners by mail which orders wait for their approval, what agents bought from credit, and what happened to their account, at least
// once: a crash between a mail and its record sends it again. A mail server that is away delays mails and nothing else. What is decided before its mail is due is not told.
import { Context, Effect, Layer } from "effect"
import { APPROVAL_MAIL_GAP_MS, type DueApprovalMail } from "#core/domain/mails/ApprovalMail.ts"
import type { Mail } from "#core/domain/mails/Mail.ts"
import { type DueNoticeMail, isClosing, isOfAgents, NOTICE_MAIL_GAP_MS } from "#core/domain/mails/NoticeMail.ts"
import { type DuePurchaseMail, MAIL_GAP_MS } from "#core/domain/mails/PurchaseMail.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { type OwnerMailing, ownerMailing } from "./OwnerMailing.ts"

export class MailOwners extends Context.Service<
  MailOwners,
  {
    readonly approvals: OwnerMailing
    readonly purchases: OwnerMailing
    /** Every owner gets them: no page asks whether they are wanted. */
    readonly notices: OwnerMailing
  }
>()("backlinks/usecases/mails/MailOwners") {
  static readonly layer = Layer.effect(
    MailOwners,
    Effect.gen(function* () {
      const { approvals, purchases, notices } = yield* OwnerMails
      const mailer = yield* Mailer
      const { closedPage, overviewPage, settingsPage, stopPage: stopUrl } = yield* MemberArea
      const { approvalPage } = yield* ServiceContext

      const waiting = (due: DueApprovalMail): Mail | null => {
        const { accountName, orders, count, totalCents, firstExpiresAtMs, timeZone } = due
        const [first] = orders
        if (first === undefined || firstExpiresAtMs === null) return null
        const url = count === 1 ? approvalPage(first.quoteId) : overviewPage
        const zone = timeZone === null ? {} : { timeZone }
        return { _tag: "OrdersWaiting", accountName, orders, count, totalCents, firstExpiresAtMs, url, ...zone }
      }

      const bought = ({ accountName, purchases, count, totalCents }: DuePurchaseMail): Mail => ({
        _tag: "CreditPurchases",
        accountName,
        purchases,
        count,
        totalCents,
        stopUrl,
        url: overviewPage
      })

      const pageOf = (told: DueNoticeMail["notices"]): string => {
        if (told.some(isClosing)) return closedPage
        return told.every(isOfAgents) ? overviewPage : settingsPage
      }

      const happened = ({ accountName, notices: told, count }: DueNoticeMail): Mail | null =>
        count === 0
          ? null
          : {
              ...{ _tag: "AccountNews", accountName, notices: told, count },
              url: pageOf(told)
            }

      return MailOwners.of({
        approvals: ownerMailing(mailer, {
          what: "mails on approvals",
          queue: approvals,
          mailOf: waiting,
          gapMs: APPROVAL_MAIL_GAP_MS
        }),
        purchases: ownerMailing(mailer, {
          what: "mails on purchases",
          queue: purchases,
          mailOf: bought,
          gapMs: MAIL_GAP_MS
        }),
        notices: ownerMailing(mailer, {
          what: "mails on what happened to accounts",
          queue: notices,
          mailOf: happened,
          gapMs: NOTICE_MAIL_GAP_MS
        })
      })
    })
  )
}
