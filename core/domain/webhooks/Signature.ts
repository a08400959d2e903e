// The signature of a webhook delivery (header `Service-Signature`): how it is made. The client verifies it.
import { type Array, Brand, Effect } from "effect"
import { Digest, Mac } from "effect/crypto"
import { Hex } from "effect/encoding"

/** The HMAC key of a subscription: the 64 lowercase hex characters of SHA-256 of its secret. Not the secret itself. */
export type SigningKey = Brand.Branded<string, "SigningKey">

/** Marks text from storage as a signing key. */
export const SigningKey = Brand.nominal<SigningKey>()

/** How much older or newer than its clock a receiver should accept a delivery. */
export const DEFAULT_TOLERANCE_SECONDS = 300

const encoder = new TextEncoder()

/** Derives the key that deliveries are signed with from the subscription's secret. */
export const signingKey = Effect.fnUntraced(function* (
  secret: string
): Effect.fn.Return<SigningKey, never, Digest.Digest> {
  const digest = yield* Digest.Digest
  return SigningKey(yield* digest.digestHex(Digest.sha256, encoder.encode(secret)))
})

/** The signed bytes: `<t>.<raw body>`. */
const signedBytes = (timestampSeconds: number, body: Uint8Array): Uint8Array => {
  const time = encoder.encode(`${timestampSeconds}.`)
  const bytes = new Uint8Array(time.length + body.length)
  bytes.set(time)
  bytes.set(body, time.length)
  return bytes
}

// HMAC-SHA256 with a non-empty key cannot fail; a platform without it is a defect.
const tagOf = (key: SigningKey, bytes: Uint8Array): Effect.Effect<string, never, Mac.Mac> =>
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const hmacKey = yield* Mac.key(Mac.hmacSha256, encoder.encode(key))
    return Hex.encode(yield* mac.sign(hmacKey, bytes))
  }).pipe(Effect.orDie)

/**
 * The value of the signature header, `t=<unix>,v1=<hex>`: the time in whole seconds, then one `v1` per key, the newest key first
 * (several while rotated secrets are still valid). `body` must be sent exactly as given here.
 */
export const sign = Effect.fnUntraced(function* (delivery: {
  readonly signingKeys: Array.NonEmptyReadonlyArray<SigningKey>
  readonly timestampSeconds: number
  readonly body: Uint8Array
}): Effect.fn.Return<string, never, Mac.Mac> {
  const bytes = signedBytes(delivery.timestampSeconds, delivery.body)
  const tags = yield* Effect.forEach(delivery.signingKeys, (key) => tagOf(key, bytes))
  return [`t=${delivery.timestampSeconds}`, ...tags.map((tag) => `v1=${tag}`)].join(",")
})
