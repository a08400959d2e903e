// Tables of what lets people and clients in: sign-in links, sessions, second factors, reviewers, what the authorization server issued, and the calls
// that idempotency keys bind.

import { BoundCall } from "#core/domain/access/BoundCall.ts"
import { OAuthArtifact, TokenAccess } from "#core/domain/access/OAuthArtifact.ts"
import { Challenge, Passkey, ResetCode, ShownOnce, Totp } from "#core/domain/members/Factor.ts"
import { Reviewer } from "#core/domain/members/Reviewer.ts"
import { Session, SignInLink } from "#core/domain/members/Session.ts"
import { sameNames, table } from "./Table.ts"

export const signInLinks = table(SignInLink.fields)
export const sessions = table(Session.fields)

export const passkeys = table(Passkey.fields)
export const totps = table(Totp.fields)
export const challenges = table(Challenge.fields)
export const resetCodes = table(ResetCode.fields)
export const shownOnce = table(ShownOnce.fields)

export const boundCalls = table(BoundCall.fields)

export const reviewers = table(Reviewer.fields)

export const artifacts = table(OAuthArtifact.fields, { columns: { access: sameNames(TokenAccess) } })
