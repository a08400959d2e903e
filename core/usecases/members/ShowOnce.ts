// Makes a secret, such as the text of a key, by a form, and leads it to the one page that shows it: sealed, for the session that made it. What
// the secret is made of is kept under the form's id before it is made, so that the same form sent again, after an answer that was late or
// lost, makes nothing new and leads to the same secret. Of presses at the same moment, one makes it and the others wait for two seconds at most:
// then they make it of the same bytes, because the one may have been cut off.
import { Clock, Context, Effect, Layer, Schedule, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import {
  isShownId,
  SHOWN_ENTROPY_BYTES,
  SHOWN_ID_BYTES,
  SHOWN_ONCE_MS,
  type ShownOnce,
  shownSeal
} from "#core/domain/members/Factor.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { Challenges, type ShownId } from "#core/ports/members/Challenges.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"

/** What is sealed: what the secret is made of, and what the page shows once it is made. Neither is there once the person has kept it. */
const Kept = Schema.fromJsonString(
  Schema.Struct({
    entropy: Schema.Uint8ArrayFromBase64,
    made: Schema.NullOr(Schema.String),
    isEnded: Schema.optionalKey(Schema.Boolean)
  })
)
type Kept = typeof Kept.Type

const ENDED: Kept = { entropy: new Uint8Array(), made: null, isEnded: true }

/** How long a press waits for another one of its form: two seconds. */
const WAIT_INTERVAL = "50 millis"
const MAX_WAITS = 40

const encode = Schema.encodeSync(Kept)
const decode = Schema.decodeUnknownSync(Kept)

export class ShowOnce extends Context.Service<
  ShowOnce,
  {
    /** For the form's hidden field. It is no secret. */
    readonly newId: Effect.Effect<string>
    /**
     * Makes the secret of a form, and keeps what its page shows of it for ten minutes. `make` is given the same random bytes whenever this form
     * is sent, and makes nothing new of bytes that it was given before; it is not run once the secret is there. Returns the id of the page:
     * that of the form, or a new one where the form's was not made here, belongs to another session, or has expired.
     */
    readonly make: <E, R>(
      signedIn: SignedIn,
      formId: string,
      make: (entropy: Uint8Array) => Effect.Effect<string, E, R>
    ) => Effect.Effect<string, E | StoreUnavailable, R>
    /** `made`: what the page shows, `null` while it is being made. Nothing if it was kept, is of another session, or is too old. */
    readonly look: (signedIn: SignedIn, shownId: string) => Effect.Effect<Pick<Kept, "made"> | null, StoreUnavailable>
    /** The person has kept it: it is shown no more. Its form is remembered for a day, so that it makes nothing if it is sent again. */
    readonly end: (signedIn: SignedIn, shownId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/usecases/members/ShowOnce") {
  static readonly layer = Layer.effect(
    ShowOnce,
    Effect.gen(function* () {
      const challenges = yield* Challenges
      const vault = yield* Vault
      const random = yield* SecureRandom.SecureRandom

      const idFor = ({ session: { sessionId } }: SignedIn, shownId: string): ShownId => ({
        shownId,
        holder: `session ${sessionId}`
      })

      const newId = Effect.map(random.randomBytes(SHOWN_ID_BYTES), Base64Url.encode)

      const sealed = Effect.fnUntraced(function* (of: ShownId, kept: Kept, lifetimeMs = SHOWN_ONCE_MS) {
        const createdAtMs = yield* Clock.currentTimeMillis
        const secret: ShownOnce = {
          ...of,
          sealed: yield* vault.seal(encode(kept), shownSeal(of)),
          createdAtMs,
          expiresAtMs: createdAtMs + lifetimeMs
        }
        return secret
      })

      const keptUnder = Effect.fnUntraced(function* (of: ShownId) {
        const found = yield* challenges.shown(of, yield* Clock.currentTimeMillis)
        return found === null ? null : decode(yield* vault.unseal(found.sealed, shownSeal(of)))
      })

      /** What is kept under the id by now; `null` where another session has the id, or it has expired. */
      const begin = Effect.fnUntraced(function* (of: ShownId) {
        const kept: Kept = { entropy: yield* random.randomBytes(SHOWN_ENTROPY_BYTES), made: null }
        if (yield* challenges.keepShown(yield* sealed(of, kept))) return { kept, isNew: true }
        const found = yield* keptUnder(of)
        return found === null ? null : { kept: found, isNew: false }
      })

      const isBeingMade = (kept: Kept | null): boolean => kept !== null && kept.made === null && kept.isEnded !== true

      /** What is kept under the id once another press has made it, or has had the time to; `null` where that press was refused. */
      const madeElsewhere = (of: ShownId) =>
        Effect.repeat(keptUnder(of), { while: isBeingMade, times: MAX_WAITS, schedule: Schedule.spaced(WAIT_INTERVAL) })

      const make = Effect.fn("ShowOnce.make")(function* <E, R>(
        signedIn: SignedIn,
        formId: string,
        makeOf: (entropy: Uint8Array) => Effect.Effect<string, E, R>
      ): Effect.fn.Return<string, E | StoreUnavailable, R> {
        const of = idFor(signedIn, isShownId(formId) ? formId : yield* newId)
        const begun = yield* begin(of)
        // Nothing can be made twice of an id that is new.
        if (begun === null) return yield* make(signedIn, "", makeOf)
        const { isNew } = begun
        const kept = isNew ? begun.kept : yield* madeElsewhere(of)
        if (kept === null) return yield* make(signedIn, formId, makeOf)
        if (kept.made !== null || kept.isEnded) return of.shownId
        // A form that was refused is corrected and sent again. What a store that did not answer was asked to make may be there.
        const made = yield* Effect.tapError(makeOf(kept.entropy), (error) =>
          isNew && !(error instanceof StoreUnavailable) ? Effect.ignore(challenges.endShown(of)) : Effect.void
        )
        yield* challenges.replaceShown(yield* sealed(of, { ...kept, made }))
        return of.shownId
      })

      return ShowOnce.of({
        newId,
        make,
        look: Effect.fn("ShowOnce.look")((signedIn, shownId) =>
          Effect.map(keptUnder(idFor(signedIn, shownId)), (kept) => (kept?.isEnded ? null : kept))
        ),
        end: Effect.fn("ShowOnce.end")(function* (signedIn, shownId) {
          const of = idFor(signedIn, shownId)
          if ((yield* keptUnder(of)) !== null) yield* challenges.replaceShown(yield* sealed(of, ENDED, DAY_MS))
        })
      })
    })
  )
}
