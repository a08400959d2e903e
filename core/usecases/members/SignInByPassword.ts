// Signs a reviewer in by name and password. Known and unknown names are answered alike, and after the same work.
import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url, Hex } from "effect/encoding"
import { PasswordRefused } from "#core/domain/members/MemberRefusal.ts"
import { MAX_PASSWORD, PASSWORD_BYTES, reviewerIsLive } from "#core/domain/members/Reviewer.ts"
import { passwordBounds } from "#core/domain/members/SignInBounds.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Passwords } from "#core/ports/members/Passwords.ts"
import { Reviewers } from "#core/ports/members/Reviewers.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type Client, MemberSessions, type NewSession } from "./MemberSessions.ts"

const ATTEMPT_ID_BYTES = 16

/** Each takes memory and a thread for a while. */
const AT_ONCE = 2

export class SignInByPassword extends Context.Service<
  SignInByPassword,
  {
    readonly use: (
      typed: { readonly name: string; readonly password: string },
      client: Client
    ) => Effect.Effect<NewSession, PasswordRefused | StoreUnavailable>
  }
>()("backlinks/usecases/members/SignInByPassword") {
  static readonly layer = Layer.effect(
    SignInByPassword,
    Effect.gen(function* () {
      const members = yield* Members
      const sessions = yield* Sessions
      const reviewers = yield* Reviewers
      const passwords = yield* Passwords
      const memberSessions = yield* MemberSessions
      const random = yield* SecureRandom.SecureRandom
      const turns = yield* Semaphore.make(AT_ONCE)
      /** For names that there are not; no password that is typed is this one's. */
      const makeNoHash = yield* Effect.cached(
        Effect.flatMap(random.randomBytes(PASSWORD_BYTES), (bytes) => passwords.hash(Base64Url.encode(bytes)))
      )

      const mayTry = Effect.fnUntraced(function* (name: string, { network }: Client) {
        const id = Hex.encode(yield* random.randomBytes(ATTEMPT_ID_BYTES))
        const atMs = yield* Clock.currentTimeMillis
        return yield* sessions.countAttempt({ id, atMs }, passwordBounds({ name, network }))
      })

      return SignInByPassword.of({
        use: Effect.fn("SignInByPassword.use")(function* ({ name, password }, client) {
          if (password.length > MAX_PASSWORD || !(yield* mayTry(name, client))) return yield* new PasswordRefused()
          // Made by the first attempt, whatever its name.
          const noHash = yield* makeNoHash
          const reviewer = yield* reviewers.byName(name)
          const isRight = yield* turns.withPermits(1)(passwords.verify(password, reviewer?.passwordHash ?? noHash))
          const nowMs = yield* Clock.currentTimeMillis
          if (reviewer === null || !isRight || !reviewerIsLive(reviewer, nowMs)) return yield* new PasswordRefused()
          const known = yield* members.byId(reviewer.memberId)
          if (known === null || known.account.closedAtMs !== undefined) return yield* new PasswordRefused()
          return yield* memberSessions.start(known, "password", client)
        })
      })
    })
  )
}
