// How texts name what a caller presented: its API key, or the connection that its access token is of.
import { isTokenText } from "#core/domain/access/AccessToken.ts"
import { isKeyText } from "#core/domain/access/ApiKeyFormat.ts"

export type CredentialKind = "key" | "connection"

/** What is neither the text of a key nor of a token is taken as a key that was mistyped. */
export const credentialKindOf = (text: string): CredentialKind =>
  !isKeyText(text) && isTokenText(text) ? "connection" : "key"

export interface CredentialNouns {
  readonly noun: string
  /** In the caller's hands. */
  readonly yours: string
  readonly isInvalid: string
  readonly afterInvalid: string
  readonly isRevoked: string
  readonly afterRevoked: string
  readonly afterScope: string
  readonly afterAccountView: string
}

const NOUNS: Readonly<Record<CredentialKind, CredentialNouns>> = {
  key: {
    noun: "key",
    yours: "your API key",
    isInvalid: "The API key is not one of this service.",
    afterInvalid:
      "Check that the whole key was sent, as `Authorization: Bearer <API_KEY>`; if it was, ask your user for a valid one.",
    isRevoked: "This API key has been revoked.",
    afterRevoked:
      "Ask your user for a new key. Open quotes made with the old one can still be paid, and an order whose answer was lost is sent again under the same Idempotency-Key.",
    afterScope: "Ask your user for an API key with that scope; retrying does not help.",
    // A key may see its account everywhere but at the catalogue.
    afterAccountView: "Leave `scope` out: the catalogue shows only what this key placed."
  },
  connection: {
    noun: "connection",
    yours: "this connection",
    isInvalid: "The access token is not valid, or not any more.",
    afterInvalid: "Refresh the token, or ask for a new one; your user consents to it.",
    isRevoked: "This connection has been revoked.",
    afterRevoked:
      "Ask your user to connect you again. Open quotes made by the old connection can still be paid, and an order whose answer was lost is sent again under the same Idempotency-Key.",
    afterScope: "Ask for a token with that scope; your user consents to it. Retrying with this one does not help.",
    afterAccountView:
      "Leave `scope` out to see what this connection placed. For all of the account, ask your user to allow it in the member area, at Connections, or to connect you again; retrying does not help."
  }
}

export const credentialNouns = (by: CredentialKind): CredentialNouns => NOUNS[by]
