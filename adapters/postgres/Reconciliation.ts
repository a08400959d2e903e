// Reconciles the books by one query per invariant, all on one snapshot. They run over a connection of their own that is planned for
// large joins and may take long, so that no order waits for them.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Layer, Schema } from "effect"
import { Invariant, type Violation } from "#core/domain/Invariant.ts"
import { Reconciliation } from "#core/ports/Reconciliation.ts"
import { classified } from "./database/Connections.ts"
import type { DatabaseOptions } from "./database/Database.ts"
import { decodeRows } from "./database/Queries.ts"
import { conflictAsUnavailable } from "./database/SqlErrors.ts"
import { catalogueInvariants } from "./invariants/CatalogueInvariants.ts"
import { eventInvariants } from "./invariants/EventInvariants.ts"
import { invoiceInvariants } from "./invariants/InvoiceInvariants.ts"
import { memberInvariants } from "./invariants/MemberInvariants.ts"
import { orderInvariants } from "./invariants/OrderInvariants.ts"
import { referenceInvariants } from "./invariants/ReferenceInvariants.ts"
import { walletInvariants } from "./invariants/WalletInvariants.ts"
import { Integer, Text } from "./rows/Table.ts"

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

/** One read-only snapshot, with the memory and the time that large joins take. */
const sessionDefaults = {
  default_transaction_isolation: "repeatable read",
  default_transaction_read_only: "on",
  statement_timeout: "30min",
  idle_in_transaction_session_timeout: "1min",
  work_mem: "64MB",
  jit: "off"
}

const transaction = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, limitPerInvariant: number) {
  // Not prepared: each runs once.
  const run = (sql: string, params: ReadonlyArray<unknown> = []) =>
    Effect.map(connection.query(sql, params, false), ({ rows }) => rows)
  yield* run("BEGIN")
  const [checked] = checkedOf(yield* run(`SELECT ${counts.join(", ")}`))
  const violations: Array<Violation> = []
  for (const invariant of Invariant.literals) {
    const query = `SELECT subject::text, message FROM (${queries[invariant]}) violations ORDER BY subject, message LIMIT $1`
    const found = violationsOf(yield* run(query, [limitPerInvariant]))
    violations.push(...found.map((violation) => ({ invariant, ...violation })))
  }
  yield* run("COMMIT")
  return { checked, violations }
})

export const layer = ({ url, applicationName }: DatabaseOptions): Layer.Layer<Reconciliation> =>
  Layer.succeed(
    Reconciliation,
    Reconciliation.of({
      reconcile: (limitPerInvariant) =>
        PgConnection.make({
          url,
          applicationName: applicationName ?? "backlinks",
          keepAlive: "10 seconds",
          startupParameters: sessionDefaults
        }).pipe(
          Effect.flatMap((connection) => transaction(connection, limitPerInvariant)),
          Effect.scoped,
          classified,
          conflictAsUnavailable
        )
    })
  )
