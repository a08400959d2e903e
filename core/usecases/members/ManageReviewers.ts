// Makes, lists and ends the sign-ins of reviewers, each with an account of the sandbox.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url, Hex } from "effect/encoding"
import { openAccount } from "#core/decisions/members/Accounts.ts"
import { recordReviewer } from "#core/decisions/members/Reviewers.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { firstOwner } from "#core/domain/members/Member.ts"
import { ReviewerNameTaken, ReviewerNotFound } from "#core/domain/members/MemberRefusal.ts"
import { PASSWORD_BYTES, type Reviewer, reviewerEmail } from "#core/domain/members/Reviewer.ts"
import { Passwords } from "#core/ports/members/Passwords.ts"
import { Reviewers } from "#core/ports/members/Reviewers.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { CloseAccount } from "./CloseAccount.ts"

const DAY_MS = 86_400_000
const SUFFIX_BYTES = 6

/** The password is returned once and stored nowhere. */
export interface NewReviewer {
  readonly reviewer: Reviewer
  readonly password: Redacted.Redacted<string>
}

export class ManageReviewers extends Context.Service<
  ManageReviewers,
  {
    readonly create: (
      input: { readonly name: string; readonly days: number },
      actor: Actor
    ) => Effect.Effect<NewReviewer, ReviewerNameTaken | StoreUnavailable>
    /** Newest first, ended ones too. */
    readonly list: Reviewers["Service"]["all"]
    /** Also closes the account: its keys, connections and sessions end. */
    readonly end: (name: string, actor: Actor) => Effect.Effect<Reviewer, ReviewerNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/members/ManageReviewers") {
  static readonly layer = Layer.effect(
    ManageReviewers,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const reviewers = yield* Reviewers
      const passwords = yield* Passwords
      const random = yield* SecureRandom.SecureRandom
      const { close } = yield* CloseAccount

      const record = (reviewer: Reviewer, action: "reviewer.create" | "reviewer.end", actor: Actor) =>
        Effect.orDie(
          book.transact({ _tag: "ForAccount", accountId: reviewer.accountId }, recordReviewer(reviewer, action, actor))
        )

      const closeFor = ({ accountId, name }: Reviewer, actor: Actor) =>
        // The account was just read or opened.
        Effect.catchTag(close({ accountId, reason: `review by ${name} ended` }, actor), "AccountNotFound", Effect.die)

      return ManageReviewers.of({
        create: Effect.fn("ManageReviewers.create")(function* ({ name, days }, actor) {
          if ((yield* reviewers.byName(name)) !== null) return yield* new ReviewerNameTaken({ name })
          const text = Base64Url.encode(yield* random.randomBytes(PASSWORD_BYTES))
          const email = reviewerEmail(name, Hex.encode(yield* random.randomBytes(SUFFIX_BYTES)))
          const opening = openAccount({ name: `Review by ${name}`, email, actor, role: "reviewer" })
          // The address is made for this account alone.
          const account = yield* book
            .transact({ _tag: "ForEmail", email }, opening)
            .pipe(Effect.catchTag("EmailTaken", Effect.die))
          const { accountId, memberId } = firstOwner(account)
          const createdAtMs = yield* Clock.currentTimeMillis
          const times = { createdAtMs, expiresAtMs: createdAtMs + days * DAY_MS, endedAtMs: null }
          const passwordHash = yield* passwords.hash(text)
          const reviewer: Reviewer = { name: name.trim(), memberId, accountId, passwordHash, ...times }
          if (!(yield* reviewers.add(reviewer))) {
            yield* closeFor(reviewer, actor)
            return yield* new ReviewerNameTaken({ name })
          }
          yield* record(reviewer, "reviewer.create", actor)
          return { reviewer, password: Redacted.make(text) }
        }),
        list: reviewers.all,
        end: Effect.fn("ManageReviewers.end")(function* (name, actor) {
          const reviewer = yield* reviewers.byName(name)
          if (reviewer === null) return yield* new ReviewerNotFound({ name })
          yield* closeFor(reviewer, actor)
          // Last, so that the same command again continues where this one was cut off.
          const endedAtMs = yield* Clock.currentTimeMillis
          yield* reviewers.end(reviewer.memberId, endedAtMs)
          yield* record(reviewer, "reviewer.end", actor)
          return { ...reviewer, endedAtMs }
        })
      })
    })
  )
}
