// A key of an account: what it may do and how much it may spend. Its text and checksum are `ApiKeyFormat`'s; the text
// itself is never kept, only its SHA-256.
import { Schema } from "effect"
import type { Millis, Mode } from "./DecisionContext.ts"
import type { Cents } from "./Money.ts"

export const Scope = Schema.Literals(["read", "order"])
export type Scope = typeof Scope.Type

export const ALL_SCOPES: ReadonlyArray<Scope> = ["read", "order"]

export const MAX_ACTIVE_KEYS = 5

/** Limits that the account's human puts on a key. `null` means no limit of its own (for the cap: the shop's default). */
export interface SpendLimits {
  readonly maxOrderCents: Cents | null
  readonly maxDayCents: Cents | null
  readonly dailyOrderCap: number | null
  /** Registrable or full host names; a target must be one of them or below one. */
  readonly allowedDomains: ReadonlyArray<string> | null
}

export const noLimits: SpendLimits = {
  maxOrderCents: null,
  maxDayCents: null,
  dailyOrderCap: null,
  allowedDomains: null
}

export interface ApiKey {
  readonly keyId: string
  readonly accountId: string
  readonly mode: Mode
  readonly label: string
  readonly scopes: ReadonlyArray<Scope>
  /** Lowercase hex SHA-256 of the key's text. */
  readonly hash: string
  /** For display only: `sn_live_` or `sn_test_`, and the last four characters. */
  readonly prefix: string
  readonly lastFour: string
  readonly limits: SpendLimits
  readonly createdAtMs: Millis
  readonly revokedAtMs: Millis | null
}

/** Who is asking, once a key has been recognised. */
export interface Caller {
  readonly accountId: string
  readonly keyId: string
  readonly mode: Mode
  readonly scopes: ReadonlyArray<Scope>
}

export const callerOf = (key: ApiKey): Caller => ({
  accountId: key.accountId,
  keyId: key.keyId,
  mode: key.mode,
  scopes: key.scopes
})
