// The signature of Standard Webhooks (header `webhook-signature`), which a delivery carries beside the service's own. Libraries of many
// languages verify it.
import { type Array, Brand, Effect } from "effect"
import { Mac } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { EventId } from "../shared/Ids.ts"

/** The HMAC key of a secret: the bytes that its text encodes, in standard base64. */
export type StandardKey = Brand.Branded<string, "StandardKey">

/** Marks text from storage as the bytes of a secret. */
export const StandardKey = Brand.nominal<StandardKey>()

const PREFIX = "whsec_"

/** Random bytes as a secret's key. */
export const standardKey = (bytes: Uint8Array): StandardKey => StandardKey(Base64.encode(bytes))

/** The secret as its owner gets it. */
export const secretOf = (key: StandardKey): string => `${PREFIX}${key}`

const encoder = new TextEncoder()

/** The signed bytes: `<id>.<timestamp>.<raw body>`. */
const signedBytes = (eventId: EventId, timestampSeconds: number, body: Uint8Array): Uint8Array => {
  const head = encoder.encode(`${eventId}.${timestampSeconds}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

// HMAC-SHA256 with a non-empty key cannot fail; a platform without it, or a stored key that is not base64, is a defect.
const tagOf = (key: StandardKey, bytes: Uint8Array): Effect.Effect<string, never, Mac.Mac> =>
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const hmacKey = yield* Mac.key(Mac.hmacSha256, yield* Effect.fromResult(Base64.decode(key)))
    return `v1,${Base64.encode(yield* mac.sign(hmacKey, bytes))}`
  }).pipe(Effect.orDie)

/** The value of the header: one `v1,<base64>` per key, the newest key first, separated by blanks. `body` must be sent exactly as given here. */
export const signStandard = Effect.fnUntraced(function* (delivery: {
  readonly keys: Array.NonEmptyReadonlyArray<StandardKey>
  readonly eventId: EventId
  readonly timestampSeconds: number
  readonly body: Uint8Array
}): Effect.fn.Return<string, never, Mac.Mac> {
  const bytes = signedBytes(delivery.eventId, delivery.timestampSeconds, delivery.body)
  return (yield* Effect.forEach(delivery.keys, (key) => tagOf(key, bytes))).join(" ")
})
