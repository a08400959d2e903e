// The shop as a whole: who assigns Plancton links, what operators did, and whether the books add up.
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { counted } from "#core/domain/Counted.ts"
import type { AuditRecord, Proof } from "../../records/WatchRecords.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { openDesk } from "../Desk.ts"
import { answer } from "../Output.ts"
import { pages } from "../Pages.ts"
import { table } from "../Table.ts"
import { time, whole, words } from "../Words.ts"
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
    const desk = yield* openDesk
    const now = yield* Option.match(to, {
      onNone: () => desk.showFulfilment({}),
      onSome: (fulfilment) => desk.switchFulfilment({ fulfilment })
    })
    yield* answer(now, ({ fulfilment }) => `${fulfilment}: ${FULFILMENT[fulfilment]}`)
  })
).pipe(Command.withDescription("Show or set who assigns Plancton links"))

/** `cents=2500 reference=transfer`. */
export const detailsText = (details: AuditRecord["details"]): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${value ?? "none"}`)
    .join(" ")

const auditColumns = [
  whole<AuditRecord>("AT", ({ atMs }) => time(atMs)),
  whole<AuditRecord>("WHO", ({ actor }) => actor),
  whole<AuditRecord>("WHAT", ({ action }) => action),
  whole<AuditRecord>("TO", ({ subject }) => subject),
  words<AuditRecord>("DETAILS", ({ details }) => detailsText(details))
]

export const auditCommand = Command.make(
  "audit",
  { limit: limitFlag },
  Effect.fnUntraced(function* ({ limit }) {
    const desk = yield* openDesk
    const records = yield* pages(limit, (size, beforeId) =>
      desk
        .readAudit({ limit: size, ...(beforeId === null ? {} : { beforeId }) })
        .pipe(Effect.map(({ records, nextBeforeId }) => ({ rows: records, next: nextBeforeId })))
    )
    yield* answer(records, (rows, width) => table(auditColumns, rows, width))
  })
).pipe(Command.withDescription("Show what operators did, newest first"))

type Finding = Proof["findings"][number]

const findingColumns = [
  whole<Finding>("LAW", ({ law }) => law),
  whole<Finding>("BROKEN BY", ({ subject }) => subject),
  whole<Finding>("HOW", ({ message }) => message)
]

const looked = ({ accounts, ledgerEntries, quotes, orders, links, events, deliveries }: Proof["looked"]): string =>
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
    const desk = yield* openDesk
    const proof = yield* desk.reconcile({})
    const { length } = proof.findings
    yield* answer(proof, ({ findings }, width) =>
      [
        `Looked at ${looked(proof.looked)}.`,
        findings.length === 0 ? "All of it agrees." : `\n${table(findingColumns, findings, width)}`
      ].join("\n")
    )
    if (length > 0) {
      return yield* new CommandFailed({
        sentence: `${length === 1 ? "One record breaks" : `${length} records break`} a law.`
      })
    }
  })
).pipe(Command.withDescription("Prove that the books add up; exit status 1 where they do not"))
