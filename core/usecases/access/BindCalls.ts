// Lets a call with an idempotency key take effect once. The key binds before the call runs, and its answer is kept afterwards; what is left
// between the two by a crash runs again from the same origin, from which it makes the same as before. Twins run alike, and answer alike.
import { Clock, Context, Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import {
  type BoundCall,
  CALL_SECRET_BYTES,
  CallKeyReused,
  type CallOrigin,
  callSeal,
  isAnswered,
  keepsSecret
} from "#core/domain/access/BoundCall.ts"
import type { StoredResponse } from "#core/domain/ordering/Idempotency.ts"
import { canonicalJson, type Json } from "#core/domain/shared/CanonicalJson.ts"
import { CONTEXT_ENTROPY_BYTES, makeDecisionContext } from "#core/domain/shared/DecisionContext.ts"
import { BoundCalls } from "#core/ports/access/BoundCalls.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"

export interface CallToBind {
  readonly caller: Caller
  /** Method and path, with the ids in it. */
  readonly call: string
  readonly idempotencyKey: string
  /** The validated body. */
  readonly body: Json
}

/** `withoutSecret`: the body as it is answered once its secret is not kept any more; `null` if it holds none. */
export interface CallAnswer extends StoredResponse {
  readonly withoutSecret: string | null
}

/** What a call fails with that may have taken effect all the same: the key stays bound to it, so that the same request finds out. */
const UNCERTAIN: ReadonlySet<string> = new Set(["ProcessorUnavailable", "StoreUnavailable"])

export class BindCalls extends Context.Service<
  BindCalls,
  {
    /** Runs the call, or answers what it answered before. A refused call leaves its key free. */
    readonly once: <E extends { readonly _tag: string }>(
      call: CallToBind,
      run: (origin: CallOrigin) => Effect.Effect<CallAnswer, E>
    ) => Effect.Effect<
      { readonly answer: StoredResponse; readonly replayed: boolean },
      E | CallKeyReused | StoreUnavailable
    >
  }
>()("backlinks/usecases/access/BindCalls") {
  static readonly layer = Layer.effect(
    BindCalls,
    Effect.gen(function* () {
      const calls = yield* BoundCalls
      const vault = yield* Vault
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom

      const hashOf = (text: string) => digest.digestHex(Digest.sha256, new TextEncoder().encode(text))

      /** The call as it is bound if it is the first. */
      const fresh = Effect.fnUntraced(function* ({ caller, call, idempotencyKey, body }: CallToBind) {
        const atMs = yield* Clock.currentTimeMillis
        const callHash = yield* hashOf(canonicalJson([caller.keyId, call, idempotencyKey]))
        const { idPrefix } = makeDecisionContext(atMs, yield* random.randomBytes(CONTEXT_ENTROPY_BYTES))
        const bytes = Base64Url.encode(yield* random.randomBytes(CALL_SECRET_BYTES))
        const bound: BoundCall = {
          ...{ callHash, fingerprint: yield* hashOf(canonicalJson(body)), boundAtMs: atMs, idPrefix },
          sealed: yield* vault.seal(bytes, callSeal({ callHash })),
          ...{ answerStatus: null, answerBody: null, answeredAtMs: null }
        }
        return bound
      })

      const originOf = Effect.fnUntraced(function* (bound: BoundCall) {
        const { boundAtMs: atMs, idPrefix, sealed } = bound
        const bytes = yield* vault.unseal(sealed ?? "", callSeal(bound))
        const secretBytes = yield* Effect.orDie(Effect.fromResult(Base64Url.decode(bytes)))
        return { atMs, idPrefix, secretBytes }
      })

      /** The answer that is kept, with its secret while that is. */
      const answerOf = Effect.fnUntraced(function* (bound: BoundCall) {
        const { answerStatus, answerBody, sealed } = bound
        const isWhole = keepsSecret(bound, yield* Clock.currentTimeMillis)
        const body = isWhole && sealed !== null ? yield* vault.unseal(sealed, callSeal(bound)) : answerBody
        return { status: answerStatus ?? 0, body: body ?? "" }
      })

      const keep = Effect.fnUntraced(function* (bound: BoundCall, { status, body, withoutSecret }: CallAnswer) {
        const kept = yield* calls.answer({
          ...bound,
          sealed: withoutSecret === null ? null : yield* vault.seal(body, callSeal(bound)),
          answerStatus: status,
          answerBody: withoutSecret ?? body,
          answeredAtMs: yield* Clock.currentTimeMillis
        })
        return yield* answerOf(kept)
      })

      return BindCalls.of({
        once: Effect.fn("BindCalls.once")(function* <E extends { readonly _tag: string }>(
          call: CallToBind,
          run: (origin: CallOrigin) => Effect.Effect<CallAnswer, E>
        ) {
          const mine = yield* fresh(call)
          const bound = yield* calls.bind(mine)
          if (bound.fingerprint !== mine.fingerprint) return yield* new CallKeyReused()
          if (isAnswered(bound)) return { answer: yield* answerOf(bound), replayed: true }
          const answered = yield* run(yield* originOf(bound)).pipe(
            // Only by the call that bound it: a twin may still be running.
            Effect.tapError(({ _tag }) =>
              UNCERTAIN.has(_tag) || bound.idPrefix !== mine.idPrefix ? Effect.void : calls.release(bound.callHash)
            )
          )
          return { answer: yield* keep(bound, answered), replayed: false }
        })
      })
    })
  )
}
