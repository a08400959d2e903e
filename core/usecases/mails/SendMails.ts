// Sends mails that are due, and notes what became of each. A mail whose note is lost in a crash is sent again; one that fails too often is
// given up.
import { Clock, Effect } from "effect"
import type { Mail } from "#core/domain/mails/Mail.ts"
import { MAX_MAIL_ATTEMPTS, retryDelayMs } from "#core/domain/mails/PurchaseMail.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import type { Mailer } from "#core/ports/mails/Mailer.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export const MAILS_PER_PASS = 20
const CONCURRENT_MAILS = 4

/** Longer than all mails of a pass take, each with its time limits. */
export const LEASE_MS = 10 * 60_000

export interface MailPass {
  readonly sent: number
  readonly failed: number
  /** Mails that failed for the last time: they are not tried again. */
  readonly givenUp: number
  /** The reason of the last failure. */
  readonly reason: string | null
}

const NONE: MailPass = { sent: 0, failed: 0, givenUp: 0, reason: null }

interface Due {
  readonly memberId: MemberId
  readonly email: string
  /** Earlier attempts that failed. */
  readonly attempts: number
}

export interface MailNotes<A extends Due> {
  /** `null` where there is nothing to tell any more. */
  readonly mailOf: (due: A) => Mail | null
  readonly sent: (due: A, nextAtMs: Millis) => Effect.Effect<void, StoreUnavailable>
  readonly failed: (memberId: MemberId, nextAtMs: Millis) => Effect.Effect<void, StoreUnavailable>
  /** After a mail, the next one to the same owner waits for this long. */
  readonly gapMs: Millis
}

export const sendMails = Effect.fnUntraced(function* <A extends Due>(
  mailer: Mailer["Service"],
  due: ReadonlyArray<A>,
  notes: MailNotes<A>
): Effect.fn.Return<MailPass, StoreUnavailable> {
  const noteFailure = Effect.fnUntraced(function* (one: A, reason: string) {
    const attempts = one.attempts + 1
    const nextAtMs = (yield* Clock.currentTimeMillis) + retryDelayMs(attempts)
    if (attempts < MAX_MAIL_ATTEMPTS) {
      yield* notes.failed(one.memberId, nextAtMs)
      return { ...NONE, failed: 1, reason }
    }
    yield* notes.sent(one, nextAtMs)
    return { ...NONE, givenUp: 1, reason }
  })

  const noteSent = Effect.fnUntraced(function* (one: A, gapMs: Millis) {
    yield* notes.sent(one, (yield* Clock.currentTimeMillis) + gapMs)
  })

  const send = (one: A): Effect.Effect<MailPass, StoreUnavailable> => {
    const mail = notes.mailOf(one)
    if (mail === null) return Effect.as(noteSent(one, 0), NONE)
    return Effect.matchEffect(mailer.send(one.email, mail), {
      onSuccess: () => Effect.as(noteSent(one, notes.gapMs), { ...NONE, sent: 1 }),
      onFailure: ({ reason }) => noteFailure(one, reason)
    })
  }

  const results = yield* Effect.forEach(due, send, { concurrency: CONCURRENT_MAILS })
  return results.reduce(
    (all, one) => ({
      sent: all.sent + one.sent,
      failed: all.failed + one.failed,
      givenUp: all.givenUp + one.givenUp,
      reason: one.reason ?? all.reason
    }),
    NONE
  )
})
