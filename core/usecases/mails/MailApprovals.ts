// Tells owners by mail which orders wait for their approval, at least once: a crash between a mail and its note sends it again. What is
// decided before its mail is due is not told.
import { Clock, Context, Effect, Layer } from "effect"
import { APPROVAL_MAIL_GAP_MS, type DueApprovalMail } from "#core/domain/mails/ApprovalMail.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ApprovalMails } from "#core/ports/mails/ApprovalMails.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { MAX_COMMIT_LAG_MS } from "#core/ports/operations/ActivityLog.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { LEASE_MS, MAILS_PER_PASS, type MailPass, sendMails } from "./SendMails.ts"

export class MailApprovals extends Context.Service<
  MailApprovals,
  {
    /** Sends what is due. `lagMs`: see `ApprovalMails.claim`. */
    readonly pass: (lagMs?: number) => Effect.Effect<MailPass, StoreUnavailable>
    readonly isWanted: (signedIn: SignedIn) => Effect.Effect<boolean, StoreUnavailable>
    readonly want: (signedIn: SignedIn, wanted: boolean) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/usecases/mails/MailApprovals") {
  static readonly layer = Layer.effect(
    MailApprovals,
    Effect.gen(function* () {
      const { claim, sent, failed, isWanted, want } = yield* ApprovalMails
      const mailer = yield* Mailer
      const { overviewPage } = yield* MemberArea
      const { approvalPage } = yield* ServiceContext

      const mailOf = ({ accountName, orders, count }: DueApprovalMail) => {
        const [first] = orders
        if (first === undefined) return null
        const url = count === 1 ? approvalPage(first.quoteId) : overviewPage
        return { _tag: "OrdersWaiting", accountName, orders, count, url } as const
      }

      return MailApprovals.of({
        pass: Effect.fn("MailApprovals.pass")(function* (lagMs = MAX_COMMIT_LAG_MS) {
          const nowMs = yield* Clock.currentTimeMillis
          const due = yield* claim({ nowMs, untilMs: nowMs + LEASE_MS, lagMs, limit: MAILS_PER_PASS })
          return yield* sendMails(mailer, due, { mailOf, sent, failed, gapMs: APPROVAL_MAIL_GAP_MS })
        }),
        isWanted: Effect.fn("MailApprovals.isWanted")(({ member }) => isWanted(member.memberId)),
        want: Effect.fn("MailApprovals.want")(({ member }, wanted) => want(member.memberId, wanted))
      })
    })
  )
}
