// What the authorization server keeps: registrations of clients, requests that wait for consent, grants, codes and tokens. Of each, only
// the SHA-256 of its id is stored; the payload is the server's own, opaque to the core, and without the id.
import type { AccessToken } from "./AccessToken.ts"
import type { Millis } from "./DecisionContext.ts"

export type ArtifactKind = "Client" | "Interaction" | "Grant" | "AuthorizationCode" | "AccessToken" | "RefreshToken"

/** What an access token is good for. */
export type TokenAccess = Omit<AccessToken, "expiresAtMs">

export interface OAuthArtifact {
  readonly kind: ArtifactKind
  /** Lowercase hex SHA-256 of the id. */
  readonly hash: string
  /** The grant of a code or token. */
  readonly grantHash: string | null
  /** The client of a grant. */
  readonly clientHash: string | null
  readonly payload: string
  readonly createdAtMs: Millis
  readonly expiresAtMs: Millis
  readonly consumedAtMs: Millis | null
  /** No consent was given yet: the number of such registrations, and of such requests, is bounded. */
  readonly unused: boolean
  /** Of an access token. */
  readonly access: TokenAccess | null
}

/** A refresh token that was rotated still counts for this long: the answer may have been lost, or a twin may have been faster. */
export const ROTATION_GRACE_MS = 60_000

export const UNUSED_REGISTRATION_MS = 86_400_000

/** Registrations without a consent, and requests that wait for one; at the bound the oldest goes. */
export const MAX_UNUSED = 10_000
