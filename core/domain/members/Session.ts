// Sign-in links and the sessions that they begin. Of both, only the SHA-256 of the 256-bit token is stored.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { MemberId, SessionId } from "../shared/Ids.ts"
import type { Account } from "./Account.ts"
import type { Member } from "./Member.ts"

export const TOKEN_BYTES = 32

export const SIGN_IN_LINK_MS = 15 * 60_000

/** A session ends after this time without a request, and after `SESSION_MAX_MS` in any case. */
export const SESSION_IDLE_MS = 7 * 86_400_000
export const SESSION_MAX_MS = 30 * 86_400_000

/** The first factor is added in a session that is at most this old; later ones may be added with a proof instead. */
export const FRESH_SIGN_IN_MS = 10 * 60_000

/** How many codes are looked at for a sign-in link: those of a second factor, and those in the place of the link. */
export const MAX_CODE_ATTEMPTS = 5

export const SignInLink = Schema.Struct({
  /** Lowercase hex SHA-256 of the token's text. */
  hash: Schema.String,
  /** `demo`: printed at a start of the demo, instead of sent. */
  kind: Schema.Literals(["mail", "demo"]),
  email: Schema.String,
  createdAtMs: Millis,
  expiresAtMs: Millis,
  usedAtMs: Schema.NullOr(Millis),
  /** Codes that were looked at for it. */
  wrongCodes: Schema.Int,
  /** SHA-256 of the secret of the browser that asked, in which the code of the same mail counts; `null` for a link without a code. */
  browserHash: Schema.NullOr(Schema.String),
  /** Hash of the code under that secret. */
  codeHash: Schema.NullOr(Schema.String)
})
export type SignInLink = typeof SignInLink.Type

export const linkIsUsable = ({ usedAtMs, expiresAtMs, wrongCodes }: SignInLink, nowMs: Millis): boolean =>
  usedAtMs === null && nowMs < expiresAtMs && wrongCodes < MAX_CODE_ATTEMPTS

export const Session = Schema.Struct({
  sessionId: SessionId,
  /** Lowercase hex SHA-256 of the token's text. */
  hash: Schema.String,
  memberId: MemberId,
  method: Schema.Literals(["link", "passkey", "password", "demo"]),
  /** The client's network, as `networkOf` writes it. */
  network: Schema.String,
  userAgent: Schema.String,
  /** When the member signed in. */
  createdAtMs: Millis,
  /** To the minute. */
  lastUsedAtMs: Millis,
  endedAtMs: Schema.NullOr(Millis),
  /** When the member showed a second factor in it; `null` for a session that a mail alone began. */
  confirmedAtMs: Schema.NullOr(Millis),
  /** The Shop's cart, opaque to the core; `null` while it is empty. */
  cart: Schema.NullOr(Schema.String)
})
export type Session = typeof Session.Type

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
