// What a credential of an account is, by its id: an API key, a connection, or the built-in credential of the Shop. All are kept among the
// keys.

import type { KeyId } from "../shared/Ids.ts"
import { isConnection } from "./Connection.ts"
import { isWebCredential } from "./WebCredential.ts"

export type CredentialKind = "key" | "connection" | "web"

export const credentialKind = (keyId: KeyId): CredentialKind =>
  isConnection(keyId) ? "connection" : isWebCredential(keyId) ? "web" : "key"
