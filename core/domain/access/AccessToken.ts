// An access token of a connection. It opens what both its scopes and the connection's allow.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { KeyId } from "../shared/Ids.ts"
import { Scope } from "./ApiKey.ts"

/** What a token was issued for: the whole service, REST and MCP alike, or the catalogue that admits no purchases. */
export const Resource = Schema.Literals(["service", "catalog"])
export type Resource = typeof Resource.Type

export const AccessToken = Schema.Struct({
  /** The subject of the grant. */
  connectionId: KeyId,
  scopes: Schema.Array(Scope),
  resource: Resource,
  expiresAtMs: Millis
})
export type AccessToken = typeof AccessToken.Type

/** How long a token is used after it was read. Its connection is looked at with every call, so that revoking that ends it sooner. */
export const TOKEN_FRESH_MS = 500

/** The syntax of a bearer token (RFC 6750), long enough for a secret. Other texts are refused without a look-up. */
export const isTokenText = (text: string): boolean => /^[\w.~+/-]{20,512}=*$/.test(text)
