// A database that cannot be had: the log says why, once and not for each who asks.
import { connect, type LookupFunction } from "node:net"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { AuthorizationError, SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { queueFull } from "#adapters/postgres/database/AdmissionQueue.ts"
import { reasonOf } from "#adapters/postgres/database/SqlErrors.ts"
import { makeThrottledOutageLog } from "#adapters/postgres/database/ThrottledOutageLog.ts"

/** Nobody listens there, and nobody but root could. */
const NOWHERE = Redacted.make("postgres://shop:s3cret@127.0.0.1:1/shop")

const starting = Effect.flip(Effect.scoped(PgConnection.make({ url: NOWHERE })))

const turnedAway = (message: string) =>
  new SqlError({ reason: new AuthorizationError({ cause: Object.assign(new Error(message), { code: "28000" }) }) })

/** A name such as `localhost`, of two addresses. */
const twice: LookupFunction = (_host, _options, answer) =>
  answer(null, [
    { address: "127.0.0.1", family: 4 },
    { address: "127.0.0.2", family: 4 }
  ])

describe("a database that cannot be reached", () => {
  it.effect("is told by the reason, whichever addresses its name has, and by none of them", () =>
    Effect.gen(function* () {
      const stream = () => connect({ host: "localhost", port: 1, lookup: twice })
      const fault = yield* Effect.flip(Effect.scoped(PgConnection.make({ url: NOWHERE, stream })))
      expect(reasonOf(fault)).toBe("connect ECONNREFUSED")
    })
  )

  it("is told by the sentence of one that lets nobody in, without the address that was turned away", () => {
    const message = 'no pg_hba.conf entry for host "10.1.2.3", user "shop", database "shop", no encryption'
    expect(reasonOf(turnedAway(message))).toBe(
      'no pg_hba.conf entry for this host, user "shop", database "shop", no encryption'
    )
  })

  it.effect("is logged when somebody meets it, and again after a while, however many meet it meanwhile", () =>
    Effect.gen(function* () {
      const fault = yield* starting
      const said: Array<unknown> = []
      const log = Logger.layer([Logger.make(({ logLevel, message }) => void said.push([logLevel, message].flat()))])
      const tell = makeThrottledOutageLog()
      const hundredfold = Effect.repeat(tell(fault), { times: 99 }).pipe(Effect.provide(log))
      const line = ["Warn", "The database is unavailable", { code: "ECONNREFUSED", reason: expect.any(String) }]
      yield* hundredfold
      expect(said).toEqual([line])
      yield* TestClock.adjust("9 seconds")
      yield* hundredfold
      expect(said).toEqual([line])
      yield* TestClock.adjust("1 second")
      yield* hundredfold
      expect(said).toEqual([line, line])
      yield* Effect.provide(Effect.andThen(tell(queueFull), tell(turnedAway("not now"))), log)
      expect(said.slice(2)).toEqual([["Warn", "The database is unavailable", { code: "28000", reason: "not now" }]])
    })
  )
})
