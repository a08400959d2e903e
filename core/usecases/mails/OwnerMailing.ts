// One kind of mails to owners: sends what is due, tries again what failed, and gives up what failed too often.
import { Clock, Effect } from "effect"
import type { Mail } from "#core/domain/mails/Mail.ts"
import { MAX_MAIL_ATTEMPTS, retryDelayMs } from "#core/domain/mails/PurchaseMail.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import type { Mailer } from "#core/ports/mails/Mailer.ts"
import type { MailQueue, MailSettlement } from "#core/ports/mails/OwnerMails.ts"
import { MAX_COMMIT_LAG_MS } from "#core/ports/operations/ActivityLog.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { handOn } from "../shared/HandOn.ts"

const BOUNDS = { fast: 4, total: 4, minClaim: 1 }
const POLL_MS = 15_000

/** Longer than a mail takes with its time limits. */
const LEASE_MS = 10 * 60_000

/** What became of a mail: one that failed for the last time is given up, and one of which nothing waits any more is dropped. */
export type MailOutcome =
  | { readonly _tag: "Sent" | "Dropped" }
  | { readonly _tag: "Failed" | "GivenUp"; readonly reason: string }

export interface OwnerMailing {
  /** Sends what is due. `lagMs`: see `MailQueue.claim`. */
  readonly pass: (lagMs?: Millis) => Effect.Effect<ReadonlyArray<MailOutcome>, StoreUnavailable>
  /** Sends what is due until it is interrupted. */
  readonly run: Effect.Effect<never>
}

interface Due {
  readonly memberId: MemberId
  readonly email: string
  readonly upTo: string
  readonly attempts: number
}

interface Mailing<A extends Due> {
  readonly what: string
  readonly queue: MailQueue<A>
  /** `null` where there is nothing to tell any more. */
  readonly mailOf: (due: A) => Mail | null
  /** After a mail, the next one to the same owner waits for this long. */
  readonly gapMs: Millis
  /** How often it looks for what is due. */
  readonly pollMs?: Millis
}

export const ownerMailing = <A extends Due>(
  mailer: Mailer["Service"],
  { what, queue, mailOf, gapMs, pollMs = POLL_MS }: Mailing<A>
): OwnerMailing => {
  const attempt = (due: A): Effect.Effect<MailOutcome> => {
    const mail = mailOf(due)
    if (mail === null) return Effect.succeed({ _tag: "Dropped" })
    const _tag = due.attempts + 1 < MAX_MAIL_ATTEMPTS ? "Failed" : "GivenUp"
    return Effect.match(mailer.send(due.email, mail), {
      onSuccess: () => ({ _tag: "Sent" }),
      onFailure: ({ reason }) => ({ _tag, reason })
    })
  }
  const settlementOf = ({ upTo, attempts }: A, { _tag }: MailOutcome, nowMs: Millis): MailSettlement => {
    const retryAtMs = nowMs + retryDelayMs(attempts + 1)
    switch (_tag) {
      case "Sent":
        return { upTo, nextAtMs: nowMs + gapMs, attempts: 0 }
      case "Dropped":
        return { upTo, nextAtMs: nowMs, attempts: 0 }
      case "Failed":
        return { upTo: null, nextAtMs: retryAtMs, attempts: attempts + 1 }
      case "GivenUp":
        return { upTo, nextAtMs: retryAtMs, attempts: 0 }
    }
  }
  const record = Effect.fnUntraced(function* (due: A, outcome: MailOutcome) {
    if ("reason" in outcome) {
      const { _tag: became, reason } = outcome
      const annotations = { member_id: due.memberId, given_up: became === "GivenUp", reason }
      yield* Effect.logWarning(`${what}: one was not sent; unless it is given up, it is tried again`, annotations)
    }
    yield* queue.settle(due.memberId, settlementOf(due, outcome, yield* Clock.currentTimeMillis))
  })
  const outbox = (lagMs: Millis) =>
    handOn({
      what,
      claim: (nowMs, limit) => queue.claim({ nowMs, leaseMs: LEASE_MS, lagMs, limit }),
      annotate: ({ memberId }) => ({ member_id: memberId }),
      attempt,
      record,
      release: ({ memberId, attempts }) => queue.settle(memberId, { upTo: null, nextAtMs: 0, attempts }),
      bounds: BOUNDS,
      pollMs
    })
  return {
    pass: (lagMs = MAX_COMMIT_LAG_MS) => outbox(lagMs).pass,
    run: outbox(MAX_COMMIT_LAG_MS).run
  }
}
