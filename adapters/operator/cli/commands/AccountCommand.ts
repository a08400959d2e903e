// `account`: the humans who buy, and the money they pay in ahead.
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { availableCents } from "#core/domain/Wallet.ts"
import type { Account, LedgerEntry } from "../../records/AccountRecords.ts"
import { openDesk } from "../Desk.ts"
import { euros } from "../Euros.ts"
import { answer } from "../Output.ts"
import { pages } from "../Pages.ts"
import { facts, table } from "../Table.ts"
import { amount, time, whole, words } from "../Words.ts"
import { keyColumns } from "./KeyCommand.ts"
import { accountArgument, eurosFlag, limitFlag } from "./Parameters.ts"

const columns = [
  whole<Account>("ACCOUNT", ({ accountId }) => accountId),
  words<Account>("NAME", ({ name }) => name),
  words<Account>("E-MAIL", ({ email }) => email),
  amount<Account>("AVAILABLE EUR", ({ wallet }) => availableCents(wallet)),
  amount<Account>("HELD EUR", ({ wallet }) => wallet.heldCents),
  whole<Account>("OPENED", ({ createdAtMs }) => time(createdAtMs))
]

const ledgerColumns = [
  whole<LedgerEntry>("AT", ({ atMs }) => time(atMs)),
  whole<LedgerEntry>("KIND", ({ kind }) => kind),
  amount<LedgerEntry>("EUR", ({ amountCents }) => amountCents),
  amount<LedgerEntry>("BALANCE EUR", ({ balanceAfterCents }) => balanceAfterCents),
  amount<LedgerEntry>("HELD EUR", ({ heldAfterCents }) => heldAfterCents),
  whole<LedgerEntry>("FOR", ({ linkId, orderId, quoteId }) => linkId ?? orderId ?? quoteId ?? "")
]

const open = Command.make(
  "open",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the human or the company")),
    email: Flag.String("email").pipe(Flag.withDescription("Where they can be reached"))
  },
  Effect.fnUntraced(function* ({ name, email }) {
    const desk = yield* openDesk
    const account = yield* desk.openAccount({ name, email })
    yield* answer(account, ({ accountId }) => `Opened account ${accountId}.`)
  })
).pipe(Command.withDescription("Open an account for a human"))

const list = Command.make(
  "list",
  { limit: limitFlag },
  Effect.fnUntraced(function* ({ limit }) {
    const desk = yield* openDesk
    const accounts = yield* pages(limit, (size, beforeId) =>
      desk
        .listAccounts({ limit: size, ...(beforeId === null ? {} : { beforeId }) })
        .pipe(Effect.map(({ accounts, nextBeforeId }) => ({ rows: accounts, next: nextBeforeId })))
    )
    yield* answer(accounts, (rows, width) => table(columns, rows, width))
  })
).pipe(Command.withDescription("List accounts, newest first"))

const show = Command.make(
  "show",
  { account: accountArgument },
  Effect.fnUntraced(function* ({ account: accountId }) {
    const desk = yield* openDesk
    yield* answer(yield* desk.showAccount({ accountId }), ({ account, holds, keys }, width) =>
      [
        facts([
          ["account", account.accountId],
          ["name", account.name],
          ["e-mail", account.email],
          ["available", `${euros(availableCents(account.wallet))} EUR`],
          ["held", `${euros(account.wallet.heldCents)} EUR`],
          ["welcome offer", account.welcome.state],
          ["opened", time(account.createdAtMs)]
        ]),
        ...holds.map((hold) => `Holds ${euros(hold.cents)} EUR for ${hold.quoteId} until ${time(hold.expiresAtMs)}.`),
        "",
        table(keyColumns, keys, width)
      ].join("\n")
    )
  })
).pipe(Command.withDescription("Show an account, its wallet and its keys"))

const topup = Command.make(
  "topup",
  {
    account: accountArgument,
    eur: eurosFlag("eur", "Amount in euros, such as 25.00", 1),
    reference: Flag.String("reference").pipe(
      Flag.withDescription("What the deposit is known by; the same one again is booked once"),
      Flag.withMetavar("TEXT")
    )
  },
  Effect.fnUntraced(function* ({ account: accountId, eur: cents, reference }) {
    const desk = yield* openDesk
    const entry = yield* desk.topUp({ accountId, cents, reference })
    yield* answer(
      entry,
      ({ amountCents, balanceAfterCents }) =>
        `Booked ${euros(amountCents)} EUR; the balance of ${accountId} was ${euros(balanceAfterCents)} EUR then.`
    )
  })
).pipe(
  Command.withDescription("Book money that a human paid in ahead"),
  Command.withExamples([
    {
      command: 'npm run operator -- account topup acc_… --eur 25.00 --reference "transfer 4711"',
      description: "Book 25 euros"
    }
  ])
)

const ledger = Command.make(
  "ledger",
  { account: accountArgument, limit: limitFlag },
  Effect.fnUntraced(function* ({ account: accountId, limit }) {
    const desk = yield* openDesk
    const entries = yield* pages(limit, (size, beforeId) =>
      desk
        .readLedger({ accountId, limit: size, ...(beforeId === null ? {} : { beforeId }) })
        .pipe(Effect.map(({ entries, nextBeforeId }) => ({ rows: entries, next: nextBeforeId })))
    )
    yield* answer(entries, (rows, width) => table(ledgerColumns, rows, width))
  })
).pipe(Command.withDescription("Read what moved an account's money, newest first"))

export const accountCommand = Command.make("account").pipe(
  Command.withDescription("Accounts and the money paid in ahead"),
  Command.withSubcommands([open, list, show, topup, ledger])
)
