// `switch`, `audit` and `reconcile`.
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { ReconciliationReport } from "#adapters/operator/records/MonitoringRecords.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { AuditId } from "#core/domain/shared/Ids.ts"
import { idColumn, textColumn, timeText } from "../Columns.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect, withClient } from "../Connect.ts"
import { print } from "../Output.ts"
import { printPages } from "../Pages.ts"
import { table } from "../Table.ts"
import { limitFlag } from "./Parameters.ts"

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

const auditColumns = [
  idColumn<AuditRecord>("AT", ({ atMs }) => timeText(atMs)),
  idColumn<AuditRecord>("WHO", ({ actor }) => actor),
  idColumn<AuditRecord>("WHAT", ({ action }) => action),
  idColumn<AuditRecord>("TO", ({ subject }) => subject),
  textColumn<AuditRecord>("DETAILS", ({ details }) => detailsText(details))
]

export const auditCommand = Command.make(
  "audit",
  { limit: limitFlag },
  withClient((client, { limit }) =>
    printPages(auditColumns, limit, (size, beforeId: AuditId | null) =>
      client
        .readAudit({ limit: size, ...(beforeId === null ? {} : { beforeId }) })
        .pipe(Effect.map(({ records, nextBeforeId }) => ({ rows: records, next: nextBeforeId })))
    )
  )
).pipe(Command.withDescription("Show the audit log, newest first"))

type Violation = ReconciliationReport["findings"][number]

const violationColumns = [
  idColumn<Violation>("INVARIANT", ({ law }) => law),
  idColumn<Violation>("VIOLATED BY", ({ subject }) => subject),
  idColumn<Violation>("HOW", ({ message }) => message)
]

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
    yield* print(report, ({ findings }, width) =>
      [
        `Checked ${checkedText(report.looked)}.`,
        findings.length === 0 ? "All of it agrees." : `\n${table(violationColumns, findings, width)}`
      ].join("\n")
    )
    if (length > 0) {
      return yield* new CommandFailed({
        sentence: `${length === 1 ? "One record violates" : `${length} records violate`} an invariant.`
      })
    }
  })
).pipe(Command.withDescription("Check all invariants of the books; exit status 1 if one is violated"))
