// `account edit`, `account billing` and `account confirm-vat`: an account's name, and what it wants on its invoices.
import { Effect, Option, Result } from "effect"
import { Command, Flag } from "effect/cli"
import type { BillingFields } from "#adapters/contract/invoicing/BillingDetails.ts"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { Billing } from "#adapters/operator/records/AccountRecords.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { command } from "../CallCommand.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { withClient } from "../Connect.ts"
import { print } from "../Output.ts"
import { fieldList } from "../Table.ts"
import { accountArgument } from "./Parameters.ts"

const lineOf = (text: string): string => text.replaceAll("\n", ", ")

const billingText = (billing: Billing): string => {
  if (billing === null) return "Invoices are made out to a consumer by the account's name, in the seller's country."
  const { name, address, country, vatId, vatIdConfirmed, reference } = billing
  const vat = vatId === null ? "none" : `${vatId} (${vatIdConfirmed ? "confirmed" : "not confirmed"})`
  return fieldList([
    ["name", name],
    ["address", lineOf(address)],
    ["country", country],
    ["VAT id", vat],
    ["reference", reference ?? "none"]
  ])
}

const optional = (name: string, what: string) =>
  Flag.String(name).pipe(Flag.withDescription(what), Flag.withMetavar("TEXT"), Flag.optional)

const billingFlags = {
  name: optional("billing-name", "Name on invoices"),
  address: optional("address", "Address on invoices; a bar | divides its lines"),
  country: optional("country", "Country of the buyer, such as FR (ISO 3166)"),
  vatId: optional("vat-id", "VAT id, such as DE136695976; empty takes it away"),
  reference: optional("reference", "The buyer's own reference; empty takes it away")
}

type BillingFlags = { readonly [Name in keyof typeof billingFlags]: Option.Option<string> }

/** The present identity with what the flags say; fails with the flags that a first identity lacks. */
const withFlags = (present: Billing, flags: BillingFlags): Result.Result<BillingFields, ReadonlyArray<string>> => {
  const of = (given: Option.Option<string>, before: string | null | undefined): string =>
    Option.getOrElse(given, () => before ?? "")
  const name = of(flags.name, present?.name)
  const address = of(flags.address, present?.address).split("|").join("\n")
  const country = of(flags.country, present?.country)
  const vatId = of(flags.vatId, present?.vatId)
  const reference = of(flags.reference, present?.reference)
  const required = { "--billing-name": name, "--address": address, "--country": country }
  const missing = Object.entries(required).flatMap(([flag, value]) => (value === "" ? [flag] : []))
  if (missing.length > 0) return Result.fail(missing)
  return Result.succeed({
    name,
    address,
    country,
    ...(vatId === "" ? {} : { vatId }),
    ...(reference === "" ? {} : { reference })
  })
}

/** Saves what the flags say; `undefined` without any. */
const saveFlags = Effect.fnUntraced(function* (client: OperatorClient, accountId: AccountId, flags: BillingFlags) {
  if (!Object.values(flags).some(Option.isSome)) return undefined
  const details = withFlags(yield* client.showBilling({ accountId }), flags)
  if (Result.isSuccess(details)) return yield* client.saveBilling({ accountId, details: details.success })
  const missing = details.failure.join(", ")
  return yield* new CommandFailed({
    sentence: `${accountId} has no billing identity yet, which needs ${missing} too; nothing was changed.`
  })
})

const edit = Command.make(
  "edit",
  {
    account: accountArgument,
    newName: optional("name", "Another name of the account"),
    ...billingFlags
  },
  withClient(
    Effect.fnUntraced(function* (client, { account: accountId, newName, ...flags }) {
      if (Option.isNone(newName) && !Object.values(flags).some(Option.isSome))
        return yield* new CommandFailed({ sentence: "Nothing is to be changed; name at least one flag." })
      const billing = yield* saveFlags(client, accountId, flags)
      const account = Option.isSome(newName) ? yield* client.editAccount({ accountId, name: newName.value }) : undefined
      yield* print({ ...(account && { account }), ...(billing && { billing }) }, () =>
        [
          ...(account === undefined ? [] : [`${accountId} is named ${account.name}.`]),
          ...(billing === undefined ? [] : [`On future invoices of ${accountId}:`, billingText(billing)])
        ].join("\n")
      )
    })
  )
).pipe(Command.withDescription("Give an account another name, or change what is on its invoices"))

export const billingCommands = [
  edit,
  command("billing", "showBilling", { about: "Show what is on an account's invoices", says: billingText }),
  command("confirm-vat", "confirmVatId", {
    about: "Confirm that a VAT id belongs to the account, for reverse charge on future invoices",
    flags: {
      withdraw: Flag.Boolean("withdraw").pipe(
        Flag.withDescription("Take the confirmation back"),
        Flag.withDefault(false)
      )
    },
    payload: (_, { withdraw }) => ({ confirmed: !withdraw }),
    says: (_, { accountId, confirmed }) =>
      confirmed
        ? `The VAT id of ${accountId} is confirmed: a business in another member state is no longer charged VAT.`
        : `The VAT id of ${accountId} is no longer confirmed: it is charged VAT.`
  })
] as const
