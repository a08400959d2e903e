// Accounts, keys and ledger entries on the operator plane.
import { Schema } from "effect"
import { Scope } from "#core/domain/ApiKey.ts"
import { MemberRole } from "#core/domain/Member.ts"
import { BillingIdentity } from "#core/domain/Party.ts"
import { Cents, Domain, Id, Mode } from "./Fields.ts"

const nullable = Schema.NullOr

export const Account = Schema.Struct({
  accountId: Schema.String,
  name: Schema.String,
  email: Schema.String,
  wallet: Schema.Struct({ balanceCents: Schema.Int, heldCents: Schema.Int }),
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
export const Member = Schema.Struct({
  memberId: Schema.String,
  email: Schema.String,
  role: MemberRole,
  createdAtMs: Schema.Int
})
export type Member = typeof Member.Type

export const Hold = Schema.Struct({
  holdId: Schema.String,
  quoteId: Schema.String,
  cents: Schema.Int,
  expiresAtMs: Schema.Int
})

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

const credentialFields = {
  keyId: Schema.String,
  accountId: Schema.String,
  mode: Mode,
  label: Schema.String,
  scopes: Schema.Array(Scope),
  limits: Schema.Struct({
    maxOrderCents: nullable(Schema.Int),
    maxDayCents: nullable(Schema.Int),
    dailyOrderCap: nullable(Schema.Int),
    allowedDomains: nullable(Schema.Array(Schema.String)),
    approveAboveCents: nullable(Schema.Int),
    holdLookAlikes: Schema.Boolean
  }),
  createdAtMs: Schema.Int,
  revokedAtMs: nullable(Schema.Int)
}

export const Key = Schema.Struct({ ...credentialFields, prefix: Schema.String, lastFour: Schema.String })
export type Key = typeof Key.Type

/** Its `keyId` is the connection's id, its label the client's name. */
export const Connection = Schema.Struct({
  ...credentialFields,
  consent: Schema.Struct({
    clientId: Schema.String,
    clientHost: Schema.String,
    memberId: Schema.String,
    atMs: Schema.Int
  })
})
export type Connection = typeof Connection.Type

export const ApiKeyWithUsage = Schema.Struct({ key: Key, lastUsedAtMs: nullable(Schema.Int) })

export const ConnectionWithUsage = Schema.Struct({ connection: Connection, lastUsedAtMs: nullable(Schema.Int) })
export type ConnectionWithUsage = typeof ConnectionWithUsage.Type

export const LedgerEntry = Schema.Struct({
  entryId: Schema.String,
  accountId: Schema.String,
  kind: Schema.Literals(["top_up", "late_payment", "recredit", "adjustment", "hold", "release", "capture"]),
  amountCents: Schema.Int,
  balanceDeltaCents: Schema.Int,
  heldDeltaCents: Schema.Int,
  balanceAfterCents: Schema.Int,
  heldAfterCents: Schema.Int,
  quoteId: nullable(Schema.String),
  orderId: nullable(Schema.String),
  linkId: nullable(Schema.String),
  atMs: Schema.Int
})
export type LedgerEntry = typeof LedgerEntry.Type

/** On its invoices; `null` where these are made out to a consumer by the account's name. */
export const Billing = nullable(BillingIdentity)
export type Billing = typeof Billing.Type

export const AccountId = { accountId: Id }
export const KeyId = { keyId: Id }
export const ConnectionId = { connectionId: Id }
