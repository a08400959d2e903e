// The signature of a webhook delivery (header `Service-Signature`): how it is made, and how its receiver verifies it.
import { type Array, Brand, Effect, Option } from "effect"
import { Digest, Mac } from "effect/crypto"
import { Hex } from "effect/encoding"

/** The HMAC key of a subscription: the 64 lowercase hex characters of SHA-256 of its secret. Not the secret itself. */
export type SigningKey = Brand.Branded<string, "SigningKey">

/** Marks text from storage as a signing key. */
export const SigningKey = Brand.nominal<SigningKey>()

/** Why a delivery is rejected. `too_new`: the sender's clock is ahead of the receiver's by more than the tolerance. */
export type SignatureFault = "malformed" | "too_old" | "too_new" | "mismatch"

/** The result of a verification. */
export type Verdict = { readonly _tag: "Accepted" } | { readonly _tag: "Refused"; readonly reason: SignatureFault }

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

const fieldShape = /^[a-z][a-z0-9]*=[!-+\--~]+$/ // visible ASCII but the comma
const timeShape = /^(?:0|[1-9][0-9]{0,11})$/
const tagShape = /^[0-9a-f]{64}$/

/** One `t` and at least one `v1`; unknown schemes are ignored. */
const parseHeader = (
  header: string
): Option.Option<{ readonly timestampSeconds: number; readonly tags: ReadonlyArray<string> }> => {
  const fields = header.split(",")
  const valuesOf = (scheme: string) =>
    fields.filter((field) => field.startsWith(`${scheme}=`)).map((field) => field.slice(scheme.length + 1))
  const times = valuesOf("t")
  const tags = valuesOf("v1")
  const isWellFormed =
    fields.every((field) => fieldShape.test(field)) &&
    times.length === 1 &&
    times.every((time) => timeShape.test(time)) &&
    tags.length >= 1 &&
    tags.every((tag) => tagShape.test(tag))
  return isWellFormed ? Option.some({ timestampSeconds: Number(times[0]), tags }) : Option.none()
}

const refused = (reason: SignatureFault): Verdict => ({ _tag: "Refused", reason })

/**
 * Verifies a delivery as its receiver should: on the raw bytes, before parsing them. `secret` is the one shown when the subscription
 * was made, `nowSeconds` the receiver's clock. A delivery may be up to and including `toleranceSeconds` older or newer.
 */
export const verify = Effect.fnUntraced(function* (delivery: {
  readonly header: string
  readonly body: Uint8Array
  readonly secret: string
  readonly nowSeconds: number
  readonly toleranceSeconds?: number
}): Effect.fn.Return<Verdict, never, Digest.Digest | Mac.Mac> {
  const parsed = parseHeader(delivery.header)
  if (Option.isNone(parsed)) return refused("malformed")
  const { timestampSeconds, tags } = parsed.value
  const toleranceSeconds = delivery.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS
  const ageSeconds = delivery.nowSeconds - timestampSeconds
  if (ageSeconds < -toleranceSeconds) return refused("too_new")
  // Negated, so that a NaN clock or tolerance refuses every age instead of accepting it.
  if (!(ageSeconds <= toleranceSeconds)) return refused("too_old")
  const key = yield* signingKey(delivery.secret)
  const expected = encoder.encode(yield* tagOf(key, signedBytes(timestampSeconds, delivery.body)))
  const matches = tags.some((tag) => Mac.timingSafeEqual(encoder.encode(tag), expected))
  return matches ? { _tag: "Accepted" } : refused("mismatch")
})
