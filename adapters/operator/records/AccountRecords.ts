// Accounts, keys and ledger entries on the operator plane.
import { Schema, Struct } from "effect"
import { ApiKey, Consent, FormerText } from "#core/domain/access/ApiKey.ts"
import { BillingIdentity } from "#core/domain/invoicing/Party.ts"
import { Account as CoreAccount } from "#core/domain/members/Account.ts"
import { Invitation as CoreInvitation } from "#core/domain/members/Invitation.ts"
import { Member as CoreMember } from "#core/domain/members/Member.ts"
import { alwaysAllowFault } from "#core/domain/ordering/Approval.ts"
import { Cents as CoreCents } from "#core/domain/pricing/Money.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { Hold as CoreHold } from "#core/domain/wallet/Hold.ts"
import { LedgerEntry as CoreEntry } from "#core/domain/wallet/Ledger.ts"
import { argument, flag } from "./CommandFields.ts"
import { Cents, Domain, Id } from "./Fields.ts"

const nullable = Schema.NullOr

export const Account = Schema.Struct({
  ...CoreAccount.fields,
  welcome: Schema.Struct({ state: Schema.Literals(["available", "reserved", "spent"]) })
})
export type Account = typeof Account.Type

/** What an account owes of top-ups that were refunded or disputed after they were spent. */
export const OwingAccount = Schema.Struct({
  ...Struct.pick(CoreAccount.fields, ["accountId", "name"]),
  owedCents: CoreCents
})
export type OwingAccount = typeof OwingAccount.Type

/** A person who signs in to an account. */
export const Member = Schema.Struct(Struct.pick(CoreMember.fields, ["memberId", "email", "role", "createdAtMs"]))
export type Member = typeof Member.Type

/** A person who was asked to become a member. */
export const Invitation = Schema.Struct(
  Struct.pick(CoreInvitation.fields, ["invitationId", "email", "role", "createdAtMs", "expiresAtMs"])
)
export type Invitation = typeof Invitation.Type

export const Hold = Schema.Struct(Struct.pick(CoreHold.fields, ["holdId", "quoteId", "cents", "expiresAtMs"]))

const MAX_DOMAINS = 100

/**
 * `null` means no limit of this key or connection; for the daily cap, the service's default applies. A new key has no limit that is left out; of one
 * that is limited, it stays as it is.
 */
export const SpendLimits = Schema.Struct({
  maxOrderCents: Schema.optionalKey(nullable(Cents).pipe(flag("Most that one order may cost"))),
  maxDayCents: Schema.optionalKey(nullable(Cents).pipe(flag("Most that the orders of a day (UTC) may cost"))),
  /** Counts quotes. */
  dailyOrderCap: Schema.optionalKey(
    nullable(Cents).pipe(flag("Most orders a day (UTC); 0 is no cap", { name: "daily-cap", metavar: "ORDERS" }))
  ),
  /** Targets must be one of them or below one. */
  allowedDomains: Schema.optionalKey(
    nullable(
      Schema.Array(Domain).check(
        Schema.makeFilter((domains) => domains.length >= 1 && domains.length <= MAX_DOMAINS, {
          message: `Must be null or a list of 1 to ${MAX_DOMAINS} domains.`
        })
      )
    ).pipe(flag("Links may only point to this domain; can be given several times", { name: "domain" }))
  ),
  approveAboveCents: Schema.optionalKey(
    nullable(Cents).pipe(flag("Orders over more than this wait for approval by the account's owner; 0: all orders"))
  ),
  holdLookAlikes: Schema.optionalKey(
    Schema.Boolean.pipe(flag("Whether an order like one of the last 10 minutes waits for approval", { onOff: true }))
  ),
  /** Replaces those that there were. */
  alwaysAllow: Schema.optionalKey(
    Schema.Array(Schema.Struct({ domain: Domain, upToCents: Cents }))
      .check(Schema.makeFilter((allowed) => alwaysAllowFault(allowed)))
      .pipe(
        flag(
          "Orders that link to this domain alone, up to this amount, need no approval; can be given several times, and replaces those before",
          { metavar: "DOMAIN=EUROS", domainAmounts: true }
        )
      )
  )
})

const credentialFields = Struct.pick(ApiKey.fields, [
  "keyId",
  "accountId",
  "mode",
  "label",
  "scopes",
  "limits",
  "createdAtMs",
  "revokedAtMs",
  "pausedAtMs",
  "expiresAtMs"
])

export const Key = Schema.Struct({
  ...credentialFields,
  ...Struct.pick(ApiKey.fields, ["prefix", "lastFour"]),
  /** Texts from before a rotation, and until when each is good. */
  former: Schema.optionalKey(Schema.Array(Schema.Struct(Struct.pick(FormerText.fields, ["lastFour", "untilMs"]))))
})
export type Key = typeof Key.Type

/** Its `keyId` is the connection's id, its label the client's name. */
export const Connection = Schema.Struct({ ...credentialFields, consent: Consent })
export type Connection = typeof Connection.Type

export const ApiKeyWithUsage = Schema.Struct({ key: Key, lastUsedAtMs: nullable(Schema.Int) })

export const ConnectionWithUsage = Schema.Struct({ connection: Connection, lastUsedAtMs: nullable(Schema.Int) })
export type ConnectionWithUsage = typeof ConnectionWithUsage.Type

export const LedgerEntry = CoreEntry
export type LedgerEntry = typeof LedgerEntry.Type

/** On its invoices; `null` where these are made out to a consumer by the account's name. */
export const Billing = nullable(BillingIdentity)
export type Billing = typeof Billing.Type

export const OfAccount = { accountId: Id.pipe(idBrands.AccountId, argument("Account id, acc_…")) }
export const OfKey = { keyId: Id.pipe(idBrands.KeyId, argument("Id of the key, key_…; not its text")) }
export const OfConnection = { connectionId: Id.pipe(idBrands.KeyId, argument("Connection id, con_…")) }
export const OfMember = { ...OfAccount, memberId: Id.pipe(idBrands.MemberId, argument("Member id, mem_…")) }
export const OfInvitation = {
  ...OfAccount,
  invitationId: Id.pipe(idBrands.InvitationId, argument("Invitation id, ivt_…"))
}
