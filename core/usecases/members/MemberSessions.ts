// The sessions of members: begun by a sign-in, looked up at each request, listed and revoked.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { NotSignedIn, SessionNotFound } from "#core/domain/members/MemberRefusal.ts"
import { reviewerIsLive } from "#core/domain/members/Reviewer.ts"
import { type Session, type SignedIn, sessionIsLive, TOKEN_BYTES } from "#core/domain/members/Session.ts"
import { CONTEXT_ENTROPY_BYTES, makeDecisionContext, makeId } from "#core/domain/shared/DecisionContext.ts"
import type { SessionId } from "#core/domain/shared/Ids.ts"
import { Members, type MemberWithAccount } from "#core/ports/members/Members.ts"
import { Reviewers } from "#core/ports/members/Reviewers.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** The browser that signs in. */
export interface Client {
  /** The text that `networkOf` writes. */
  readonly network: string
  readonly userAgent: string
  /** Who was signed in there before, as this member or another: that session ends. */
  readonly who: { readonly session: Pick<Session, "sessionId"> } | null
}

/** The token is returned once and stored nowhere. */
export interface NewSession {
  readonly signedIn: SignedIn
  readonly token: Redacted.Redacted<string>
}

/** The time of last use is written at most this often. */
const USE_INTERVAL_MS = 60_000

const MAX_USER_AGENT = 200

export class MemberSessions extends Context.Service<
  MemberSessions,
  {
    readonly start: (
      member: MemberWithAccount,
      method: Session["method"],
      client: Client,
      /** A second factor was shown at the sign-in; a passkey is one. */
      isConfirmed?: boolean
    ) => Effect.Effect<NewSession, StoreUnavailable>
    /** Who is signed in by this token. A removed member, a closed account and a reviewer whose time is over are not. */
    readonly authenticate: (token: string) => Effect.Effect<SignedIn, NotSignedIn | StoreUnavailable>
    /** Whether this token was that of a member whose account is closed now. */
    readonly wasOfClosedAccount: (token: string) => Effect.Effect<boolean, StoreUnavailable>
    /** The member's own live sessions, newest first. */
    readonly list: (signedIn: SignedIn) => Effect.Effect<ReadonlyArray<Session>, StoreUnavailable>
    /** Ends one of the member's own sessions; the present one is a sign-out. */
    readonly revoke: (
      signedIn: SignedIn,
      sessionId: SessionId
    ) => Effect.Effect<void, SessionNotFound | StoreUnavailable>
    /** Ends the member's other sessions; how many. */
    readonly revokeOthers: (signedIn: SignedIn) => Effect.Effect<number, StoreUnavailable>
    /**
     * Changes the Shop's cart, which is kept with the session, and returns it; `null` is an empty one. `change` may run more than once,
     * and always sees what concurrent changes left.
     */
    readonly changeCart: (
      signedIn: SignedIn,
      change: (cart: string | null) => string | null
    ) => Effect.Effect<string | null, StoreUnavailable>
  }
>()("backlinks/usecases/members/MemberSessions") {
  static readonly layer = Layer.effect(
    MemberSessions,
    Effect.gen(function* () {
      const members = yield* Members
      const sessions = yield* Sessions
      const reviewers = yield* Reviewers
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom

      const hashOf = (token: string) => digest.digestHex(Digest.sha256, new TextEncoder().encode(token))

      const list = ({ member }: SignedIn) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) => sessions.live([member.memberId], nowMs))

      return MemberSessions.of({
        start: Effect.fn("MemberSessions.start")(function* (
          { member, account },
          method,
          { network, userAgent, who },
          isConfirmed = method === "passkey"
        ) {
          const token = Base64Url.encode(yield* random.randomBytes(TOKEN_BYTES))
          const nowMs = yield* Clock.currentTimeMillis
          const { idPrefix } = makeDecisionContext(nowMs, yield* random.randomBytes(CONTEXT_ENTROPY_BYTES))
          const session: Session = {
            sessionId: makeId("ses_", "live", idPrefix, 0),
            hash: yield* hashOf(token),
            memberId: member.memberId,
            method,
            network,
            userAgent: userAgent.slice(0, MAX_USER_AGENT),
            createdAtMs: nowMs,
            lastUsedAtMs: nowMs,
            endedAtMs: null,
            confirmedAtMs: isConfirmed ? nowMs : null,
            cart: null
          }
          yield* sessions.start(session, who?.session.sessionId ?? null)
          return { signedIn: { session, member, account }, token: Redacted.make(token) }
        }),
        authenticate: Effect.fn("MemberSessions.authenticate")(function* (token) {
          const session = yield* sessions.byHash(yield* hashOf(token))
          const nowMs = yield* Clock.currentTimeMillis
          if (session === null || !sessionIsLive(session, nowMs)) return yield* new NotSignedIn()
          const found = yield* members.byId(session.memberId)
          if (found === null || found.member.removedAtMs !== null || found.account.closedAtMs !== undefined)
            return yield* new NotSignedIn()
          if (found.member.role === "reviewer") {
            const reviewer = yield* reviewers.ofMember(session.memberId)
            if (reviewer === null || !reviewerIsLive(reviewer, nowMs)) return yield* new NotSignedIn()
          }
          if (session.lastUsedAtMs + USE_INTERVAL_MS <= nowMs) yield* sessions.recordUse(session.sessionId, nowMs)
          return { session, ...found }
        }),
        wasOfClosedAccount: Effect.fn("MemberSessions.wasOfClosedAccount")(function* (token) {
          const session = yield* sessions.byHash(yield* hashOf(token))
          const found = session === null ? null : yield* members.byId(session.memberId)
          return found !== null && found.member.removedAtMs === null && found.account.closedAtMs !== undefined
        }),
        list: Effect.fn("MemberSessions.list")(list),
        revoke: Effect.fn("MemberSessions.revoke")(function* (signedIn, sessionId) {
          const own = yield* list(signedIn)
          if (!own.some((session) => session.sessionId === sessionId)) return yield* new SessionNotFound({ sessionId })
          yield* sessions.end(sessionId, yield* Clock.currentTimeMillis)
        }),
        revokeOthers: Effect.fn("MemberSessions.revokeOthers")(function* ({ session, member }) {
          return yield* sessions.endAll([member.memberId], yield* Clock.currentTimeMillis, session.sessionId)
        }),
        changeCart: Effect.fn("MemberSessions.changeCart")(function* ({ session: { sessionId, hash } }, change) {
          for (;;) {
            const current = yield* sessions.byHash(hash)
            if (current === null) return null
            const before = current.cart
            const after = change(before)
            if (after === before || (yield* sessions.saveCart(sessionId, { before, after }))) return after
          }
        })
      })
    })
  )
}
