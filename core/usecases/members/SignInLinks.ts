// Sign-in links: requested by people, sent by mail, and made for the demo. The answer to a request never depends on whether the address
// is known.
import { Clock, Context, Effect, Layer, Queue } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { isFor, type KnownDevice, requesterOf } from "#core/domain/members/KnownDevice.ts"
import { isEmailAddress } from "#core/domain/members/Member.ts"
import { SIGN_IN_LINK_MS, type SignInLink, TOKEN_BYTES } from "#core/domain/members/Session.ts"
import { linkBounds } from "#core/domain/members/SignInBounds.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { SharedQueue } from "#core/domain/shared/SharedQueue.ts"
import type { ShareBounds } from "#core/domain/shared/Shares.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { KnownDevices } from "./KnownDevices.ts"
import { SignInCodes } from "./SignInCodes.ts"

export interface LinkRequest {
  readonly email: string
  /** Written by `networkOf`. */
  readonly network: string
  /** What the browser keeps of earlier sign-ins, see `KnownDevices`. */
  readonly devices: string
}

/**
 * A request that waits for its mail. `device`: from which the member of this address signed in before; `secret`: to which the code of the mail
 * is bound.
 */
interface Waiting extends LinkRequest {
  readonly device: KnownDevice | null
  readonly secret: string
}

/** Requests of strangers that wait, by network; further ones are dropped, and answered like the others. */
const OF_STRANGERS = { capacity: 1_000, perSource: 30 }
/** Those of known devices wait apart, so that no flood delays them. Each device was given its mark at a sign-in. */
const OF_KNOWN = { capacity: 1_000, perSource: 5 }
/** For each of both; a slow mail server delays strangers' mails behind their own. */
const SENDERS = 2

/** A printed link of the demo is good while the process lives: a start ends those of earlier ones. */
const DEMO_LINK_MS = 10 * 365 * 86_400_000

/** A token is stored by its hash alone. */
export const linkHash = (digest: Digest.Digest["Service"], token: string) =>
  digest.digestHex(Digest.sha256, new TextEncoder().encode(token))

/** Whether the address of this member may sign in now, or, if no member has it, open an account; an invited one may join. */
export const mayUseLink = (signUp: MemberArea["Service"]["signUp"], known: MemberWithAccount | null): boolean =>
  known === null ? signUp === "open" : known.account.closedAtMs === undefined && known.member.role !== "reviewer"

/** Sends what is offered, the sources in turns; returns how to offer. */
const startSenders = Effect.fnUntraced(function* (
  bounds: ShareBounds,
  send: (request: Waiting) => Effect.Effect<void>
) {
  const waiting = new SharedQueue<Waiting>(bounds)
  // One signal for each request that waits; one more finds the queue empty.
  const signals = yield* Queue.unbounded<void>()
  const sendNext = Effect.flatMap(Queue.take(signals), () => {
    const next = waiting.take()
    return next === undefined ? Effect.void : send(next)
  })
  for (let sender = 0; sender < SENDERS; sender++) yield* Effect.forkScoped(Effect.forever(sendNext))
  return (source: string, request: Waiting) =>
    Effect.suspend(() => {
      const { size } = waiting
      const grew = waiting.offer(source, request) && waiting.size > size
      return grew ? Effect.asVoid(Queue.offer(signals, undefined)) : Effect.void
    })
})

export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /**
     * Returns at once, before it is known whether a mail is sent, what the browser keeps: the code of the mail counts together with it alone, see
     * `SignInCodes`.
     */
    readonly request: (request: LinkRequest) => Effect.Effect<string>
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
      const devices = yield* KnownDevices
      const codes = yield* SignInCodes

      const newLink = Effect.fnUntraced(function* (
        { email, kind, ...ofCode }: Pick<SignInLink, "browserHash" | "codeHash" | "email" | "kind">,
        validMs: Millis
      ) {
        const token = Base64Url.encode(yield* random.randomBytes(TOKEN_BYTES))
        const nowMs = yield* Clock.currentTimeMillis
        const times = { createdAtMs: nowMs, expiresAtMs: nowMs + validMs, usedAtMs: null }
        const link: SignInLink = {
          hash: yield* linkHash(digest, token),
          kind,
          email,
          ...times,
          wrongCodes: 0,
          ...ofCode
        }
        return { link, url: area.signInPage(token) }
      })

      const sendLink = Effect.fn("SignInLinks.send")(function* ({ email, network, device, secret }: Waiting) {
        const known = yield* members.byEmail(email)
        const invited = yield* known === null
          ? invitations.openTo(email, yield* Clock.currentTimeMillis)
          : Effect.succeed([])
        if (!mayUseLink(area.signUp, known) && invited.length === 0) return
        const isOwn = known !== null && device?.memberId === known.member.memberId
        const familiar = known !== null && (yield* sessions.signedInFrom(known.member.memberId, network))
        const { code, ...ofCode } = yield* codes.make(secret)
        const { link, url } = yield* newLink({ email, kind: "mail", ...ofCode }, SIGN_IN_LINK_MS)
        const bounds = linkBounds({ email, network, known: known !== null, familiar, device: isOwn ? device : null })
        if (!(yield* sessions.issueLink(link, bounds))) return
        const accountName = known?.account.name ?? null
        const invitation = invited.length === 0 ? {} : ({ isInvited: true } as const)
        yield* mailer.send(email, {
          ...{ _tag: "SignInLink", url, code, accountName, minutes: SIGN_IN_LINK_MS / 60_000 },
          ...invitation
        })
      })

      const send = (request: Waiting) =>
        Effect.catchCause(sendLink(request), (cause) => Effect.logWarning("A sign-in link was not sent", cause))
      const known = yield* startSenders(OF_KNOWN, send)
      const strangers = yield* startSenders(OF_STRANGERS, send)

      return SignInLinks.of({
        request: Effect.fn("SignInLinks.request")(function* (request) {
          const email = request.email.trim()
          const { kept, secret } = yield* codes.ask(email)
          if (!isEmailAddress(email)) return kept
          const marks = yield* devices.recognise(request.devices)
          const device = marks.find((mark) => isFor(mark, email)) ?? null
          const offer = device === null ? strangers : known
          yield* offer(requesterOf(device, request.network), { ...request, email, device, secret })
          return kept
        }),
        demo: Effect.fn("SignInLinks.demo")(function* (email) {
          yield* sessions.endDemoLinks
          const withoutCode = { browserHash: null, codeHash: null }
          const { link, url } = yield* newLink({ email, kind: "demo", ...withoutCode }, DEMO_LINK_MS)
          yield* sessions.issueLink(link, [])
          return url
        })
      })
    })
  )
}
