// Tells owners by mail what agents bought from credit, at least once: a crash between a mail and its note sends it again. A mail server that is
// away delays mails and nothing else.
import { Clock, Context, Effect, Layer } from "effect"
import { MAIL_GAP_MS, MAX_MAIL_ATTEMPTS, retryDelayMs } from "#core/domain/PurchaseMail.ts"
import type { SignedIn } from "#core/domain/Session.ts"
import { MAX_COMMIT_LAG_MS } from "#core/ports/ActivityLog.ts"
import { Mailer } from "#core/ports/Mailer.ts"
import { MemberArea } from "#core/ports/MemberArea.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { type DueMail, PurchaseMails } from "#core/ports/PurchaseMails.ts"

/** Leaves the database to orders between two steps. */
const PAUSE = "20 millis"

const MAILS_PER_PASS = 20
const CONCURRENT_MAILS = 4

/** Longer than all mails of a pass take, each with its time limits. */
const LEASE_MS = 10 * 60_000

export interface MailPass {
  readonly sent: number
  readonly failed: number
  /** Mails that failed for the last time: they are not tried again. */
  readonly givenUp: number
  /** Of the last failure. */
  readonly reason: string | null
}

const NONE: MailPass = { sent: 0, failed: 0, givenUp: 0, reason: null }

export class MailPurchases extends Context.Service<
  MailPurchases,
  {
    /** Looks for purchases and sends what is due. `lagMs`: see `PurchaseMails.collect`. */
    readonly pass: (lagMs?: number) => Effect.Effect<MailPass, StoreUnavailable>
    readonly isWanted: (signedIn: SignedIn) => Effect.Effect<boolean, StoreUnavailable>
    readonly want: (signedIn: SignedIn, wanted: boolean) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/usecases/MailPurchases") {
  static readonly layer = Layer.effect(
    MailPurchases,
    Effect.gen(function* () {
      const mails = yield* PurchaseMails
      const mailer = yield* Mailer
      const { stopPage: stopUrl } = yield* MemberArea

      const noteFailure = Effect.fnUntraced(function* (due: DueMail, reason: string) {
        const attempts = due.attempts + 1
        const nextAtMs = (yield* Clock.currentTimeMillis) + retryDelayMs(attempts)
        if (attempts < MAX_MAIL_ATTEMPTS) {
          yield* mails.failed(due.memberId, nextAtMs)
          return { ...NONE, failed: 1, reason }
        }
        yield* mails.sent(due, nextAtMs)
        return { ...NONE, givenUp: 1, reason }
      })

      const send = Effect.fnUntraced(function* (due: DueMail) {
        const { email, accountName, purchases, count, totalCents } = due
        const mail = { _tag: "CreditPurchases" as const, accountName, purchases, count, totalCents, stopUrl }
        return yield* Effect.matchEffect(mailer.send(email, mail), {
          onSuccess: () =>
            Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
              Effect.as(mails.sent(due, nowMs + MAIL_GAP_MS), { ...NONE, sent: 1 })
            ),
          onFailure: ({ reason }) => noteFailure(due, reason)
        })
      })

      return MailPurchases.of({
        pass: Effect.fn("MailPurchases.pass")(function* (lagMs = MAX_COMMIT_LAG_MS) {
          while (yield* mails.collect({ lagMs })) yield* Effect.sleep(PAUSE)
          const nowMs = yield* Clock.currentTimeMillis
          const due = yield* mails.claim({ nowMs, untilMs: nowMs + LEASE_MS, limit: MAILS_PER_PASS })
          const results: ReadonlyArray<MailPass> = yield* Effect.forEach(due, send, { concurrency: CONCURRENT_MAILS })
          return results.reduce(
            (all, one) => ({
              sent: all.sent + one.sent,
              failed: all.failed + one.failed,
              givenUp: all.givenUp + one.givenUp,
              reason: one.reason ?? all.reason
            }),
            NONE
          )
        }),
        isWanted: Effect.fn("MailPurchases.isWanted")(({ member }) => mails.isWanted(member.memberId)),
        want: Effect.fn("MailPurchases.want")(({ member }, wanted) => mails.want(member.memberId, wanted))
      })
    })
  )
}
