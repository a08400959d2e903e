// `switch`, `audit`, `retention`, `reconcile` and `encryption`.
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { OwingAccount } from "#adapters/operator/records/AccountRecords.ts"
import { euros } from "#adapters/operator/records/Euros.ts"
import { FreedRows, ReconciliationReport } from "#adapters/operator/records/MonitoringRecords.ts"
import { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { command, pages, tableOf } from "../CallCommand.ts"
import { columns, text } from "../Columns.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect } from "../Connect.ts"
import { print } from "../Output.ts"
import { table } from "../Table.ts"
import { printable } from "../TerminalText.ts"

const FULFILMENT = {
  auto: "Plancton links are assigned by the service at once.",
  manual: "Plancton links wait for the operator, as all others do."
} as const

export const switchCommand = Command.make(
  "switch",
  {
    to: Argument.Literals("to", ["manual", "auto"]).pipe(
      Argument.withDescription("Who assigns Plancton links of future orders; without it, the setting is shown"),
      Argument.optional
    )
  },
  Effect.fnUntraced(function* ({ to }) {
    const client = yield* connect
    const now = yield* Option.match(to, {
      onNone: () => client.showFulfilment({}),
      onSome: (fulfilment) => client.switchFulfilment({ fulfilment })
    })
    yield* print(now, ({ fulfilment }) => `${fulfilment}: ${FULFILMENT[fulfilment]}`)
  })
).pipe(Command.withDescription("Show or set who assigns Plancton links"))

/** `cents=2500 reference=transfer`. */
export const detailsText = (details: AuditRecord["details"]): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${value ?? "none"}`)
    .join(" ")

const auditColumns = columns(AuditRecord, {
  AT: "atMs",
  WHO: "actor",
  WHAT: "action",
  TO: "subject",
  DETAILS: text(({ details }) => detailsText(details))
})

export const auditCommand = pages("audit", "readAudit", {
  about: "Show the audit log, newest first",
  columns: auditColumns
})

const freedColumns = columns(FreedRows, { FREED: "table", ROWS: "rows", LAST: "lastAtMs" })

const freedText = tableOf(freedColumns, "Nothing was freed so far.")

export const retentionCommand = command("retention", "showRetention", {
  about: "Show how many rows of finished records were freed (see RETENTION_DAYS)",
  says: ({ freed }, ...rest) => freedText(freed, ...rest)
})

const violationColumns = columns(ReconciliationReport.fields.findings.value, {
  INVARIANT: "law",
  "VIOLATED BY": "subject",
  HOW: "message"
})

/** One sentence for each account that owes something. */
export const owingText = (owing: ReadonlyArray<OwingAccount>): string =>
  owing
    .map(
      ({ accountId, name, owedCents }) =>
        `${accountId} (${printable(name)}) owes ${euros(owedCents)} EUR of top-ups that were refunded or disputed.`
    )
    .join("\n")

const checkedText = ({
  accounts,
  ledgerEntries,
  quotes,
  orders,
  links,
  events,
  deliveries
}: ReconciliationReport["looked"]): string =>
  [
    counted(accounts, "account"),
    counted(ledgerEntries, "ledger entry", "ledger entries"),
    counted(quotes, "quote"),
    counted(orders, "order"),
    counted(links, "link"),
    counted(events, "event"),
    counted(deliveries, "delivery", "deliveries")
  ].join(", ")

export const reconcileCommand = Command.make(
  "reconcile",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* connect
    const report = yield* client.reconcile({})
    const { length } = report.findings
    // A restore that failed leaves an empty store, in which nothing contradicts anything.
    if (length === 0 && report.looked.accounts === 0) {
      return yield* new CommandFailed({ sentence: "The store has no accounts: nothing was checked." })
    }
    yield* print(report, ({ findings, owing }, width) =>
      [
        `Checked ${checkedText(report.looked)}.`,
        findings.length === 0 ? "All of it agrees." : `\n${table(violationColumns, findings, width)}`,
        ...(owing.length === 0 ? [] : [owingText(owing)])
      ].join("\n")
    )
    if (length > 0) {
      return yield* new CommandFailed({
        sentence: `${length === 1 ? "One record violates" : `${length} records violate`} an invariant.`
      })
    }
  })
).pipe(Command.withDescription("Check all invariants of the books; exit status 1 if one is violated"))

export const encryptionCommand = Command.make(
  "encryption",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* connect
    const counts = yield* client.countSigningKeys({})
    yield* print(counts, ({ current, previous, unopened }) =>
      [
        `${counted(current, "signing key")} sealed under ENCRYPTION_KEY,`,
        `${previous} under ENCRYPTION_KEY_PREVIOUS or in an earlier format, ${unopened} under neither.`
      ].join(" ")
    )
    const { previous, unopened } = counts
    if (previous + unopened > 0) {
      const sentence =
        unopened > 0
          ? "Keep both keys: the one that opens the others is neither of them."
          : "Keep ENCRYPTION_KEY_PREVIOUS: every instance seals signing keys again each minute."
      return yield* new CommandFailed({ sentence })
    }
  })
).pipe(
  Command.withDescription(
    "Count the signing keys of webhooks by encryption key; exit status 1 while ENCRYPTION_KEY_PREVIOUS is needed"
  )
)
