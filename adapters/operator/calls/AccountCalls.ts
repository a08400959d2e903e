// Calls about accounts, top-ups, API keys and connections.
import { Schema } from "effect"
import { RpcGroup } from "effect/rpc"
import { BillingFields } from "#adapters/contract/invoicing/BillingDetails.ts"
import { line } from "#adapters/contract/schema/Text.ts"
import { Scope } from "#core/domain/access/ApiKey.ts"
import { GivenRole } from "#core/domain/members/Member.ts"
import { AccountId, EntryId, idBrands, MemberId, PayableId } from "#core/domain/shared/Ids.ts"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import * as Records from "../records/AccountRecords.ts"
import { flag } from "../records/CommandFields.ts"
import { Id, Label, Millis, Mode, PageSize, PositiveCents, Reason } from "../records/Fields.ts"
import { call } from "./Call.ts"

/** Blanks around it are left out. */
const Email = Schema.String.check(
  Schema.isPattern(/^ *[^\s@]{1,64}@[^\s@]{1,255} *$/, { message: "Must be an e-mail address." })
)

const Scopes = Schema.Array(Scope).check(
  Schema.makeFilter((scopes) => scopes.length >= 1 && new Set(scopes).size === scopes.length, {
    message: "Name one or both of read and order, each once."
  })
)

const NewEmail = Email.pipe(flag("E-mail address, which no other account has"))

const Role = GivenRole.pipe(flag("owner may do everything; viewer sees everything and changes nothing"))

/** The account, the amount and the reference of a booking. */
const movement = (what: string) => ({
  ...Records.OfAccount,
  cents: PositiveCents.pipe(flag("Amount in euros, such as 25.00", { name: "eur" })),
  reference: line(1, 200).pipe(flag(`Identifies the ${what}; a repeated reference is booked once`, { metavar: "TEXT" }))
})

/** `repeated`: it was booked before, and `entry` is the one of that time. */
const Booked = Schema.Struct({ entry: Records.LedgerEntry, repeated: Schema.Boolean })

export class AccountRpcs extends RpcGroup.make(
  /** The address is the first owner's, at once. One that another account has, in whatever spelling, is refused (`email_taken`). */
  call(
    "openAccount",
    "admin",
    {
      name: Schema.optionalKey(Label.pipe(flag("Name of the human or the company; without one, the address"))),
      email: NewEmail
    },
    Records.Account
  ),
  call("changeEmail", "admin", { ...Records.OfAccount, email: NewEmail }, Records.Account),
  /** An empty note takes the present one away. */
  call(
    "editAccount",
    "admin",
    { ...Records.OfAccount, name: Schema.optionalKey(Label), note: Schema.optionalKey(line(0, 500)) },
    Records.Account
  ),
  call("showBilling", "reader", Records.OfAccount, Records.Billing),
  /** Replaces all of it: what is left out is not on the invoices. Another VAT id or country is not confirmed. */
  call("saveBilling", "finance", { ...Records.OfAccount, details: BillingFields }, Records.Billing),
  /** `vatId` is the one that was checked: another one than the account's is refused (`vat_id_differs`). Confirmed, a business abroad pays VAT itself. */
  call(
    "confirmVatId",
    "finance",
    {
      ...Records.OfAccount,
      vatId: line(1, 40).pipe(flag("The VAT id that you checked, such as in VIES; only the account's own is taken")),
      confirmed: Schema.Boolean
    },
    Records.Billing
  ),
  /** Keys and sessions end, open quotes are abandoned, and open top-ups end; `kept` are those that cannot be now. Closing again tries again. */
  call(
    "closeAccount",
    "admin",
    { ...Records.OfAccount, reason: Reason },
    Schema.Struct({ account: Records.Account, abandoned: Schema.Int, kept: Schema.Array(PayableId) })
  ),
  /**
   * A one-time code for the member with this address, in place of earlier ones: it removes the last second factor, or adds the first where
   * other owners have one. `code` is returned only here.
   */
  call(
    "issueFactorCode",
    "admin",
    { email: Email.pipe(flag("The address that the member signs in with")) },
    Schema.Struct({ memberId: MemberId, accountId: AccountId, email: Schema.String, code: Schema.String }),
    { isWaitedFor: true }
  ),
  /** Newest first; `beforeId` is the last account of the page before. `text` is searched in ids, names and addresses. */
  call(
    "listAccounts",
    "reader",
    {
      limit: PageSize,
      beforeId: Schema.optionalKey(Id.pipe(idBrands.AccountId)),
      text: Schema.optionalKey(
        line(1, 200).pipe(
          flag("Only accounts with this text in their id, name or an address", { name: "search", metavar: "TEXT" })
        )
      )
    },
    Schema.Struct({ accounts: Schema.Array(Records.Account), nextBeforeId: Schema.NullOr(AccountId) })
  ),
  /** Who signs in to the account, oldest first. */
  call("listMembers", "reader", Records.OfAccount, Schema.Array(Records.Member)),
  /**
   * Asks a person by mail to become a member; the page behind the mail makes one, within seven days. The answer says nothing of other
   * accounts, to which the address may belong.
   */
  call(
    "inviteMember",
    "admin",
    { ...Records.OfAccount, email: Email.pipe(flag("E-mail address that is invited")), role: Role },
    Records.Invitation
  ),
  /** Open ones, oldest first. */
  call("listInvitations", "reader", Records.OfAccount, Schema.Array(Records.Invitation)),
  call("withdrawInvitation", "admin", Records.OfInvitation, Records.Invitation),
  /** The last owner stays one (`last_owner`). */
  call("changeMemberRole", "admin", { ...Records.OfMember, role: Role }, Records.Member),
  /** `stopped`: no key and no connection of the account orders until they may again; the Shop does. */
  call("stopAgents", "admin", { ...Records.OfAccount, stopped: Schema.Boolean }, Records.Account),
  /** The member's sessions end. The last owner stays (`last_owner`). */
  call("removeMember", "admin", Records.OfMember, Records.Member),
  call(
    "showAccount",
    "reader",
    Records.OfAccount,
    Schema.Struct({
      account: Records.Account,
      holds: Schema.Array(Records.Hold),
      keys: Schema.Array(Records.ApiKeyWithUsage)
    })
  ),
  /**
   * Books a top-up. The same reference for the same account is the same top-up: it is booked once, and a repetition returns the
   * first entry; with another amount it is refused (`reference_reused`).
   */
  call("topUp", "finance", movement("deposit"), Booked),
  /**
   * Lowers the balance, at most by what no open quote holds (`balance_too_low`). The same reference for the same account is the same
   * adjustment, as with a top-up.
   */
  call("debit", "finance", { ...movement("adjustment"), reason: Reason }, Booked),
  /** Newest first; `beforeId` is the last entry of the page before. */
  call(
    "readLedger",
    "reader",
    { ...Records.OfAccount, limit: PageSize, beforeId: Schema.optionalKey(Id.pipe(idBrands.EntryId)) },
    Schema.Struct({ entries: Schema.Array(Records.LedgerEntry), nextBeforeId: Schema.NullOr(EntryId) })
  ),
  /** `text` is the key itself, returned only here. */
  call(
    "issueKey",
    "admin",
    {
      ...Records.OfAccount,
      label: Label.pipe(flag("What the key is for")),
      mode: Mode.pipe(flag("Default live; a sandbox key simulates orders", { otherwise: "live" })),
      scopes: Scopes,
      limits: Records.SpendLimits,
      /** When it ends by itself: in the future, at most ten years ahead. */
      expiresAtMs: Schema.optionalKey(Millis)
    },
    Schema.Struct({ key: Records.Key, text: Schema.String }),
    { isWaitedFor: true }
  ),
  /** Oldest first, including revoked keys. */
  call("listKeys", "reader", Records.OfAccount, Schema.Array(Records.ApiKeyWithUsage)),
  /** Changes the limits that are given; `null` removes one. */
  call("limitKey", "admin", { ...Records.OfKey, limits: Records.SpendLimits }, Records.Key),
  /** Gives the key another text, which `text` is only here, and leaves all else; the former one is good for 24 hours, unless `now`. */
  call(
    "rotateKey",
    "admin",
    {
      ...Records.OfKey,
      now: Schema.optionalKey(
        Schema.Boolean.pipe(
          flag("The present text ends at once, such as one that leaked; otherwise it is good for 24 hours")
        )
      )
    },
    Schema.Struct({ key: Records.Key, text: Schema.String })
  ),
  /** `paused`: it does not order until it may again; it reads all the same, and keeps its webhooks. */
  call("pauseKey", "admin", { ...Records.OfKey, paused: Schema.Boolean }, Records.Key),
  call("revokeKey", "admin", Records.OfKey, Records.Key),
  /** Clients that owners connected by OAuth; oldest first, including revoked connections. */
  call("listConnections", "reader", Records.OfAccount, Schema.Array(Records.ConnectionWithUsage)),
  /** Does for a connection what `limitKey` does for a key. */
  call("limitConnection", "admin", { ...Records.OfConnection, limits: Records.SpendLimits }, Records.Connection),
  call("pauseConnection", "admin", { ...Records.OfConnection, paused: Schema.Boolean }, Records.Connection),
  call("revokeConnection", "admin", Records.OfConnection, Records.Connection)
).middleware(OperatorMiddleware) {}
