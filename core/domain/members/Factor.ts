// Second factors of members: passkeys, and one authenticator app (TOTP) each. Challenges for passkeys, and one-time codes that stand in
// for a lost factor.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { MemberId, PasskeyId } from "../shared/Ids.ts"

/** The most passkeys that one member has. */
export const MAX_PASSKEYS = 10
export const MAX_PASSKEY_NAME = 60

export const Passkey = Schema.Struct({
  /** The credential's id, in base64url. */
  passkeyId: PasskeyId,
  memberId: MemberId,
  name: Schema.String,
  /** COSE key, in base64url. */
  publicKey: Schema.String,
  /** How often the authenticator was used, if it counts; 0 otherwise. */
  counter: Schema.Int,
  /** How browsers reach the authenticator, such as `internal` or `usb`. */
  transports: Schema.Array(Schema.String),
  createdAtMs: Millis,
  lastUsedAtMs: Schema.NullOr(Millis)
})
export type Passkey = typeof Passkey.Type

/** A lower or equal count says that the authenticator was copied. Those that do not count always say 0. */
export const counterRises = (before: number, after: number): boolean => after > before || (before === 0 && after === 0)

/** An authenticator app that shows codes of RFC 6238. */
export const Totp = Schema.Struct({
  memberId: MemberId,
  /** Sealed by the vault under `totpSeal` of the member. */
  sealedSecret: Schema.String,
  createdAtMs: Millis,
  /** The time step of the last code that counted. Codes of this step and of earlier ones count no more. */
  lastStep: Schema.Int,
  lastUsedAtMs: Schema.NullOr(Millis)
})
export type Totp = typeof Totp.Type

/** What the vault binds a member's TOTP secret to. */
export const totpSeal = (memberId: MemberId): string => `totp/${memberId}`

export const TOTP_SECRET_BYTES = 20

const HOUR_MS = 3_600_000

/** How many codes of a member are looked at in each time, until one of them is right. */
export const CODE_BOUNDS = [
  { windowMs: HOUR_MS, limit: 10 },
  { windowMs: 24 * HOUR_MS, limit: 30 }
] as const

/** Attempts that are older than this count no more. */
export const CODE_ATTEMPT_MS = 24 * HOUR_MS

/** Whether one more code may be looked at after those of these times. */
export const mayTryCode = (attemptsMs: ReadonlyArray<Millis>, nowMs: Millis): boolean =>
  CODE_BOUNDS.every(({ windowMs, limit }) => attemptsMs.filter((atMs) => atMs > nowMs - windowMs).length < limit)

/** What a challenge is for: its answer counts for nothing else. */
export type ChallengePurpose =
  | { readonly kind: "sign_in" }
  | { readonly kind: "add_passkey" }
  /** `actionHash`: of the action that is confirmed. */
  | { readonly kind: "confirm"; readonly actionHash: string }

export const purposeText = (purpose: ChallengePurpose): string =>
  purpose.kind === "confirm" ? `confirm ${purpose.actionHash}` : purpose.kind

export const CHALLENGE_BYTES = 32
export const CHALLENGE_MS = 5 * 60_000

/** What the vault binds challenges to that strangers are given to sign in: they are kept nowhere until one is answered. */
export const SIGN_IN_SEAL = "sign-in challenge"

/** Unanswered challenges of one holder; further ones take the place of the oldest. */
export const MAX_CHALLENGES = 50

export const Challenge = Schema.Struct({
  /** Random bytes in base64url. */
  challenge: Schema.String,
  /** Whose it is: `session <id>`, or `sign-in` where it was answered before one. */
  holder: Schema.String,
  /** The text that `purposeText` writes. */
  purpose: Schema.String,
  createdAtMs: Millis,
  expiresAtMs: Millis
})
export type Challenge = typeof Challenge.Type

export const SHOWN_ID_BYTES = 16
/** Random bytes of which a form makes its secret. */
export const SHOWN_ENTROPY_BYTES = 40
export const SHOWN_ONCE_MS = 10 * 60_000

/** An id as `ShowOnce.newId` makes it; a form may send anything. */
export const isShownId = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text)

/** A secret that a form makes, until the person who made it has kept it. */
export const ShownOnce = Schema.Struct({
  /** Random bytes in base64url: the id of the form, and part of the page's address. */
  shownId: Schema.String,
  /** The session that made it, as in `Challenge`. */
  holder: Schema.String,
  /** Sealed by the vault under `shownSeal`. */
  sealed: Schema.String,
  createdAtMs: Millis,
  expiresAtMs: Millis
})
export type ShownOnce = typeof ShownOnce.Type

/** What the vault binds a secret to that is shown once. */
export const shownSeal = ({ shownId, holder }: Pick<ShownOnce, "shownId" | "holder">): string =>
  `shown/${holder}/${shownId}`

export const RESET_CODE_BYTES = 10
export const RESET_CODE_MS = 24 * HOUR_MS

/** A one-time code by which a member may remove the last factor, or add the first in an account that has others. */
export const ResetCode = Schema.Struct({
  /** Lowercase hex SHA-256 of the code as `resetCodeKey` writes it. */
  hash: Schema.String,
  memberId: MemberId,
  createdAtMs: Millis,
  expiresAtMs: Millis
})
export type ResetCode = typeof ResetCode.Type

/** In groups of four, such as `0A1B-2C3D-4E5F-6071-8293`. */
export const resetCodeText = (hex: string): string => (hex.match(/.{4}/g) ?? []).join("-")

/** What of a typed code counts; `null` for a text that is no reset code. */
export const resetCodeKey = (typed: string): string | null => {
  const key = typed.replaceAll(/[\s-]/g, "").toUpperCase()
  return key.length === RESET_CODE_BYTES * 2 && /^[0-9A-F]+$/.test(key) ? key : null
}

/** The six digits of an authenticator app, which may be typed with blanks; `null` for any other text. */
export const totpCodeKey = (typed: string): string | null => {
  const key = typed.replaceAll(/\s/g, "")
  return /^\d{6}$/.test(key) ? key : null
}

export type FactorChange = "passkey_added" | "passkey_removed" | "totp_added" | "totp_removed"
