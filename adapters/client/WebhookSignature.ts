// The check of a webhook delivery by its receiver, on what browsers and Node have in common. It reads `Service-Signature`, which every
// delivery carries, whatever the age of the secret.

/** Why a delivery is rejected. `too_new`: the sender's clock is ahead of the receiver's by more than the tolerance. */
export type SignatureFault = "malformed" | "too_old" | "too_new" | "mismatch"

/** The result of a verification. */
export type Verdict = { readonly _tag: "Accepted" } | { readonly _tag: "Refused"; readonly reason: SignatureFault }

export interface SignedDelivery {
  /** The value of `Service-Signature`. */
  readonly header: string
  /** The body as it came, before it was parsed. */
  readonly body: string | Uint8Array
  /** The one shown when the subscription was made. */
  readonly secret: string
  /** The receiver's clock, unless set. */
  readonly nowSeconds?: number
  /** A delivery may be up to and including this much older or newer: 300 unless set. */
  readonly toleranceSeconds?: number
}

const TOLERANCE_SECONDS = 300

const fieldShape = /^[a-z][a-z0-9]*=[!-+\--~]+$/ // visible ASCII but the comma
const timeShape = /^(?:0|[1-9][0-9]{0,11})$/
const tagShape = /^[0-9a-f]{64}$/

/** One `t` and at least one `v1`; unknown schemes are ignored. `undefined` for another header. */
const parseHeader = (header: string): { readonly time: string; readonly tags: ReadonlyArray<string> } | undefined => {
  const fields = header.split(",")
  const valuesOf = (scheme: string) =>
    fields.filter((field) => field.startsWith(`${scheme}=`)).map((field) => field.slice(scheme.length + 1))
  const [time, ...others] = valuesOf("t")
  const tags = valuesOf("v1")
  const isWellFormed =
    fields.every((field) => fieldShape.test(field)) && tags.length >= 1 && tags.every((tag) => tagShape.test(tag))
  if (!isWellFormed || time === undefined || others.length > 0 || !timeShape.test(time)) return undefined
  return { time, tags }
}

const encoder = new TextEncoder()

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16))

/** The HMAC key of a secret: the 64 lowercase hex characters of its SHA-256, as text. */
const hmacKey = async (secret: string): Promise<CryptoKey> => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(secret)))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return crypto.subtle.importKey("raw", encoder.encode(hex), { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}

/** The signed bytes: `<t>.<raw body>`. */
const signedBytes = (time: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${time}.`)
  const rest = typeof body === "string" ? encoder.encode(body) : body
  const bytes = new Uint8Array(head.length + rest.length)
  bytes.set(head)
  bytes.set(rest, head.length)
  return bytes
}

const refused = (reason: SignatureFault): Verdict => ({ _tag: "Refused", reason })

/** Verifies a delivery in constant time. During a rotation it carries several signatures, of which one that matches is enough. */
export const verifySignature = async (delivery: SignedDelivery): Promise<Verdict> => {
  const { header, body, secret, nowSeconds = Date.now() / 1_000, toleranceSeconds = TOLERANCE_SECONDS } = delivery
  const parsed = parseHeader(header)
  if (parsed === undefined) return refused("malformed")
  const { time, tags } = parsed
  const ageSeconds = nowSeconds - Number(time)
  if (ageSeconds < -toleranceSeconds) return refused("too_new")
  // Negated, so that a NaN clock or tolerance refuses every age instead of accepting it.
  if (!(ageSeconds <= toleranceSeconds)) return refused("too_old")
  const key = await hmacKey(secret)
  const bytes = signedBytes(time, body)
  const matches = await Promise.all(tags.map((tag) => crypto.subtle.verify("HMAC", key, bytesOfHex(tag), bytes)))
  return matches.includes(true) ? { _tag: "Accepted" } : refused("mismatch")
}

export interface ReceivedDelivery extends Pick<SignedDelivery, "body" | "secret" | "nowSeconds" | "toleranceSeconds"> {
  /** Those of the request, as fetch or as Node's http has them. */
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** The delivery is not genuine: answer it with 401, and do nothing with its body. */
export class SignatureError extends Error {
  override readonly name = "SignatureError"
  readonly reason: SignatureFault

  constructor(reason: SignatureFault) {
    super(`The signature of the delivery was refused: ${reason}.`)
    this.reason = reason
  }
}

const HEADER = "service-signature"

const headerOf = (headers: ReceivedDelivery["headers"]): string => {
  if (headers instanceof Headers) return headers.get(HEADER) ?? ""
  const [, value = ""] = Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER) ?? []
  return String(value)
}

/** The event of a genuine delivery, as JSON; fails with a `SignatureError` for another. */
export const readDelivery = async ({ headers, body, ...delivery }: ReceivedDelivery): Promise<unknown> => {
  const verdict = await verifySignature({ header: headerOf(headers), body, ...delivery })
  if (verdict._tag === "Refused") throw new SignatureError(verdict.reason)
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body))
}
