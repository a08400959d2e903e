// What the authorization server keeps: registrations of clients, requests that wait for consent, grants, codes and tokens, and the last
// document of each connected client. Of each, only the SHA-256 of its id is stored; the payload is the server's own, opaque to the core.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AccessToken } from "./AccessToken.ts"

export const ArtifactKind = Schema.Literals([
  "Client",
  "Interaction",
  "Grant",
  "AuthorizationCode",
  "AccessToken",
  "RefreshToken",
  "Document"
])
export type ArtifactKind = typeof ArtifactKind.Type

/** What an access token is good for. */
const { expiresAtMs: _, ...access } = AccessToken.fields
export const TokenAccess = Schema.Struct(access)
export type TokenAccess = typeof TokenAccess.Type

export const OAuthArtifact = Schema.Struct({
  kind: ArtifactKind,
  /** Lowercase hex SHA-256 of the id. */
  hash: Schema.String,
  /** The grant of a code or token. */
  grantHash: Schema.NullOr(Schema.String),
  /** The client of a grant. */
  clientHash: Schema.NullOr(Schema.String),
  payload: Schema.String,
  createdAtMs: Millis,
  expiresAtMs: Millis,
  consumedAtMs: Schema.NullOr(Millis),
  /** The token that took a rotated refresh token's place, while its grace lasts: sealed so that only the old one opens it. */
  successor: Schema.NullOr(Schema.String),
  /** Who asked for an unused artifact: a network, or a device from which a member signed in; `null` where it does not count. */
  requester: Schema.NullOr(Schema.String),
  /** No consent was given yet: the number of such registrations, and of such requests, is bounded. */
  unused: Schema.Boolean,
  /** What an access token opens; `null` for other artifacts. */
  access: Schema.NullOr(TokenAccess)
})
export type OAuthArtifact = typeof OAuthArtifact.Type

/** `null` if the artifact is no access token. */
export const accessTokenOf = ({ access, expiresAtMs }: OAuthArtifact): AccessToken | null =>
  access === null ? null : { ...access, expiresAtMs }

/** A refresh token that was rotated still gives its successor for this long: the answer may have been lost, or a twin may have been faster. */
export const ROTATION_GRACE_MS = 60_000

/** Whether a refresh token may still be rotated at that time, for the first time or once more. */
export const mayRotate = ({ consumedAtMs }: OAuthArtifact, atMs: Millis): boolean =>
  consumedAtMs === null || atMs < consumedAtMs + ROTATION_GRACE_MS

export const UNUSED_REGISTRATION_MS = 86_400_000

/** Registrations without a consent, and requests that wait for one; at the bound the oldest of the requester goes who has most. */
export const MAX_UNUSED = 10_000
