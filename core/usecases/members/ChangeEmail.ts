// Changes the address of a member: asks both mailboxes by mail, and is done once both have confirmed on the page of their link. Opening a link
// changes nothing, because mail scanners open links too.
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url, Hex } from "effect/encoding"
import {
  askEmailChange,
  confirmEmailChange,
  type EmailChangeStep,
  endEmailChange,
  finishEmailChange
} from "#core/decisions/members/EmailChanges.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import {
  type EmailChange,
  type EmailSide,
  openChange,
  sideOf,
  unfinishedChange
} from "#core/domain/members/EmailChange.ts"
import type {
  AccountClosed,
  AccountNotFound,
  EmailTaken,
  MemberNotFound,
  SandboxAccount
} from "#core/domain/members/MemberRefusal.ts"
import { type SignedIn, TOKEN_BYTES } from "#core/domain/members/Session.ts"
import { ATTEMPT_ID_BYTES, changeBounds } from "#core/domain/members/SignInBounds.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { Mailer } from "#core/ports/mails/Mailer.ts"
import { MemberArea } from "#core/ports/members/MemberArea.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { linkHash } from "./SignInLinks.ts"

/** What a link shows. */
export interface ShownEmailChange {
  readonly change: EmailChange
  readonly side: EmailSide
  readonly accountName: string
  /** The address has changed, but sessions may not have ended, because the store was away: another press ends them. */
  readonly isDone: boolean
}

/** A mail server that is away for a moment. A mail that is lost with its instance is asked for again. */
const RETRIES = { schedule: Schedule.exponential("2 seconds"), times: 5 }

/** What stands between the member's id and the secret; neither has it. */
const BETWEEN = "."

export class ChangeEmail extends Context.Service<
  ChangeEmail,
  {
    /**
     * Asks both mailboxes, in place of an earlier change; `null`, and no mail is sent, where the member or the address had too many today.
     * The answer tells nothing of other accounts; `EmailTaken`: the address is that of a member of this one.
     */
    readonly ask: (
      signedIn: SignedIn,
      to: string,
      by: Confirmed
    ) => Effect.Effect<
      EmailChange | null,
      AccountClosed | AccountNotFound | EmailTaken | MemberNotFound | SandboxAccount | StoreUnavailable
    >
    /** The change that waits for its mailboxes. */
    readonly waiting: (signedIn: SignedIn) => Effect.Effect<EmailChange | null>
    /** The member withdraws it; `null` where none waits any more. */
    readonly withdraw: (signedIn: SignedIn) => Effect.Effect<EmailChange | null, StoreUnavailable>
    /** The change of a link; `null` once it has ended. Changes nothing. */
    readonly look: (token: string) => Effect.Effect<ShownEmailChange | null, StoreUnavailable>
    /**
     * Confirms it. The second mailbox changes the address, and ends the member's sessions except for the one that presses, if it is theirs. Where
     * the store fails in between, another press of either link ends them.
     */
    readonly accept: (
      token: string,
      who: SignedIn | null
    ) => Effect.Effect<EmailChangeStep, EmailTaken | StoreUnavailable>
    /** Ends it, by the link to the old mailbox; `null` by any other. */
    readonly refuse: (token: string) => Effect.Effect<EmailChange | null, StoreUnavailable>
  }
>()("backlinks/usecases/members/ChangeEmail") {
  static readonly layer = Layer.effect(
    ChangeEmail,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const members = yield* Members
      const sessions = yield* Sessions
      const mailer = yield* Mailer
      const { emailChangePage } = yield* MemberArea
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const scope = yield* Effect.scope

      const newToken = Effect.fnUntraced(function* (memberId: MemberId) {
        const token = `${memberId}${BETWEEN}${Base64Url.encode(yield* random.randomBytes(TOKEN_BYTES))}`
        return { token, hash: yield* linkHash(digest, token) }
      })

      const mayAsk = Effect.fnUntraced(function* (memberId: MemberId, to: string) {
        const id = Hex.encode(yield* random.randomBytes(ATTEMPT_ID_BYTES))
        return yield* sessions.countAttempt({ id, atMs: yield* Clock.currentTimeMillis }, changeBounds(memberId, to))
      })

      const send = (side: EmailSide, token: string, { account, member }: SignedIn, change: EmailChange) => {
        const { from, to, expiresAtMs } = change
        const { timeZone } = member
        return mailer
          .send(side === "old" ? from : to, {
            ...{ _tag: "EmailChange", side, accountName: account.name, from, to, expiresAtMs },
            ...(timeZone === undefined ? {} : { timeZone }),
            url: emailChangePage(token)
          })
          .pipe(
            Effect.retry(RETRIES),
            Effect.catchCause((cause) => Effect.logWarning("A mail on a change of address was not sent", cause)),
            Effect.forkIn(scope)
          )
      }

      /** The member whom a token names, the hash of the token, and the change that it is for. */
      const ofToken = Effect.fnUntraced(function* (token: string) {
        const [memberId = ""] = token.split(BETWEEN)
        const found = yield* members.byId(MemberId.make(memberId))
        if (found === null || found.member.removedAtMs !== null || found.account.closedAtMs !== undefined) return null
        const hash = yield* linkHash(digest, token)
        const done = unfinishedChange(found.member)
        const change = done ?? openChange(found.member, yield* Clock.currentTimeMillis)
        const side = change === null ? null : sideOf(change, hash)
        return change === null || side === null ? null : { ...found, hash, change, side, isDone: done !== null }
      })

      const accept = Effect.fn("ChangeEmail.accept")(function* (token: string, who: SignedIn | null) {
        const found = yield* ofToken(token)
        if (found === null) return { _tag: "Ended" as const }
        const { hash, change, member, isDone } = found
        const { accountId, memberId } = member
        const reads = { _tag: "ForEmail" as const, email: change.to, accountId }
        const step: EmailChangeStep = isDone
          ? { _tag: "Changed", change, member }
          : yield* book.transact(reads, confirmEmailChange({ memberId, hash }))
        if (step._tag === "Changed") {
          const kept = who?.member.memberId === memberId ? who.session.sessionId : null
          yield* sessions.endAll([memberId], yield* Clock.currentTimeMillis, kept)
          yield* book.transact({ _tag: "ForAccount", accountId }, finishEmailChange(memberId, change))
        }
        return step
      })

      const end = (accountId: SignedIn["account"]["accountId"], input: Parameters<typeof endEmailChange>[0]) =>
        book.transact({ _tag: "ForAccount", accountId }, endEmailChange(input))

      return ChangeEmail.of({
        ask: Effect.fn("ChangeEmail.ask")(function* (signedIn, typed, { memberId }) {
          const { accountId } = signedIn.account
          const to = typed.trim()
          if (!(yield* mayAsk(memberId, to))) return null
          const [old, next] = [yield* newToken(memberId), yield* newToken(memberId)]
          const hashes = { oldHash: old.hash, newHash: next.hash }
          const asked = askEmailChange({ accountId, memberId, to, hashes })
          const change = yield* book.transact({ _tag: "ForAccount", accountId }, asked)
          yield* send("old", old.token, signedIn, change)
          yield* send("new", next.token, signedIn, change)
          return change
        }),
        waiting: ({ member }) => Effect.map(Clock.currentTimeMillis, (nowMs) => openChange(member, nowMs)),
        withdraw: Effect.fn("ChangeEmail.withdraw")(({ member: { accountId, memberId } }) =>
          end(accountId, { memberId })
        ),
        look: Effect.fn("ChangeEmail.look")(function* (token) {
          const found = yield* ofToken(token)
          if (found === null) return null
          const { change, side, account, isDone } = found
          return { change, side, accountName: account.name, isDone }
        }),
        accept,
        refuse: Effect.fn("ChangeEmail.refuse")(function* (token) {
          const found = yield* ofToken(token)
          if (found?.side !== "old") return null
          const { accountId, memberId } = found.member
          return yield* end(accountId, { memberId, oldHash: found.hash })
        })
      })
    })
  )
}
