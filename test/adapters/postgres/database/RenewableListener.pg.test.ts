// The listening connection is replaced like those of the pools, and no notification is lost to that.
import { describe, it } from "@effect/vitest"
import { Duration, Effect, Queue, type Redacted, Schema } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { expect } from "vitest"
import { listenRenewably } from "#adapters/postgres/database/RenewableListener.ts"
import { makeSwitchOvers } from "#adapters/postgres/database/SwitchOvers.ts"
import { execute, freshDatabase } from "../TestDatabase.ts"

const APPLICATION = "listener"

const pidsOf = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ pid: Schema.Int })))

/** The sessions that listen. */
const listeners = (url: Redacted.Redacted) =>
  Effect.map(
    execute(
      url,
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${APPLICATION}'`
    ),
    ([rows]) => pidsOf(rows).map(({ pid }) => pid)
  )

const notify = (url: Redacted.Redacted, payload: string) => execute(url, `SELECT pg_notify('deliveries', '${payload}')`)

const listening = Effect.fnUntraced(function* (lifetime?: Duration.Duration) {
  const url = yield* freshDatabase
  const switchOvers = makeSwitchOvers()
  const session = { url, applicationName: APPLICATION }
  const received = yield* listenRenewably(session, "deliveries", switchOvers, lifetime)
  const next = Effect.map(Queue.take(received), ({ payload }) => payload)
  return { url, switchOvers, received, next }
})

const readOnly = new SqlError({ reason: new ConnectionError({ cause: { code: "25006" }, message: "read-only" }) })

describe("a listener", () => {
  it.live("gets a new connection at a switch-over, and says that it did", () =>
    Effect.gen(function* () {
      const { url, switchOvers, received, next } = yield* listening()
      expect(yield* next).toBe("")
      yield* notify(url, "before")
      expect(yield* next).toBe("before")
      const [first] = yield* listeners(url)
      yield* switchOvers.failed(readOnly)
      expect(yield* next).toBe("")
      const [second] = yield* Effect.repeat(listeners(url), { until: (pids) => pids.length === 1 })
      expect(second).not.toBe(first)
      yield* notify(url, "after")
      expect(yield* next).toBe("after")
      expect(yield* Queue.size(received)).toBe(0)
    }).pipe(Effect.scoped)
  )

  it.live("gets a new connection at the end of its lifetime", () =>
    Effect.gen(function* () {
      const { url, next } = yield* listening(Duration.millis(200))
      expect(yield* next).toBe("")
      const [first] = yield* listeners(url)
      expect(yield* next).toBe("")
      yield* Effect.repeat(listeners(url), { until: (pids) => pids.length > 0 && !pids.some((pid) => pid === first) })
    }).pipe(Effect.scoped)
  )

  it.live("fails when its connection is lost, and is not renewed after its end", () =>
    Effect.gen(function* () {
      const switchOvers = makeSwitchOvers()
      const url = yield* freshDatabase
      const session = { url, applicationName: APPLICATION }
      const lost = Effect.gen(function* () {
        const received = yield* listenRenewably(session, "deliveries", switchOvers)
        const [pid] = yield* listeners(url)
        yield* execute(url, `SELECT pg_terminate_backend(${pid})`)
        return yield* Effect.flip(Effect.andThen(Queue.take(received), Queue.take(received)))
      })
      expect(yield* Effect.scoped(lost)).toMatchObject({ _tag: "SqlError" })
      yield* switchOvers.failed(readOnly)
      expect(yield* listeners(url)).toEqual([])
    })
  )
})
