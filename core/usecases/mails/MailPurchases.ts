// Tells owners by mail what agents bought from credit, at least once: a crash between a mail and its note sends it again. A mail server that is
// away delays mails and nothing else.
import { Clock, Context, Effect, Layer } from "effect"
import { type DuePurchaseMail, MAIL_GAP_MS } from "#core/domain/mails/PurchaseMail.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { PurchaseMails } from "#core/ports/mails/PurchaseMails.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { MAX_COMMIT_LAG_MS } from "#core/ports/operations/ActivityLog.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { LEASE_MS, MAILS_PER_PASS, type MailPass, sendMails } from "./SendMails.ts"

/** Leaves the database to orders between two steps. */
const PAUSE = "20 millis"

export class MailPurchases extends Context.Service<
  MailPurchases,
  {
    /** Looks for purchases and sends what is due. `lagMs`: see `PurchaseMails.collect`. */
    readonly pass: (lagMs?: number) => Effect.Effect<MailPass, StoreUnavailable>
    readonly isWanted: (signedIn: SignedIn) => Effect.Effect<boolean, StoreUnavailable>
    readonly want: (signedIn: SignedIn, wanted: boolean) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/usecases/mails/MailPurchases") {
  static readonly layer = Layer.effect(
    MailPurchases,
    Effect.gen(function* () {
      const { collect, claim, sent, failed, isWanted, want } = yield* PurchaseMails
      const mailer = yield* Mailer
      const { stopPage: stopUrl } = yield* MemberArea

      const mailOf = ({ accountName, purchases, count, totalCents }: DuePurchaseMail) =>
        ({ _tag: "CreditPurchases", accountName, purchases, count, totalCents, stopUrl }) as const

      return MailPurchases.of({
        pass: Effect.fn("MailPurchases.pass")(function* (lagMs = MAX_COMMIT_LAG_MS) {
          while (yield* collect({ lagMs })) yield* Effect.sleep(PAUSE)
          const nowMs = yield* Clock.currentTimeMillis
          const due = yield* claim({ nowMs, untilMs: nowMs + LEASE_MS, limit: MAILS_PER_PASS })
          return yield* sendMails(mailer, due, { mailOf, sent, failed, gapMs: MAIL_GAP_MS })
        }),
        isWanted: Effect.fn("MailPurchases.isWanted")(({ member }) => isWanted(member.memberId)),
        want: Effect.fn("MailPurchases.want")(({ member }, wanted) => want(member.memberId, wanted))
      })
    })
  )
}
