// An API key of an account: what it may do and how much it may spend. Only the SHA-256 of its text is stored; `ApiKeyFormat` has the
// format of the text.
import { Schema } from "effect"
import type { Millis, Mode } from "./DecisionContext.ts"
import type { Cents } from "./Money.ts"

export const Scope = Schema.Literals(["read", "order"])
export type Scope = typeof Scope.Type

export const ALL_SCOPES: ReadonlyArray<Scope> = ["read", "order"]

export const MAX_ACTIVE_KEYS = 5

/** Limits that the account's owner sets on a key. `null` means no limit; for `dailyOrderCap`, the shop's default. */
export interface SpendLimits {
  readonly maxOrderCents: Cents | null
  readonly maxDayCents: Cents | null
  readonly dailyOrderCap: number | null
  /** Host names; the host of a target must be one of them or a subdomain of one. */
  readonly allowedDomains: ReadonlyArray<string> | null
  /** An order over more than this waits for a human's approval; 0: every order, `null`: none. */
  readonly approveAboveCents: Cents | null
  /** An order for the same items as a recent one of the account waits for approval instead of only being warned of. */
  readonly holdLookAlikes: boolean
}

export const noLimits: SpendLimits = {
  maxOrderCents: null,
  maxDayCents: null,
  dailyOrderCap: null,
  allowedDomains: null,
  approveAboveCents: null,
  holdLookAlikes: false
}

/** Which client an owner let in by OAuth, and when. */
export interface Consent {
  readonly clientId: string
  /** Whom the client belongs to, as far as its registration tells. */
  readonly clientHost: string
  readonly memberId: string
  readonly atMs: Millis
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
  /** Of a connection, see `Connection.ts`; its label is the client's name. */
  readonly consent?: Consent
}

/** An authenticated client: the key that it presented, and the account of that key. */
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
