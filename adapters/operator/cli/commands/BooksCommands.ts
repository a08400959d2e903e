// The shop as a whole: who assigns Plancton links, what operators did, and whether the books add up.
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { counted } from "#core/domain/Counted.ts"
import type { AuditRecord, ReconciliationReport } from "../../records/MonitoringRecords.ts"
import { idColumn, textColumn, timeText } from "../Columns.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect } from "../Connect.ts"
import { print } from "../Output.ts"
import { readPages } from "../Pages.ts"
import { table } from "../Table.ts"
import { limitFlag } from "./Parameters.ts"

const FULFILMENT = {
  auto: "Plancton links are assigned by the shop at once.",
  manual: "Plancton links wait for the operator, like all others."
} as const

export const switchCommand = Command.make(
  "switch",
  {
    to: Argument.Literals("to", ["manual", "auto"]).pipe(
      Argument.withDescription("Who assigns Plancton links of orders to come; left out, it is shown"),
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
  Effect.fnUntraced(function* ({ limit }) {
    const client = yield* connect
    const records = yield* readPages(limit, (size, beforeId) =>
      client
        .readAudit({ limit: size, ...(beforeId === null ? {} : { beforeId }) })
        .pipe(Effect.map(({ records, nextBeforeId }) => ({ rows: records, next: nextBeforeId })))
    )
    yield* print(records, (rows, width) => table(auditColumns, rows, width))
  })
).pipe(Command.withDescription("Show what operators did, newest first"))

type Violation = ReconciliationReport["findings"][number]

const violationColumns = [
  idColumn<Violation>("LAW", ({ law }) => law),
  idColumn<Violation>("BROKEN BY", ({ subject }) => subject),
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
    const proof = yield* client.reconcile({})
    const { length } = proof.findings
    yield* print(proof, ({ findings }, width) =>
      [
        `Looked at ${checkedText(proof.looked)}.`,
        findings.length === 0 ? "All of it agrees." : `\n${table(violationColumns, findings, width)}`
      ].join("\n")
    )
    if (length > 0) {
      return yield* new CommandFailed({
        sentence: `${length === 1 ? "One record breaks" : `${length} records break`} a law.`
      })
    }
  })
).pipe(Command.withDescription("Prove that the books add up; exit status 1 where they do not"))
