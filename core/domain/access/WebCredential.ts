// The built-in credential of an account, which orders of the Shop belong to: no daily cap, no text, and not one of the five keys. It is
// kept among the keys, because orders, quotes and the day's usage refer to a key.

import type { Millis } from "../shared/DecisionContext.ts"
import { type AccountId, KeyId } from "../shared/Ids.ts"
import { type ApiKey, noLimits } from "./ApiKey.ts"

const PREFIX = "web_"

export const webCredentialId = (accountId: AccountId): KeyId => KeyId.make(accountId.replace(/^acc_/, PREFIX))

export const isWebCredential = (keyId: KeyId): boolean => keyId.startsWith(PREFIX)

/** Its hash is no SHA-256, so that no text of a key has it. */
export const webCredential = (accountId: AccountId, nowMs: Millis): ApiKey => ({
  keyId: webCredentialId(accountId),
  accountId,
  mode: "live",
  label: "web",
  scopes: ["read", "order"],
  hash: webCredentialId(accountId),
  prefix: "",
  lastFour: "",
  limits: { ...noLimits, dailyOrderCap: 0 },
  createdAtMs: nowMs,
  revokedAtMs: null
})
