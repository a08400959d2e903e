// Signs a reviewer in by name and password. Known and unknown names are answered alike, and after the same work.
import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url, Hex } from "effect/encoding"
import type { KnownDevice } from "#core/domain/members/KnownDevice.ts"
import { PasswordRefused } from "#core/domain/members/MemberRefusal.ts"
import { MAX_PASSWORD, PASSWORD_BYTES, type Reviewer, reviewerIsLive } from "#core/domain/members/Reviewer.ts"
import { ATTEMPT_ID_BYTES, passwordBounds } from "#core/domain/members/SignInBounds.ts"
import { Shares } from "#core/domain/shared/Shares.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Passwords } from "#core/ports/members/Passwords.ts"
import { Reviewers } from "#core/ports/members/Reviewers.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { KnownDevices } from "./KnownDevices.ts"
import { type Client, MemberSessions, type NewSession } from "./MemberSessions.ts"

/** Each takes memory and a thread for a while. Devices from which a reviewer signed in before have their own, so that no flood delays them. */
const AT_ONCE = 2

/** Attempts that are under way; further ones are refused before the database is read, so that a flood has no more of it than this. */
const UNDER_WAY = { capacity: 20, perSource: 2 }

export class SignInByPassword extends Context.Service<
  SignInByPassword,
  {
    readonly use: (
      typed: { readonly name: string; readonly password: string },
      client: Client & { readonly devices: string }
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
      const devices = yield* KnownDevices
      const turns = { known: yield* Semaphore.make(AT_ONCE), strangers: yield* Semaphore.make(AT_ONCE) }
      const places = { known: new Shares(UNDER_WAY), strangers: new Shares(UNDER_WAY) }
      /** For names that there are not; no password that is typed is this one's. */
      const makeNoHash = yield* Effect.cached(
        Effect.flatMap(random.randomBytes(PASSWORD_BYTES), (bytes) => passwords.hash(Base64Url.encode(bytes)))
      )

      const mayTry = Effect.fnUntraced(function* (name: string, network: string, device: KnownDevice | null) {
        const id = Hex.encode(yield* random.randomBytes(ATTEMPT_ID_BYTES))
        const atMs = yield* Clock.currentTimeMillis
        return yield* sessions.countAttempt({ id, atMs }, passwordBounds({ name, network, device }))
      })

      const attempt = Effect.fnUntraced(function* (
        { name, password }: { readonly name: string; readonly password: string },
        client: Client,
        { reviewer, device }: { readonly reviewer: Reviewer | null; readonly device: KnownDevice | null }
      ) {
        if (!(yield* mayTry(name, client.network, device))) return yield* new PasswordRefused()
        // Made by the first attempt, whatever its name.
        const noHash = yield* makeNoHash
        const turn = device === null ? turns.strangers : turns.known
        const isRight = yield* turn.withPermits(1)(passwords.verify(password, reviewer?.passwordHash ?? noHash))
        const nowMs = yield* Clock.currentTimeMillis
        if (reviewer === null || !isRight || !reviewerIsLive(reviewer, nowMs)) return yield* new PasswordRefused()
        const known = yield* members.byId(reviewer.memberId)
        if (known === null || known.account.closedAtMs !== undefined) return yield* new PasswordRefused()
        return yield* memberSessions.start(known, "password", client)
      })

      const inPlace = <A, E>(of: Shares, source: string, work: Effect.Effect<A, E>) =>
        Effect.suspend(
          (): Effect.Effect<A, E | PasswordRefused> =>
            of.take(source)
              ? Effect.ensuring(
                  work,
                  Effect.sync(() => of.giveBack(source))
                )
              : Effect.fail(new PasswordRefused())
        )

      return SignInByPassword.of({
        use: Effect.fn("SignInByPassword.use")(function* (typed, client) {
          if (typed.password.length > MAX_PASSWORD) return yield* new PasswordRefused()
          const marks = yield* devices.recognise(client.devices)
          const asStranger = (work: Effect.Effect<NewSession, PasswordRefused | StoreUnavailable>) =>
            inPlace(places.strangers, client.network, work)
          const attempted = Effect.gen(function* () {
            const reviewer = yield* reviewers.byName(typed.name)
            const device = marks.find(({ memberId }) => memberId === reviewer?.memberId) ?? null
            const one = attempt(typed, client, { reviewer, device })
            // A device of someone else guesses like any stranger.
            return yield* device === null && marks.length > 0 ? asStranger(one) : one
          })
          const [latest] = marks
          return yield* latest === undefined ? asStranger(attempted) : inPlace(places.known, latest.deviceId, attempted)
        })
      })
    })
  )
}
