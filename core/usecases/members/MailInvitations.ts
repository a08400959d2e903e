// Sends invitations by mail, at least once, and at most one a day to an address. Each attempt makes another link, of which only the hash is
// kept.
import { Clock, Context, Effect, Layer, PubSub, Stream } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { MAX_MAIL_ATTEMPTS, retryDelayMs } from "#core/domain/mails/PurchaseMail.ts"
import { TOKEN_BYTES } from "#core/domain/members/Session.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { type DueInvitation, Invitations } from "#core/ports/members/Invitations.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import type { MailOutcome } from "../mails/OwnerMailing.ts"
import { type HandingOn, handOn } from "../shared/HandOn.ts"
import { linkHash } from "./SignInLinks.ts"

const BOUNDS = { fast: 4, total: 4, minClaim: 1 }
const POLL_MS = 15_000

/** Longer than a mail takes with its time limits. */
const LEASE_MS = 10 * 60_000

export class MailInvitations extends Context.Service<
  MailInvitations,
  {
    /** Sends what is due. */
    readonly pass: Effect.Effect<ReadonlyArray<MailOutcome>, StoreUnavailable>
    readonly run: HandingOn<MailOutcome>["run"]
    /** To be called after an invitation was made, so that its mail need not wait for the next poll. */
    readonly wake: Effect.Effect<void>
  }
>()("backlinks/usecases/members/MailInvitations") {
  static readonly layer = Layer.effect(
    MailInvitations,
    Effect.gen(function* () {
      const invitations = yield* Invitations
      const mailer = yield* Mailer
      const { invitationPage } = yield* MemberArea
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const made = yield* Effect.acquireRelease(PubSub.sliding<void>(1), PubSub.shutdown)

      const attempt = Effect.fnUntraced(function* ({ invitation, accountName, inviter, attempts }: DueInvitation) {
        const { invitationId, email, role, expiresAtMs } = invitation
        const token = Base64Url.encode(yield* random.randomBytes(TOKEN_BYTES))
        const nowMs = yield* Clock.currentTimeMillis
        const isOpen = yield* invitations.keepLink(invitationId, yield* linkHash(digest, token), nowMs)
        if (!isOpen) return { _tag: "Dropped" } satisfies MailOutcome
        const mail = { accountName, inviter, email, role, url: invitationPage(token), expiresAtMs }
        return yield* Effect.match(mailer.send(email, { _tag: "Invitation", ...mail }), {
          onSuccess: (): MailOutcome => ({ _tag: "Sent" }),
          onFailure: ({ reason }): MailOutcome => ({
            _tag: attempts + 1 < MAX_MAIL_ATTEMPTS ? "Failed" : "GivenUp",
            reason
          })
        })
      })

      const record = Effect.fnUntraced(function* (
        { invitation: { invitationId }, attempts }: DueInvitation,
        outcome: MailOutcome
      ) {
        const nowMs = yield* Clock.currentTimeMillis
        if ("reason" in outcome) {
          const annotations = {
            invitation_id: invitationId,
            given_up: outcome._tag === "GivenUp",
            reason: outcome.reason
          }
          yield* Effect.logWarning("An invitation was not sent; unless it is given up, it is tried again", annotations)
        }
        const next =
          outcome._tag === "Failed" ? { nextAtMs: nowMs + retryDelayMs(attempts + 1), attempts: attempts + 1 } : null
        yield* invitations.settleMail(invitationId, next, nowMs)
      })

      const { pass, run } = handOn({
        what: "invitations",
        claim: (nowMs, limit) => invitations.claimMails({ nowMs, leaseMs: LEASE_MS, limit }),
        annotate: ({ invitation: { invitationId } }: DueInvitation) => ({ invitation_id: invitationId }),
        // A store that is away is no outcome: the lease expires, and the invitation comes again.
        attempt: (due) => Effect.orDie(attempt(due)),
        record,
        release: ({ invitation: { invitationId }, attempts }) =>
          Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
            invitations.settleMail(invitationId, { nextAtMs: 0, attempts }, nowMs)
          ),
        bounds: BOUNDS,
        pollMs: POLL_MS,
        queued: Stream.fromPubSub(made)
      })
      return MailInvitations.of({ pass, run, wake: Effect.asVoid(PubSub.publish(made, undefined)) })
    })
  )
}
