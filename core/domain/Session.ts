// Sign-in links and the sessions that they begin. Of both, only the SHA-256 of the 256-bit token is stored.
import type { Account } from "./Account.ts"
import type { Millis } from "./DecisionContext.ts"
import type { Member } from "./Member.ts"

export const TOKEN_BYTES = 32

export const SIGN_IN_LINK_MS = 15 * 60_000

/** A session ends after this time without a request, and after `SESSION_MAX_MS` in any case. */
export const SESSION_IDLE_MS = 7 * 86_400_000
export const SESSION_MAX_MS = 30 * 86_400_000

/** Factors are added in a session that is at most this old. */
export const FRESH_SIGN_IN_MS = 10 * 60_000

/** How many codes of a second factor are looked at for a sign-in link. */
export const MAX_CODE_ATTEMPTS = 5

export interface SignInLink {
  /** Lowercase hex SHA-256 of the token's text. */
  readonly hash: string
  /** `demo`: printed at a start of the demo, instead of sent. */
  readonly kind: "mail" | "demo"
  readonly email: string
  readonly createdAtMs: Millis
  readonly expiresAtMs: Millis
  readonly usedAtMs: Millis | null
  /** Codes that were looked at for it. */
  readonly wrongCodes: number
}

export const linkIsUsable = ({ usedAtMs, expiresAtMs, wrongCodes }: SignInLink, nowMs: Millis): boolean =>
  usedAtMs === null && nowMs < expiresAtMs && wrongCodes < MAX_CODE_ATTEMPTS

export interface Session {
  readonly sessionId: string
  /** Lowercase hex SHA-256 of the token's text. */
  readonly hash: string
  readonly memberId: string
  readonly method: "link" | "passkey" | "password" | "demo"
  /** The client's network, as `networkOf` writes it. */
  readonly network: string
  readonly userAgent: string
  /** When the member signed in. */
  readonly createdAtMs: Millis
  /** To the minute. */
  readonly lastUsedAtMs: Millis
  readonly endedAtMs: Millis | null
  /** The Shop's cart, opaque to the core; `null` while it is empty. */
  readonly cart: string | null
}

export const sessionIsLive = ({ createdAtMs, lastUsedAtMs, endedAtMs }: Session, nowMs: Millis): boolean =>
  endedAtMs === null && nowMs < createdAtMs + SESSION_MAX_MS && nowMs < lastUsedAtMs + SESSION_IDLE_MS

export const signInIsFresh = ({ createdAtMs }: Session, nowMs: Millis): boolean =>
  nowMs < createdAtMs + FRESH_SIGN_IN_MS

/** Who is signed in, as of one request. */
export interface SignedIn {
  readonly session: Session
  readonly member: Member
  readonly account: Account
}
