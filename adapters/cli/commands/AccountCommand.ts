// `account`: accounts, wallets and top-ups.
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { Account, LedgerEntry } from "#adapters/operator/records/AccountRecords.ts"
import type { AccountId, EntryId } from "#core/domain/shared/Ids.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { amountColumn, idColumn, textColumn, timeText } from "../Columns.ts"
import { withClient } from "../Connect.ts"
import { euros } from "../Euros.ts"
import { printResult } from "../Output.ts"
import { printPages } from "../Pages.ts"
import { fieldList, table } from "../Table.ts"
import { resumeAgents, stopAgents } from "./AgentsCommand.ts"
import { billing, confirmVat, edit } from "./BillingCommands.ts"
import { keyColumns } from "./KeyCommand.ts"
import { membersCommand } from "./MembersCommand.ts"
import { accountArgument, eurosFlag, limitFlag, reasonFlag } from "./Parameters.ts"

const columns = [
  idColumn<Account>("ACCOUNT", ({ accountId }) => accountId),
  textColumn<Account>("NAME", ({ name }) => name),
  textColumn<Account>("E-MAIL", ({ email }) => email),
  amountColumn<Account>("AVAILABLE EUR", ({ wallet }) => availableCents(wallet)),
  amountColumn<Account>("HELD EUR", ({ wallet }) => wallet.heldCents),
  idColumn<Account>("OPENED", ({ createdAtMs }) => timeText(createdAtMs))
]

const ledgerColumns = [
  idColumn<LedgerEntry>("AT", ({ atMs }) => timeText(atMs)),
  idColumn<LedgerEntry>("KIND", ({ kind }) => kind),
  amountColumn<LedgerEntry>("EUR", ({ amountCents }) => amountCents),
  amountColumn<LedgerEntry>("BALANCE EUR", ({ balanceAfterCents }) => balanceAfterCents),
  amountColumn<LedgerEntry>("HELD EUR", ({ heldAfterCents }) => heldAfterCents),
  idColumn<LedgerEntry>("FOR", ({ linkId, orderId, quoteId }) => linkId ?? orderId ?? quoteId ?? "")
]

/** What is out of the ordinary. */
const stateLines = (account: Account): ReadonlyArray<readonly [string, string]> => [
  ...(account.agentsStoppedAtMs === undefined
    ? []
    : [["agents stopped", timeText(account.agentsStoppedAtMs)] as const]),
  ...(account.closedAtMs === undefined ? [] : [["closed", timeText(account.closedAtMs)] as const]),
  ...(account.note === undefined ? [] : [["note", account.note] as const])
]

const emailFlag = Flag.String("email").pipe(Flag.withDescription("E-mail address, which no other account has"))

const open = Command.make(
  "open",
  {
    name: Flag.String("name").pipe(
      Flag.withDescription("Name of the human or the company; without one, the address"),
      Flag.optional
    ),
    email: emailFlag
  },
  withClient((client, { name, email }) =>
    printResult(
      client.openAccount({ email, ...(Option.isNone(name) ? {} : { name: name.value }) }),
      ({ accountId }) => `Opened account ${accountId}.`
    )
  )
).pipe(Command.withDescription("Open an account for a human"))

const email = Command.make(
  "email",
  { account: accountArgument, email: emailFlag },
  withClient((client, { account: accountId, email }) =>
    printResult(client.changeEmail({ accountId, email }), (account) => `${accountId} has the address ${account.email}.`)
  )
).pipe(Command.withDescription("Give an account another e-mail address"))

const note = Command.make(
  "note",
  { account: accountArgument, text: Flag.String("text").pipe(Flag.withDescription("The note; empty takes it away")) },
  withClient((client, { account: accountId, text }) =>
    printResult(client.editAccount({ accountId, note: text }), (account) =>
      account.note === undefined ? `${accountId} has no note.` : `${accountId} has the note: ${account.note}`
    )
  )
).pipe(Command.withDescription("Keep a note with an account, for operators"))

const close = Command.make(
  "close",
  { account: accountArgument, reason: reasonFlag },
  withClient((client, { account: accountId, reason }) =>
    printResult(
      client.closeAccount({ accountId, reason }),
      ({ abandoned, kept }) =>
        `Closed ${accountId}: its keys and sessions have ended, and ${abandoned} open quotes were abandoned.${kept.length === 0 ? "" : ` Still open: ${kept.join(", ")}; close it again later.`}`
    )
  )
).pipe(Command.withDescription("Close an account: keys and sessions end, open quotes are abandoned, credit stays"))

const list = Command.make(
  "list",
  {
    limit: limitFlag,
    search: Flag.String("search").pipe(
      Flag.withDescription("Only accounts with this text in their id, name or an address"),
      Flag.withMetavar("TEXT"),
      Flag.optional
    )
  },
  withClient((client, { limit, search }) =>
    printPages(columns, limit, (size, beforeId: AccountId | null) =>
      client
        .listAccounts({
          limit: size,
          ...(beforeId === null ? {} : { beforeId }),
          ...(Option.isNone(search) ? {} : { text: search.value })
        })
        .pipe(Effect.map(({ accounts, nextBeforeId }) => ({ rows: accounts, next: nextBeforeId })))
    )
  )
).pipe(Command.withDescription("List accounts, newest first"))

const show = Command.make(
  "show",
  { account: accountArgument },
  withClient((client, { account: accountId }) =>
    printResult(client.showAccount({ accountId }), ({ account, holds, keys }, width) =>
      [
        fieldList([
          ["account", account.accountId],
          ["name", account.name],
          ["e-mail", account.email],
          ["available", `${euros(availableCents(account.wallet))} EUR`],
          ["held", `${euros(account.wallet.heldCents)} EUR`],
          ["welcome offer", account.welcome.state],
          ["opened", timeText(account.createdAtMs)],
          ...stateLines(account)
        ]),
        ...holds.map(
          (hold) => `Holds ${euros(hold.cents)} EUR for ${hold.quoteId} until ${timeText(hold.expiresAtMs)}.`
        ),
        "",
        table(keyColumns, keys, width)
      ].join("\n")
    )
  )
).pipe(Command.withDescription("Show an account, its wallet and its keys"))

/** The account, the amount and the reference of a booking. */
const movement = (what: "deposit" | "adjustment") => ({
  account: accountArgument,
  eur: eurosFlag("eur", "Amount in euros, such as 25.00", 1),
  reference: Flag.String("reference").pipe(
    Flag.withDescription(`Identifies the ${what}; a repeated reference is booked once`),
    Flag.withMetavar("TEXT")
  )
})

/** What a call booked, or had booked when it was sent before; such as "Booked" and "booked". */
const movementText =
  (did: string, done: string) =>
  ({ entry, repeated }: { readonly entry: LedgerEntry; readonly repeated: boolean }): string =>
    repeated
      ? `${euros(entry.amountCents)} EUR were ${done} already under this reference, at ${timeText(entry.atMs)}; nothing was booked now.`
      : `${did} ${euros(entry.amountCents)} EUR; the balance of ${entry.accountId} was ${euros(entry.balanceAfterCents)} EUR then.`

const topup = Command.make(
  "topup",
  movement("deposit"),
  withClient((client, { account: accountId, eur: cents, reference }) =>
    printResult(client.topUp({ accountId, cents, reference }), movementText("Booked", "booked"))
  )
).pipe(
  Command.withDescription("Book a deposit of prepaid credit"),
  Command.withExamples([
    {
      command: 'npm run operator -- account topup acc_… --eur 25.00 --reference "transfer 4711"',
      description: "Book 25 euros"
    }
  ])
)

const debit = Command.make(
  "debit",
  { ...movement("adjustment"), reason: reasonFlag },
  withClient((client, { account: accountId, eur: cents, reference, reason }) =>
    printResult(client.debit({ accountId, cents, reference, reason }), movementText("Took", "taken"))
  )
).pipe(
  Command.withDescription("Take credit back, such as a mistyped deposit; never what open quotes hold"),
  Command.withExamples([
    {
      command: 'npm run operator -- account debit acc_… --eur 225.00 --reference "transfer 4711" --reason "mistyped"',
      description: "Take 225 euros back"
    }
  ])
)

const ledger = Command.make(
  "ledger",
  { account: accountArgument, limit: limitFlag },
  withClient((client, { account: accountId, limit }) =>
    printPages(ledgerColumns, limit, (size, beforeId: EntryId | null) =>
      client
        .readLedger({ accountId, limit: size, ...(beforeId === null ? {} : { beforeId }) })
        .pipe(Effect.map(({ entries, nextBeforeId }) => ({ rows: entries, next: nextBeforeId })))
    )
  )
).pipe(Command.withDescription("List the ledger entries of an account, newest first"))

export const accountCommand = Command.make("account").pipe(
  Command.withDescription("Accounts, wallets and top-ups"),
  Command.withSubcommands([
    open,
    email,
    edit,
    billing,
    confirmVat,
    note,
    stopAgents,
    resumeAgents,
    close,
    membersCommand,
    list,
    show,
    topup,
    debit,
    ledger
  ])
)
