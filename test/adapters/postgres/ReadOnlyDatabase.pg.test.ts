// A database in which no order can be written for a while: it is read-only, such as a standby or one with a full disk, or another session
// holds a table.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { expect } from "vitest"
import { buyer, cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { BALANCE, call, placedBy, postOrder, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { serviceOn } from "./ServiceOnPostgres.ts"
import { storeInstance } from "./StoreInstances.ts"

const databaseIn = (url: Redacted.Redacted): string => new URL(Redacted.value(url)).pathname.slice(1)

/** Also ends all other connections, so that the setting applies to every session. */
const setReadOnly = Effect.fnUntraced(function* (url: Redacted.Redacted, readOnly: "on" | "off") {
  const name = databaseIn(url)
  const connection = yield* PgConnection.make({ url })
  yield* connection.query("SET default_transaction_read_only = off")
  yield* connection.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${readOnly}`)
  yield* connection.query(
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
    [name]
  )
}, Effect.scoped)

const readiness = call("GET", "/readyz")

describe("a read-only database", () => {
  it.live("fails readiness and orders until it can be written again", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const { siteId } = yield* listSite()
        const { key } = yield* buyer({ creditCents: 50_000 })
        const order = postOrder(key, cart([item(siteId)]), freshKey())
        yield* setReadOnly(url, "on")
        // The first calls over the ended connections fail.
        yield* Effect.repeat(call("GET", BALANCE, { key }), { until: ({ status }) => status === 200 })
        expect((yield* readiness).status).toBe(503)
        expect(refusalIn(yield* order)).toMatchObject({ status: 503, code: "store_unavailable", retryable: true })
        yield* setReadOnly(url, "off")
        const answer = yield* Effect.repeat(order, { until: ({ status }) => status !== 503 })
        expect(placedBy(answer).order_status).toBe("paid")
        expect((yield* readiness).status).toBe(200)
      }).pipe(Effect.provide(serviceOn(url, { RATE_LIMIT_READS: "0", RATE_LIMIT_ORDERS: "0" })))
    })
  )

  it.live("fails the start with its reason", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.scoped(Layer.build(storeInstance(url)))
      yield* setReadOnly(url, "on")
      const fault = yield* Effect.flip(Effect.scoped(Layer.build(storeInstance(url))))
      expect(fault._tag).toBe("DatabaseReadOnly")
    })
  )
})

describe("a table that another session holds", () => {
  it.live("fails readiness within five seconds until it is free", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        expect((yield* readiness).status).toBe(200)
        for (const table of ["quotes", "links", "accounts", "ledger"]) {
          const other = yield* PgConnection.make({ url })
          yield* other.query("BEGIN")
          yield* other.query(`LOCK TABLE ${table} IN SHARE MODE`)
          const asked = Effect.repeat(readiness, { until: ({ status }) => status === 503 })
          expect(yield* Effect.timeoutOption(asked, "5 seconds")).not.toEqual(Option.none())
          yield* other.query("ROLLBACK")
          expect((yield* readiness).status).toBe(200)
        }
      }).pipe(Effect.scoped, Effect.provide(serviceOn(url)))
    })
  )
})
