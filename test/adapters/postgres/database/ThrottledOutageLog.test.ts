// Why the database is unavailable, and how often that is logged.
import { connect, type LookupFunction } from "node:net"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { AuthorizationError, SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { queueFull, reasonOf } from "#adapters/postgres/database/SqlErrors.ts"
import { makeThrottledOutageLog } from "#adapters/postgres/database/ThrottledOutageLog.ts"

/** A port without a listener. */
const NOWHERE = Redacted.make("postgres://shop:s3cret@127.0.0.1:1/shop")

const connecting = Effect.flip(Effect.scoped(PgConnection.make({ url: NOWHERE })))

const rejection = (message: string) =>
  new SqlError({ reason: new AuthorizationError({ cause: Object.assign(new Error(message), { code: "28000" }) }) })

/** Resolves a name, such as `localhost`, to two addresses. */
const twoAddresses: LookupFunction = (_host, _options, answer) =>
  answer(null, [
    { address: "127.0.0.1", family: 4 },
    { address: "127.0.0.2", family: 4 }
  ])

describe("an unavailable database", () => {
  it.effect("has one reason without addresses, however many its name has", () =>
    Effect.gen(function* () {
      const stream = () => connect({ host: "localhost", port: 1, lookup: twoAddresses })
      const fault = yield* Effect.flip(Effect.scoped(PgConnection.make({ url: NOWHERE, stream })))
      expect(reasonOf(fault)).toBe("connect ECONNREFUSED")
    })
  )

  it("has the database's own message without the client's address", () => {
    const message = 'no pg_hba.conf entry for host "10.1.2.3", user "shop", database "shop", no encryption'
    expect(reasonOf(rejection(message))).toBe(
      'no pg_hba.conf entry for this host, user "shop", database "shop", no encryption'
    )
  })

  it.effect("is logged once per reason and ten seconds, however many calls fail", () =>
    Effect.gen(function* () {
      const fault = yield* connecting
      const logged: Array<unknown> = []
      const log = Logger.layer([Logger.make(({ logLevel, message }) => void logged.push([logLevel, message].flat()))])
      const logOutage = makeThrottledOutageLog()
      const hundredfold = Effect.repeat(logOutage(fault), { times: 99 }).pipe(Effect.provide(log))
      const line = ["Warn", "The database is unavailable", { code: "ECONNREFUSED", reason: expect.any(String) }]
      yield* hundredfold
      expect(logged).toEqual([line])
      yield* TestClock.adjust("9 seconds")
      yield* hundredfold
      expect(logged).toEqual([line])
      yield* TestClock.adjust("1 second")
      yield* hundredfold
      expect(logged).toEqual([line, line])
      yield* Effect.provide(Effect.andThen(logOutage(queueFull), logOutage(rejection("not now"))), log)
      expect(logged.slice(2)).toEqual([["Warn", "The database is unavailable", { code: "28000", reason: "not now" }]])
    })
  )
})
