// A connection: a client that an owner of an account connected by OAuth. It is a caller like a key, and kept among the keys, because
// orders, quotes and the day's usage refer to a key. It has no secret text: its access tokens name it by its id.

import type { KeyId } from "../shared/Ids.ts"
import { ALL_SCOPES, type ApiKey, type Consent, noLimits, type Scope, type SpendLimits } from "./ApiKey.ts"

/** Active ones of an account, live and sandbox together. They are none of its five keys. */
export const MAX_CONNECTIONS = 20

export interface Connection extends ApiKey {
  readonly consent: Consent
}

export const isConnection = (keyId: KeyId): boolean => keyId.startsWith("con_")

export const asConnection = (key: ApiKey): Connection | undefined =>
  key.consent === undefined ? undefined : { ...key, consent: key.consent }

/** Every connection reads; it orders if its client asked for that and the owner allowed it. */
export const consentedScopes = (asked: ReadonlyArray<Scope>, mayOrder: boolean): ReadonlyArray<Scope> =>
  ALL_SCOPES.filter((scope) => scope === "read" || (mayOrder && asked.includes(scope)))

/** Where the owner chose nothing else: every order waits for a human. */
export const consentLimits: SpendLimits = { ...noLimits, approveAboveCents: 0, holdLookAlikes: true }

/** The fields of a key that has no text. Its hash is no SHA-256, so that no text of a key has it, and finds the connection by its id. */
export const withoutText = (connectionId: KeyId): Pick<ApiKey, "hash" | "prefix" | "lastFour"> => ({
  hash: connectionId,
  prefix: "",
  lastFour: ""
})
