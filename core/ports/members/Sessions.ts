// Keeps sign-in links and sessions. They move no money, so they are kept beside the books, each call atomic by itself.
import { Context, type Effect } from "effect"
import type { Session, SignInLink } from "#core/domain/members/Session.ts"
import type { LinkBound } from "#core/domain/members/SignInBounds.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId, SessionId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class Sessions extends Context.Service<
  Sessions,
  {
    /** Keeps a link and counts it under each bound; `false`, and nothing is kept, where a bound is reached. */
    readonly issueLink: (link: SignInLink, bounds: ReadonlyArray<LinkBound>) => Effect.Effect<boolean, StoreUnavailable>
    /** Counts an attempt with this id under each bound; `false`, and nothing is counted, where a bound is reached. */
    readonly countAttempt: (
      attempt: { readonly id: string; readonly atMs: Millis },
      bounds: ReadonlyArray<LinkBound>
    ) => Effect.Effect<boolean, StoreUnavailable>
    readonly link: (hash: string) => Effect.Effect<SignInLink | null, StoreUnavailable>
    /** Uses an unused link that has not expired at that time: of concurrent calls, one gets it, the others `null`. */
    readonly consumeLink: (hash: string, atMs: Millis) => Effect.Effect<SignInLink | null, StoreUnavailable>
    /**
     * Counts a code against an unused link before the code is looked at; the count with it. `null`, and nothing is counted, where there
     * is no such link or it has had `MAX_CODE_ATTEMPTS`.
     */
    readonly countCode: (hash: string) => Effect.Effect<number | null, StoreUnavailable>
    /**
     * Counts a code that stands in for a link, before the code is looked at: under each bound, and against the unused link that this browser
     * asked for. `tries`: how often this browser tried, with this time; `link`: as it was counted, `null` where no link takes a code.
     * `null`, and nothing is counted, where a bound is reached.
     */
    readonly countTry: (
      attempt: { readonly id: string; readonly atMs: Millis; readonly browserHash: string },
      bounds: ReadonlyArray<LinkBound>
    ) => Effect.Effect<{ readonly tries: number; readonly link: SignInLink | null } | null, StoreUnavailable>
    /**
     * Gives an unused link that has not expired at that time another token, and takes its code off: the mail's link and code end. The
     * right code, which was counted before, counts no more; the wrong ones still do. Of concurrent calls, and of those that use the link, one gets it.
     */
    readonly exchangeLink: (hash: string, newHash: string, atMs: Millis) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends all unused demo links. */
    readonly endDemoLinks: Effect.Effect<void, StoreUnavailable>

    /** Ends the browser's former session with it. */
    readonly start: (session: Session, former: SessionId | null) => Effect.Effect<void, StoreUnavailable>
    /** Live or not. */
    readonly byHash: (hash: string) => Effect.Effect<Session | null, StoreUnavailable>
    /** The time of the first confirmation stays. */
    readonly confirm: (sessionId: SessionId, atMs: Millis) => Effect.Effect<void, StoreUnavailable>
    /** Takes the confirmation off all sessions of these members. */
    readonly unconfirmAll: (memberIds: ReadonlyArray<MemberId>) => Effect.Effect<void, StoreUnavailable>
    readonly recordUse: (sessionId: SessionId, atMs: Millis) => Effect.Effect<void, StoreUnavailable>
    /** Only while the stored cart is `before`: of concurrent changes to one cart, one is saved, the others get `false`. */
    readonly saveCart: (
      sessionId: SessionId,
      cart: { readonly before: string | null; readonly after: string | null }
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Sessions of these members that were not ended and have not expired at that time, newest first. */
    readonly live: (
      memberIds: ReadonlyArray<MemberId>,
      nowMs: Millis
    ) => Effect.Effect<ReadonlyArray<Session>, StoreUnavailable>
    /** Idempotent. */
    readonly end: (sessionId: SessionId, atMs: Millis) => Effect.Effect<void, StoreUnavailable>
    /** Ends all sessions of these members but one, if named; how many. */
    readonly endAll: (
      memberIds: ReadonlyArray<MemberId>,
      atMs: Millis,
      except: SessionId | null
    ) => Effect.Effect<number, StoreUnavailable>
    /** Whether the member began a session from this network, ended or not. */
    readonly signedInFrom: (memberId: MemberId, network: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Deletes, by the store's time, links and counts that no longer matter, and sessions that began twice `SESSION_MAX_MS` ago. */
    readonly prune: Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/members/Sessions") {}
