// The codes of sign-in mails: made for the browser that asks, and exchanged there for another token of the same link. What was sent to whom is
// told by no answer: a code is counted, hashed and looked up alike whether or not there is a mail.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Digest, Mac, SecureRandom } from "effect/crypto"
import { Base64Url, Hex } from "effect/encoding"
import { isFor } from "#core/domain/members/KnownDevice.ts"
import { CodeRefused, SignInLinkInvalid } from "#core/domain/members/MemberRefusal.ts"
import { MAX_CODE_ATTEMPTS, TOKEN_BYTES } from "#core/domain/members/Session.ts"
import { ATTEMPT_ID_BYTES, codeBounds } from "#core/domain/members/SignInBounds.ts"
import {
  AskedCode,
  CODE_ENTROPY_BYTES,
  CODE_SEAL,
  codeFrom,
  codeMayBeTyped,
  typedCode
} from "#core/domain/members/SignInCode.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import { KnownDevices } from "./KnownDevices.ts"

const Kept = Schema.fromJsonString(AskedCode)

/** Longer texts were not made here. */
const MAX_KEPT = 2_000

const encoder = new TextEncoder()

export class SignInCodes extends Context.Service<
  SignInCodes,
  {
    /** For a request for a mail: what the browser keeps of it, and the secret to which the code is bound. */
    readonly ask: (email: string) => Effect.Effect<{ readonly kept: string; readonly secret: string }>
    /** A new code, and what is stored of it. */
    readonly make: (secret: string) => Effect.Effect<{
      readonly code: string
      readonly browserHash: string
      readonly codeHash: string
    }>
    /** The request of which this browser may type the code; `null` without one, and after 15 minutes. */
    readonly asked: (kept: string) => Effect.Effect<AskedCode | null>
    /**
     * The token of a link that does what the mailed one did, which ends with the code. `CodeRefused` leaves both, until the fifth wrong code ends
     * them; then, and where no more codes are taken, `SignInLinkInvalid`.
     */
    readonly exchange: (
      typed: string,
      browser: { readonly kept: string; readonly devices: string; readonly network: string }
    ) => Effect.Effect<string, CodeRefused | SignInLinkInvalid | StoreUnavailable>
  }
>()("backlinks/usecases/members/SignInCodes") {
  static readonly layer = Layer.effect(
    SignInCodes,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const vault = yield* Vault
      const digest = yield* Digest.Digest
      const mac = yield* Mac.Mac
      const random = yield* SecureRandom.SecureRandom
      const devices = yield* KnownDevices

      const sha256 = (text: string) => digest.digestHex(Digest.sha256, encoder.encode(text))

      const newToken = Effect.map(random.randomBytes(TOKEN_BYTES), Base64Url.encode)

      // The key is a text of this service, and the hash one that the platform has: neither fails.
      const hashOf = (secret: string, code: string) =>
        Mac.key(Mac.hmacSha256, encoder.encode(secret)).pipe(
          Effect.flatMap((key) => mac.sign(key, encoder.encode(code))),
          Effect.map(Hex.encode),
          Effect.orDie
        )

      const asked = Effect.fnUntraced(function* (kept: string) {
        const text = kept === "" || kept.length > MAX_KEPT ? null : yield* vault.open(kept, CODE_SEAL)
        if (text === null) return null
        const request = Schema.decodeUnknownSync(Kept)(text)
        return codeMayBeTyped(request, yield* Clock.currentTimeMillis) ? request : null
      })

      return SignInCodes.of({
        ask: Effect.fn("SignInCodes.ask")(function* (email) {
          const secret = yield* newToken
          const request: AskedCode = { secret, email, atMs: yield* Clock.currentTimeMillis }
          return { kept: yield* vault.seal(JSON.stringify(request), CODE_SEAL), secret }
        }),
        make: Effect.fn("SignInCodes.make")(function* (secret) {
          const code = codeFrom(yield* random.randomBytes(CODE_ENTROPY_BYTES))
          return { code, browserHash: yield* sha256(secret), codeHash: yield* hashOf(secret, code) }
        }),
        asked: Effect.fn("SignInCodes.asked")(asked),
        exchange: Effect.fn("SignInCodes.exchange")(function* (typed, { kept, network, devices: marks }) {
          const request = yield* asked(kept)
          if (request === null) return yield* new SignInLinkInvalid()
          const code = typedCode(typed)
          if (code === null) return yield* new CodeRefused({})
          const { email, secret } = request
          const device = (yield* devices.recognise(marks)).find((mark) => isFor(mark, email)) ?? null
          const browserHash = yield* sha256(secret)
          const atMs = yield* Clock.currentTimeMillis
          const id = Hex.encode(yield* random.randomBytes(ATTEMPT_ID_BYTES))
          const hash = encoder.encode(yield* hashOf(secret, code))
          const bounds = codeBounds({ browserHash, email, network, device })
          const counted = yield* sessions.countTry({ id, atMs, browserHash }, bounds)
          if (counted === null) return yield* new SignInLinkInvalid()
          const { link, tries } = counted
          const isRight = Mac.timingSafeEqual(hash, encoder.encode(link?.codeHash ?? ""))
          const left = MAX_CODE_ATTEMPTS - tries
          if (link === null || !isRight) return yield* left > 0 ? new CodeRefused({ left }) : new SignInLinkInvalid()
          const token = yield* newToken
          const isExchanged = yield* sessions.exchangeLink(link.hash, yield* sha256(token), atMs)
          return isExchanged ? token : yield* new SignInLinkInvalid()
        })
      })
    })
  )
}
