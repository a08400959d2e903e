// One-time codes that stand in for a lost second factor. An operator, or an owner who confirms it, hands one to a member.
import { Clock, Context, Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { recordFactorChange } from "#core/decisions/members/Factors.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import { RESET_CODE_BYTES, RESET_CODE_MS, resetCodeKey, resetCodeText } from "#core/domain/members/Factor.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { MemberNotFound } from "#core/domain/members/MemberRefusal.ts"
import { MemberId } from "#core/domain/shared/Ids.ts"
import { Challenges } from "#core/ports/members/Challenges.ts"
import { Members } from "#core/ports/members/Members.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export class ResetCodes extends Context.Service<
  ResetCodes,
  {
    /**
     * Good for 24 hours, in place of earlier ones of this member. The text is returned once and stored nowhere. `entropy`: random bytes that the
     * code is made of; the same give the same code.
     */
    readonly issue: (
      member: Pick<Member, "accountId" | "memberId">,
      by: { readonly operator: Actor } | Confirmed,
      entropy?: Uint8Array
    ) => Effect.Effect<string, MemberNotFound | StoreUnavailable>
    /** The same for the member with this address in any spelling. */
    readonly issueFor: (
      email: string,
      by: { readonly operator: Actor }
    ) => Effect.Effect<{ readonly member: Member; readonly code: string }, MemberNotFound | StoreUnavailable>
    /** Whether this is a code of the member, which it uses up. */
    readonly use: (memberId: MemberId, typed: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("backlinks/usecases/members/ResetCodes") {
  static readonly layer = Layer.effect(
    ResetCodes,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const members = yield* Members
      const challenges = yield* Challenges
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom

      const hashOf = (key: string) => digest.digestHex(Digest.sha256, new TextEncoder().encode(key))

      const issue = Effect.fnUntraced(function* (
        { accountId, memberId }: Pick<Member, "accountId" | "memberId">,
        by: { readonly operator: Actor } | Confirmed,
        entropy?: Uint8Array
      ) {
        const bytes = entropy?.slice(0, RESET_CODE_BYTES) ?? (yield* random.randomBytes(RESET_CODE_BYTES))
        const hex = Hex.encode(bytes).toUpperCase()
        const decide = recordFactorChange({ accountId, memberId, action: "factor.code_issued", by })
        yield* book.transact({ _tag: "ForAccount", accountId }, decide)
        const createdAtMs = yield* Clock.currentTimeMillis
        const expiresAtMs = createdAtMs + RESET_CODE_MS
        yield* challenges.keepCode({ hash: yield* hashOf(hex), memberId, createdAtMs, expiresAtMs })
        return resetCodeText(hex)
      })

      return ResetCodes.of({
        issue: Effect.fn("ResetCodes.issue")(issue),
        issueFor: Effect.fn("ResetCodes.issueFor")(function* (email, by) {
          const found = yield* members.byEmail(email)
          if (found === null) return yield* new MemberNotFound({ memberId: MemberId.make(email) })
          return { member: found.member, code: yield* issue(found.member, by) }
        }),
        use: Effect.fn("ResetCodes.use")(function* (memberId, typed) {
          const key = resetCodeKey(typed)
          if (key === null) return false
          return yield* challenges.useCode(memberId, yield* hashOf(key), yield* Clock.currentTimeMillis)
        })
      })
    })
  )
}
