// `account edit`, `account billing` and `account confirm-vat`: an account's name, and what it wants on its invoices.
import { Effect, Option, Record } from "effect"
import { Command, Flag } from "effect/cli"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { Billing } from "#adapters/operator/records/AccountRecords.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { command } from "../CallCommand.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect } from "../Connect.ts"
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

/** Saves the present identity with what the flags say; `given` has at least one of them. */
const saveFlags = Effect.fnUntraced(function* (
  client: OperatorClient,
  accountId: AccountId,
  given: { readonly [Name in keyof typeof billingFlags]?: string }
) {
  const present = yield* client.showBilling({ accountId })
  const { name = "", address = "", country = "", vatId, reference } = { ...present, ...given }
  const required = { "--billing-name": name, "--address": address, "--country": country }
  const missing = Object.entries(required).flatMap(([flag, value]) => (value === "" ? [flag] : []))
  if (missing.length > 0)
    return yield* new CommandFailed({
      sentence: `${accountId} has no billing identity yet, which needs ${missing.join(", ")} too; nothing was changed.`
    })
  return yield* client.saveBilling({
    accountId,
    details: {
      name,
      address: address.split("|").join("\n"),
      country,
      ...(vatId ? { vatId } : {}),
      ...(reference ? { reference } : {})
    }
  })
})

const edit = Command.make(
  "edit",
  { account: accountArgument, newName: optional("name", "Another name of the account"), billing: billingFlags },
  Effect.fnUntraced(function* ({ account: accountId, newName, billing: flags }) {
    const client = yield* connect
    const given = Record.getSomes(flags)
    const isBilling = !Record.isEmptyRecord(given)
    if (Option.isNone(newName) && !isBilling)
      return yield* new CommandFailed({ sentence: "Nothing is to be changed; name at least one flag." })
    const billing = isBilling ? yield* saveFlags(client, accountId, given) : undefined
    const account = Option.isSome(newName) ? yield* client.editAccount({ accountId, name: newName.value }) : undefined
    yield* print({ ...(account && { account }), ...(billing && { billing }) }, () =>
      [
        ...(account === undefined ? [] : [`${accountId} is named ${account.name}.`]),
        ...(billing === undefined ? [] : [`On future invoices of ${accountId}:`, billingText(billing)])
      ].join("\n")
    )
  })
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
