// Proves the books by queries, each of which finds whatever breaks one law. All of them look at one snapshot, over a connection
// of their own that is planned for large joins and may take its time: nobody's order waits for it.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Layer, Schema } from "effect"
import { type Finding, Law } from "#core/domain/Finding.ts"
import { Reconciliation } from "#core/ports/Reconciliation.ts"
import { explained } from "./Connections.ts"
import type { DatabaseOptions } from "./Database.ts"
import { eventLaws } from "./laws/EventLaws.ts"
import { offerLaws } from "./laws/OfferLaws.ts"
import { orderLaws } from "./laws/OrderLaws.ts"
import { walletLaws } from "./laws/WalletLaws.ts"
import { rowsOf } from "./Reading.ts"
import { Text, Whole } from "./rows/Table.ts"
import { withoutRace } from "./SqlFaults.ts"

/** Each finds what breaks its law, as `subject` and `message`. */
const queries: Readonly<Record<Law, string>> = { ...walletLaws, ...orderLaws, ...offerLaws, ...eventLaws }

const looked = `
SELECT
  (SELECT count(*) FROM accounts)::int AS "accounts", (SELECT count(*) FROM ledger)::int AS "ledgerEntries",
  (SELECT count(*) FROM quotes)::int AS "quotes", (SELECT count(*) FROM orders)::int AS "orders",
  (SELECT count(*) FROM links)::int AS "links", (SELECT count(*) FROM events)::int AS "events",
  (SELECT count(*) FROM deliveries)::int AS "deliveries"`

const Looked = Schema.Struct({
  accounts: Whole,
  ledgerEntries: Whole,
  quotes: Whole,
  orders: Whole,
  links: Whole,
  events: Whole,
  deliveries: Whole
})

const lookedOf = Schema.decodeUnknownSync(Schema.Tuple([Looked]))

const breachesOf = rowsOf(Schema.Struct({ subject: Text, message: Text }))

/** Changes nothing, sees nothing that is written meanwhile, and may use the memory and the minutes that large joins take. */
const sessionDefaults = {
  default_transaction_isolation: "repeatable read",
  default_transaction_read_only: "on",
  statement_timeout: "30min",
  idle_in_transaction_session_timeout: "1min",
  work_mem: "64MB",
  jit: "off"
}

const transaction = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, mostOfEach: number) {
  // Each is planned once, so none is worth being kept prepared.
  const run = (sql: string, params: ReadonlyArray<unknown> = []) =>
    Effect.map(connection.query(sql, params, false), ({ rows }) => rows)
  yield* run("BEGIN")
  const [count] = lookedOf(yield* run(looked))
  const findings: Array<Finding> = []
  for (const law of Law.literals) {
    const query = `SELECT subject::text, message FROM (${queries[law]}) breaches ORDER BY subject, message LIMIT $1`
    const breaches = breachesOf(yield* run(query, [mostOfEach]))
    findings.push(...breaches.map((breach) => ({ law, ...breach })))
  }
  yield* run("COMMIT")
  return { looked: count, findings }
})

export const layer = ({ url, applicationName }: DatabaseOptions): Layer.Layer<Reconciliation> =>
  Layer.succeed(
    Reconciliation,
    Reconciliation.of({
      prove: (mostOfEach) =>
        PgConnection.make({
          url,
          applicationName: applicationName ?? "backlinks",
          keepAlive: "10 seconds",
          startupParameters: sessionDefaults
        }).pipe(
          Effect.flatMap((connection) => transaction(connection, mostOfEach)),
          Effect.scoped,
          explained,
          withoutRace
        )
    })
  )
