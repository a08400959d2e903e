// Tables of what lets people and clients in: sign-in links, sessions, second factors, reviewers, and what the authorization server issued.
import { Challenge, Passkey, ResetCode, Totp } from "#core/domain/Factor.ts"
import { OAuthArtifact, TokenAccess } from "#core/domain/OAuthArtifact.ts"
import { Reviewer } from "#core/domain/Reviewer.ts"
import { Session, SignInLink } from "#core/domain/Session.ts"
import { sameNames, table } from "./Table.ts"

export const signInLinks = table(SignInLink.fields)
export const sessions = table(Session.fields)

export const passkeys = table(Passkey.fields)
export const totps = table(Totp.fields)
export const challenges = table(Challenge.fields)
export const resetCodes = table(ResetCode.fields)

export const reviewers = table(Reviewer.fields)

export const artifacts = table(OAuthArtifact.fields, { columns: { access: sameNames(TokenAccess) } })
