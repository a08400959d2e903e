// `account`: accounts, wallets and top-ups.
import { Flag } from "effect/cli"
import * as Records from "#adapters/operator/records/AccountRecords.ts"
import { euros } from "#adapters/operator/records/Euros.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { command, group, pages } from "../CallCommand.ts"
import { amount, columns, text, timeOrNull, timeText } from "../Columns.ts"
import { fieldList, table } from "../Table.ts"
import { billingCommands } from "./BillingCommands.ts"
import { keyColumns } from "./KeyCommand.ts"
import { membersCommand } from "./MembersCommand.ts"

const accountColumns = columns(Records.Account, {
  ACCOUNT: "accountId",
  NAME: text("name"),
  "E-MAIL": text("email"),
  "AVAILABLE EUR": amount(({ wallet }) => availableCents(wallet)),
  "HELD EUR": "wallet.heldCents",
  OPENED: "createdAtMs"
})

const ledgerColumns = columns(Records.LedgerEntry, {
  AT: "atMs",
  KIND: "kind",
  EUR: "amountCents",
  "BALANCE EUR": "balanceAfterCents",
  "HELD EUR": "heldAfterCents",
  FOR: ({ linkId, orderId, quoteId }) => linkId ?? orderId ?? quoteId
})

/** What a call booked, or had booked when it was sent before; such as "Booked" and "booked". */
const movementText =
  (did: string, done: string) =>
  ({ entry, repeated }: { readonly entry: Records.LedgerEntry; readonly repeated: boolean }): string =>
    repeated
      ? `${euros(entry.amountCents)} EUR were ${done} already under this reference, at ${timeText(entry.atMs)}; nothing was booked now.`
      : `${did} ${euros(entry.amountCents)} EUR; the balance of ${entry.accountId} was ${euros(entry.balanceAfterCents)} EUR then.`

export const accountCommand = group("account", "Accounts, wallets and top-ups", [
  command("open", "openAccount", {
    about: "Open an account for a human, who is its first owner at once",
    says: ({ accountId }) => `Opened account ${accountId}.`
  }),
  command("email", "changeEmail", {
    about: "Give an account another e-mail address",
    says: ({ accountId, email }) => `${accountId} has the address ${email}.`
  }),
  ...billingCommands,
  command("note", "editAccount", {
    about: "Keep a note with an account, for operators",
    flags: { text: Flag.String("text").pipe(Flag.withDescription("The note; empty takes it away")) },
    payload: (_, { text }) => ({ note: text }),
    says: ({ accountId, note }) =>
      note === undefined ? `${accountId} has no note.` : `${accountId} has the note: ${note}`
  }),
  command("stop-agents", "stopAgents", {
    about: "Stop all agents of an account at once; what is open can still be paid",
    fixed: { stopped: true },
    says: ({ accountId }) => `No key and no connection of ${accountId} orders any more, until account resume-agents.`
  }),
  command("resume-agents", "stopAgents", {
    about: "Let the agents of an account order again",
    fixed: { stopped: false },
    says: ({ accountId }) => `Keys and connections of ${accountId} order again, within their limits.`
  }),
  command("close", "closeAccount", {
    about: "Close an account: keys and sessions end, open quotes and top-ups end, credit stays",
    says: ({ abandoned, kept }, { accountId }) =>
      `Closed ${accountId}: its keys and sessions have ended, and ${abandoned} open quotes were abandoned.${kept.length === 0 ? "" : ` Still open: ${kept.join(", ")}; close it again later.`}`
  }),
  membersCommand,
  pages("list", "listAccounts", { about: "List accounts, newest first", columns: accountColumns }),
  command("show", "showAccount", {
    about: "Show an account, its wallet and its keys",
    says: ({ account, holds, keys }, _, width) =>
      [
        fieldList([
          ["account", account.accountId],
          ["name", account.name],
          ["e-mail", account.email],
          ["available", `${euros(availableCents(account.wallet))} EUR`],
          ["held", `${euros(account.wallet.heldCents)} EUR`],
          ["welcome offer", account.welcome.state],
          ["opened", timeText(account.createdAtMs)],
          ["owed, EUR", account.owedCents === undefined ? null : euros(account.owedCents)],
          ["agents stopped", timeOrNull(account.agentsStoppedAtMs)],
          ["closed", timeOrNull(account.closedAtMs)],
          ["note", account.note]
        ]),
        ...holds.map(({ cents, quoteId, expiresAtMs }) => {
          return `Holds ${euros(cents)} EUR for ${quoteId} until ${timeText(expiresAtMs)}.`
        }),
        "",
        table(keyColumns, keys, width)
      ].join("\n")
  }),
  command("topup", "topUp", {
    about: "Book a top-up of prepaid credit",
    example: ['account topup acc_… --eur 25.00 --reference "transfer 4711"', "Book 25 euros"],
    says: movementText("Booked", "booked")
  }),
  command("debit", "debit", {
    about: "Take credit back, such as a mistyped top-up; never what open quotes hold",
    example: [
      'account debit acc_… --eur 225.00 --reference "transfer 4711" --reason "mistyped"',
      "Take 225 euros back"
    ],
    says: movementText("Took", "taken")
  }),
  pages("ledger", "readLedger", {
    about: "List the ledger entries of an account, newest first",
    columns: ledgerColumns
  })
])
