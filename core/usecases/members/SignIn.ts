// Signs people in by a link in a mail. The answer to a request for a link never depends on whether the address is known.
import { Clock, Context, Effect, Layer, Queue } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { isEmailAddress } from "#core/domain/members/Member.ts"
import { CodeRefused, SignInLinkInvalid } from "#core/domain/members/MemberRefusal.ts"
import { linkIsUsable, SIGN_IN_LINK_MS, type SignInLink, TOKEN_BYTES } from "#core/domain/members/Session.ts"
import { linkBounds } from "#core/domain/members/SignInBounds.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ManageFactors } from "./ManageFactors.ts"
import { type Client, MemberSessions, type NewSession } from "./MemberSessions.ts"
import { ResetCodes } from "./ResetCodes.ts"
import { VerifyFactor } from "./VerifyFactor.ts"

export interface LinkRequest {
  readonly email: string
  /** As `networkOf` writes it. */
  readonly network: string
}

/** What the button of a link would do. */
export type LinkView =
  | {
      readonly kind: "signs_in"
      readonly email: string
      readonly accountName: string
      /** The member has an authenticator app, whose code is wanted beside the link. */
      readonly wantsCode: boolean
    }
  | { readonly kind: "opens_account"; readonly email: string }

/** `opened`: the account is new. */
export interface LinkUse extends NewSession {
  readonly opened: boolean
}

/** Requests that wait for their mail; further ones are dropped, and answered like the others. */
const MAX_WAITING = 1_000
const SENDERS = 4

/** A printed link of the demo is good while the process lives: a start ends those of earlier ones. */
const DEMO_LINK_MS = 10 * 365 * 86_400_000

export class SignIn extends Context.Service<
  SignIn,
  {
    /** Returns at once, before it is known whether a link is sent. */
    readonly requestLink: (request: LinkRequest) => Effect.Effect<void>
    /** Changes nothing. */
    readonly look: (token: string) => Effect.Effect<LinkView, SignInLinkInvalid | StoreUnavailable>
    /**
     * Once per link; of concurrent uses, one signs in. `code` is of the member's app, if there is one; `CodeRefused` leaves the link as it
     * is until it has had five codes. A one-time code instead of the app's removes the member's factors.
     */
    readonly use: (
      token: string,
      client: Client,
      code: string
    ) => Effect.Effect<LinkUse, CodeRefused | SignInLinkInvalid | StoreUnavailable>
    /** The address of a link for a member of the demo, in place of those of earlier starts. */
    readonly demoLink: (email: string) => Effect.Effect<string, StoreUnavailable>
  }
>()("backlinks/usecases/members/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const members = yield* Members
      const sessions = yield* Sessions
      const memberSessions = yield* MemberSessions
      const mailer = yield* Mailer
      const area = yield* MemberArea
      const factors = yield* ManageFactors
      const resetCodes = yield* ResetCodes
      const verify = yield* VerifyFactor
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const waiting = yield* Queue.dropping<LinkRequest>(MAX_WAITING)

      const hashOf = (token: string) => digest.digestHex(Digest.sha256, new TextEncoder().encode(token))

      const newLink = Effect.fnUntraced(function* (email: string, kind: SignInLink["kind"], validMs: Millis) {
        const token = Base64Url.encode(yield* random.randomBytes(TOKEN_BYTES))
        const nowMs = yield* Clock.currentTimeMillis
        const times = { createdAtMs: nowMs, expiresAtMs: nowMs + validMs, usedAtMs: null }
        const link: SignInLink = { hash: yield* hashOf(token), kind, email, ...times, wrongCodes: 0 }
        return { link, url: area.signInPage(token) }
      })

      /** Whether this address may sign in, or open an account, now. */
      const mayUse = (known: MemberWithAccount | null): boolean =>
        known === null
          ? area.signUp === "open"
          : known.account.closedAtMs === undefined && known.member.role !== "reviewer"

      const sendLink = Effect.fn("SignIn.sendLink")(function* (request: LinkRequest) {
        const email = request.email.trim()
        if (!isEmailAddress(email)) return
        const known = yield* members.byEmail(email)
        if (!mayUse(known)) return
        const { network } = request
        const familiar = known !== null && (yield* sessions.signedInFrom(known.member.memberId, network))
        const { link, url } = yield* newLink(email, "mail", SIGN_IN_LINK_MS)
        const bounds = linkBounds({ email, network, known: known !== null, familiar })
        if (!(yield* sessions.issueLink(link, bounds))) return
        const accountName = known?.account.name ?? null
        yield* mailer.send(email, { _tag: "SignInLink", url, accountName, minutes: SIGN_IN_LINK_MS / 60_000 })
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

      const usable = Effect.fnUntraced(function* (token: string) {
        const link = yield* sessions.link(yield* hashOf(token))
        if (link === null || !linkIsUsable(link, yield* Clock.currentTimeMillis)) return yield* new SignInLinkInvalid()
        const known = yield* members.byEmail(link.email)
        if (!mayUse(known)) return yield* new SignInLinkInvalid()
        return { link, known }
      })

      /** Another link of the same address may have opened the account meanwhile: then this one signs in to it. */
      const open = Effect.fnUntraced(function* (email: string) {
        const input = { name: email, email, actor: null, selfOpened: true as const }
        const opened = yield* book.transact({ _tag: "ForEmail", email }, openAccount(input)).pipe(
          Effect.as(true),
          Effect.catchTag("EmailTaken", () => Effect.succeed(false))
        )
        const known = yield* members.byEmail(email)
        if (known === null) return yield* new SignInLinkInvalid()
        return { known, opened }
      })

      const hasTotp = (member: MemberWithAccount) => Effect.map(factors.list(member), ({ totp }) => totp !== null)

      /** What shows beside the link that this is the member; fails unless it does. */
      const secondProof = Effect.fnUntraced(function* (hash: string, who: MemberWithAccount, code: string) {
        if (!(yield* hasTotp(who))) return "none" as const
        if (code === "" || (yield* sessions.countCode(hash)) === null) return yield* new CodeRefused()
        const { memberId } = who.member
        if (yield* verify.code(memberId, code)) return "code" as const
        if (yield* resetCodes.use(memberId, code)) return "reset_code" as const
        return yield* new CodeRefused()
      })

      return SignIn.of({
        requestLink: (request) => Effect.asVoid(Queue.offer(waiting, request)),
        look: Effect.fn("SignIn.look")(function* (token) {
          const { link, known } = yield* usable(token)
          if (known === null) return { kind: "opens_account" as const, email: link.email }
          const wantsCode = yield* hasTotp(known)
          return { kind: "signs_in" as const, email: link.email, accountName: known.account.name, wantsCode }
        }),
        use: Effect.fn("SignIn.use")(function* (token, client, code) {
          const { link, known: expected } = yield* usable(token)
          const proof = expected === null ? "none" : yield* secondProof(link.hash, expected, code)
          const used = yield* sessions.consumeLink(link.hash, yield* Clock.currentTimeMillis)
          if (used === null) return yield* new SignInLinkInvalid()
          const known = yield* members.byEmail(link.email)
          const { known: member, opened } = known === null ? yield* open(link.email) : { known, opened: false }
          // A member who was removed meanwhile has no factors to remove.
          if (proof === "reset_code") yield* Effect.ignore(factors.reset(member))
          const session = yield* memberSessions.start(member, link.kind === "demo" ? "demo" : "link", client)
          return { ...session, opened }
        }),
        demoLink: Effect.fn("SignIn.demoLink")(function* (email) {
          yield* sessions.endDemoLinks
          const { link, url } = yield* newLink(email, "demo", DEMO_LINK_MS)
          yield* sessions.issueLink(link, [])
          return url
        })
      })
    })
  )
}
