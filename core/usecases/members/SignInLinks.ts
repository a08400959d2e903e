// Sign-in links: requested by people, sent by mail, and made for the demo. The answer to a request never depends on whether the address
// is known.
import { Clock, Context, Effect, Layer, Queue } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { isEmailAddress } from "#core/domain/members/Member.ts"
import { SIGN_IN_LINK_MS, type SignInLink, TOKEN_BYTES } from "#core/domain/members/Session.ts"
import { linkBounds } from "#core/domain/members/SignInBounds.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export interface LinkRequest {
  readonly email: string
  /** Written by `networkOf`. */
  readonly network: string
}

/** Requests that wait for their mail; further ones are dropped, and answered like the others. */
const MAX_WAITING = 1_000
const SENDERS = 4

/** A printed link of the demo is good while the process lives: a start ends those of earlier ones. */
const DEMO_LINK_MS = 10 * 365 * 86_400_000

/** A token is stored by its hash alone. */
export const linkHash = (digest: Digest.Digest["Service"], token: string) =>
  digest.digestHex(Digest.sha256, new TextEncoder().encode(token))

/** Whether the address of this member may sign in now, or, if no member has it, open an account; an invited one may join. */
export const mayUseLink = (signUp: MemberArea["Service"]["signUp"], known: MemberWithAccount | null): boolean =>
  known === null ? signUp === "open" : known.account.closedAtMs === undefined && known.member.role !== "reviewer"

export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /** Returns at once, before it is known whether a link is sent. */
    readonly request: (request: LinkRequest) => Effect.Effect<void>
    /** The address of a link for a member of the demo, in place of those of earlier starts. */
    readonly demo: (email: string) => Effect.Effect<string, StoreUnavailable>
  }
>()("backlinks/usecases/members/SignInLinks") {
  static readonly layer = Layer.effect(
    SignInLinks,
    Effect.gen(function* () {
      const members = yield* Members
      const invitations = yield* Invitations
      const sessions = yield* Sessions
      const mailer = yield* Mailer
      const area = yield* MemberArea
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const waiting = yield* Queue.dropping<LinkRequest>(MAX_WAITING)

      const newLink = Effect.fnUntraced(function* (email: string, kind: SignInLink["kind"], validMs: Millis) {
        const token = Base64Url.encode(yield* random.randomBytes(TOKEN_BYTES))
        const nowMs = yield* Clock.currentTimeMillis
        const times = { createdAtMs: nowMs, expiresAtMs: nowMs + validMs, usedAtMs: null }
        const link: SignInLink = { hash: yield* linkHash(digest, token), kind, email, ...times, wrongCodes: 0 }
        return { link, url: area.signInPage(token) }
      })

      const sendLink = Effect.fn("SignInLinks.send")(function* (request: LinkRequest) {
        const email = request.email.trim()
        if (!isEmailAddress(email)) return
        const known = yield* members.byEmail(email)
        const invited = yield* known === null
          ? invitations.openTo(email, yield* Clock.currentTimeMillis)
          : Effect.succeed([])
        if (!mayUseLink(area.signUp, known) && invited.length === 0) return
        const { network } = request
        const familiar = known !== null && (yield* sessions.signedInFrom(known.member.memberId, network))
        const { link, url } = yield* newLink(email, "mail", SIGN_IN_LINK_MS)
        const bounds = linkBounds({ email, network, known: known !== null, familiar })
        if (!(yield* sessions.issueLink(link, bounds))) return
        const accountName = known?.account.name ?? null
        const invitation = invited.length === 0 ? {} : ({ isInvited: true } as const)
        yield* mailer.send(email, {
          ...{ _tag: "SignInLink", url, accountName, minutes: SIGN_IN_LINK_MS / 60_000 },
          ...invitation
        })
      })

      const sendNext = Effect.flatMap(Queue.take(waiting), (request) =>
        Effect.catchCause(sendLink(request), (cause) => Effect.logWarning("A sign-in link was not sent", cause))
      )
      yield* Effect.forkScoped(
        Effect.all(
          Array.from({ length: SENDERS }, () => Effect.forever(sendNext)),
          { concurrency: "unbounded", discard: true }
        )
      )

      return SignInLinks.of({
        request: (request) => Effect.asVoid(Queue.offer(waiting, request)),
        demo: Effect.fn("SignInLinks.demo")(function* (email) {
          yield* sessions.endDemoLinks
          const { link, url } = yield* newLink(email, "demo", DEMO_LINK_MS)
          yield* sessions.issueLink(link, [])
          return url
        })
      })
    })
  )
}
