// Accounts, keys and ledger entries on the operator plane.
import { Schema, Struct } from "effect"
import { ApiKey, Consent } from "#core/domain/access/ApiKey.ts"
import { BillingIdentity } from "#core/domain/invoicing/Party.ts"
import { Member as CoreMember } from "#core/domain/members/Member.ts"
import { AccountId, idBrands } from "#core/domain/shared/Ids.ts"
import { Hold as CoreHold } from "#core/domain/wallet/Hold.ts"
import { LedgerEntry as CoreEntry } from "#core/domain/wallet/Ledger.ts"
import { Wallet } from "#core/domain/wallet/Wallet.ts"
import { Cents, Domain, Id } from "./Fields.ts"

const nullable = Schema.NullOr

export const Account = Schema.Struct({
  accountId: AccountId,
  name: Schema.String,
  email: Schema.String,
  wallet: Wallet,
  welcome: Schema.Struct({ state: Schema.Literals(["available", "reserved", "spent"]) }),
  createdAtMs: Schema.Int,
  selfOpened: Schema.optionalKey(Schema.Literal(true)),
  paidAtMs: Schema.optionalKey(Schema.Int),
  agentsStoppedAtMs: Schema.optionalKey(Schema.Int),
  closedAtMs: Schema.optionalKey(Schema.Int),
  note: Schema.optionalKey(Schema.String)
})
export type Account = typeof Account.Type

/** A person who signs in to an account. */
export const Member = Schema.Struct(Struct.pick(CoreMember.fields, ["memberId", "email", "role", "createdAtMs"]))
export type Member = typeof Member.Type

export const Hold = Schema.Struct(Struct.pick(CoreHold.fields, ["holdId", "quoteId", "cents", "expiresAtMs"]))

const MAX_DOMAINS = 100

/**
 * `null` means no limit of this key or connection; for the daily cap, the service's default applies. A new key has no limit that is left out; of one
 * that is limited, it stays as it is.
 */
export const SpendLimits = Schema.Struct({
  maxOrderCents: Schema.optionalKey(nullable(Cents)),
  maxDayCents: Schema.optionalKey(nullable(Cents)),
  /** Quotes per UTC day; 0 means no cap. */
  dailyOrderCap: Schema.optionalKey(nullable(Cents)),
  /** Targets must be one of them or below one. */
  allowedDomains: Schema.optionalKey(
    nullable(
      Schema.Array(Domain).check(
        Schema.makeFilter((domains) => domains.length >= 1 && domains.length <= MAX_DOMAINS, {
          message: `Must be null or a list of 1 to ${MAX_DOMAINS} domains.`
        })
      )
    )
  ),
  /** Orders over more than this wait for a human's approval; 0: all. */
  approveAboveCents: Schema.optionalKey(nullable(Cents)),
  /** Whether orders for the same items as a recent one wait for approval. */
  holdLookAlikes: Schema.optionalKey(Schema.Boolean)
})

const credentialFields = Struct.pick(ApiKey.fields, [
  "keyId",
  "accountId",
  "mode",
  "label",
  "scopes",
  "limits",
  "createdAtMs",
  "revokedAtMs"
])

export const Key = Schema.Struct({ ...credentialFields, ...Struct.pick(ApiKey.fields, ["prefix", "lastFour"]) })
export type Key = typeof Key.Type

/** Its `keyId` is the connection's id, its label the client's name. */
export const Connection = Schema.Struct({ ...credentialFields, consent: Consent })
export type Connection = typeof Connection.Type

export const ApiKeyWithUsage = Schema.Struct({ key: Key, lastUsedAtMs: nullable(Schema.Int) })

export const ConnectionWithUsage = Schema.Struct({ connection: Connection, lastUsedAtMs: nullable(Schema.Int) })
export type ConnectionWithUsage = typeof ConnectionWithUsage.Type

export const LedgerEntry = Schema.Struct(Struct.omit(CoreEntry.fields, ["reference"]))
export type LedgerEntry = typeof LedgerEntry.Type

/** On its invoices; `null` where these are made out to a consumer by the account's name. */
export const Billing = nullable(BillingIdentity)
export type Billing = typeof Billing.Type

export const OfAccount = { accountId: Id.pipe(idBrands.AccountId) }
export const OfKey = { keyId: Id.pipe(idBrands.KeyId) }
export const OfConnection = { connectionId: Id.pipe(idBrands.KeyId) }
