// The code of a sign-in mail: six digits that do what its link does, and only in the browser that asked for the mail. That browser keeps a
// secret, sealed for this service; what is stored of a code is a hash under that secret, so that a reader of the database cannot try the
// million codes.
//
// A stranger who asks for a mail for someone's address, and guesses, is right once in a million tries. An address takes ten of them a day from
// devices that its member never signed in from (`codeBounds`), so that a day of guessing succeeds once in 100,000, and a year once in 270; a
// network takes thirty an hour for all addresses. Links stay as they are, so that no stranger keeps a member out. A second factor is asked for
// beside the code, as beside the link.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { SIGN_IN_LINK_MS } from "./Session.ts"

const DIGITS = 6

const CODES = 10n ** BigInt(DIGITS)

export const CODE_ENTROPY_BYTES = 8

/** Evenly from all codes: 64 random bits leave a bias that cannot be told. */
export const codeFrom = (entropy: Uint8Array): string =>
  String(new DataView(entropy.buffer, entropy.byteOffset).getBigUint64(0) % CODES).padStart(DIGITS, "0")

const SIX_DIGITS = new RegExp(`^\\d{${DIGITS}}$`)

/** The code as it was typed or pasted, in any width of its digits, with blanks and hyphens between them; `null` where it has not six digits. */
export const typedCode = (typed: string): string | null => {
  const digits = typed.normalize("NFKC").replaceAll(/[\s\p{Cf}\p{Pd}]/gu, "")
  return SIX_DIGITS.test(digits) ? digits : null
}

/** Such as "123 456", which is read and typed more easily. */
export const shownCode = (code: string): string => `${code.slice(0, DIGITS / 2)} ${code.slice(DIGITS / 2)}`

/** A request for a sign-in mail, as the browser that made it keeps it. */
export const AskedCode = Schema.Struct({
  /** 256 random bits in base64url. Only the browser has them. */
  secret: Schema.String,
  /** The address that was typed; no answer tells whether it is known. */
  email: Schema.String,
  atMs: Millis
})
export type AskedCode = typeof AskedCode.Type

/** What the vault binds requests to. */
export const CODE_SEAL = "sign-in code"

export const codeMayBeTyped = ({ atMs }: AskedCode, nowMs: Millis): boolean => nowMs < atMs + SIGN_IN_LINK_MS
