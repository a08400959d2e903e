// Reconciles the books by one query per invariant, all on one snapshot. They are planned for large joins and may take long.
import { Effect, Layer, Schema } from "effect"
import { Invariant, type Violation } from "#core/domain/operations/Invariant.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { classified } from "../../database/Connections.ts"
import type { DatabaseOptions } from "../../database/Database.ts"
import { decodeRows } from "../../database/Queries.ts"
import { openSnapshotSession, run } from "../../database/SnapshotSession.ts"
import { conflictAsUnavailable } from "../../database/SqlErrors.ts"
import { catalogueInvariants } from "../../invariants/CatalogueInvariants.ts"
import { eventInvariants } from "../../invariants/EventInvariants.ts"
import { invoiceInvariants } from "../../invariants/InvoiceInvariants.ts"
import { memberInvariants } from "../../invariants/MemberInvariants.ts"
import { orderInvariants } from "../../invariants/OrderInvariants.ts"
import { referenceInvariants } from "../../invariants/ReferenceInvariants.ts"
import { walletInvariants } from "../../invariants/WalletInvariants.ts"
import { Integer, Text } from "../../rows/Table.ts"

/** Each selects `subject` and `message` of every violation. */
const queries: Readonly<Record<Invariant, string>> = {
  ...walletInvariants,
  ...orderInvariants,
  ...invoiceInvariants,
  ...catalogueInvariants,
  ...eventInvariants,
  ...referenceInvariants,
  ...memberInvariants
}

/** The tables whose rows are counted, by what they hold. */
const COUNTED = [
  ["accounts", "accounts"],
  ["ledgerEntries", "ledger"],
  ["quotes", "quotes"],
  ["orders", "orders"],
  ["links", "links"],
  ["events", "events"],
  ["deliveries", "deliveries"]
] as const

const counts = COUNTED.map(([name, table]) => `(SELECT count(*) FROM ${table})::int AS "${name}"`)

const checkedOf = Schema.decodeUnknownSync(
  Schema.Tuple([Schema.Record(Schema.Literals(COUNTED.map(([name]) => name)), Integer)])
)

const violationsOf = decodeRows(Schema.Struct({ subject: Text, message: Text }))

/** The memory and the time that large joins take. */
const settings = {
  statement_timeout: "30min",
  idle_in_transaction_session_timeout: "1min",
  work_mem: "64MB"
}

const reconcile = Effect.fnUntraced(function* (options: DatabaseOptions, limitPerInvariant: number) {
  const connection = yield* openSnapshotSession(options, settings)
  yield* run(connection, "BEGIN")
  const [checked] = checkedOf(yield* run(connection, `SELECT ${counts.join(", ")}`))
  const violations: Array<Violation> = []
  for (const invariant of Invariant.literals) {
    const query = `SELECT subject::text, message FROM (${queries[invariant]}) violations ORDER BY subject, message LIMIT $1`
    const found = violationsOf(yield* run(connection, query, [limitPerInvariant]))
    violations.push(...found.map((violation) => ({ invariant, ...violation })))
  }
  yield* run(connection, "COMMIT")
  return { checked, violations }
})

export const layer = (options: DatabaseOptions): Layer.Layer<Reconciliation> =>
  Layer.succeed(
    Reconciliation,
    Reconciliation.of({
      reconcile: (limitPerInvariant) =>
        reconcile(options, limitPerInvariant).pipe(Effect.scoped, classified, conflictAsUnavailable)
    })
  )
