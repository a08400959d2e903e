// Local and remote notifications of deliveries, also while the database is unavailable.
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Queue, Stream } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { Database } from "#adapters/postgres/database/Database.ts"
import { DeliveryNotifications, layer } from "#adapters/postgres/database/DeliveryNotifications.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { admissionQueue, fakeDatabase } from "../FakeDatabase.ts"

const build = (answers: Parameters<typeof fakeDatabase>[1]) =>
  Effect.map(
    Layer.build(Layer.provide(layer, Layer.succeed(Database, fakeDatabase(admissionQueue(1), answers)))),
    (context) => Context.get(context, DeliveryNotifications)
  )

describe("delivery notifications", () => {
  const troubles = [
    ["found the database unavailable", unavailable],
    ["died", Effect.die(new Error("a bug"))]
  ] as const

  for (const [what, trouble] of troubles) {
    it.effect(`are sent to other instances again after one that ${what}`, () =>
      Effect.gen(function* () {
        let sent = 0
        const { notify } = yield* build({
          write: () => Effect.suspend(() => (sent++ === 0 ? trouble : Effect.succeed([])))
        })
        for (const times of [1, 2]) {
          yield* notify
          yield* TestClock.adjust("5 millis")
          expect(sent).toBe(times)
        }
      })
    )
  }

  it.effect("emit at first and after each local notification while the database cannot be listened to", () =>
    Effect.gen(function* () {
      const { notify, notifications } = yield* build({
        listen: () => Effect.never,
        write: () => Effect.succeed([])
      })
      let emitted = 0
      const first = Stream.runForEach(notifications, () => Effect.sync(() => emitted++))
      const listening = yield* Effect.forkChild(first, { startImmediately: true })
      yield* TestClock.adjust("1 millis")
      expect(emitted).toBe(1)
      yield* Effect.andThen(notify, TestClock.adjust("1 millis"))
      expect(emitted).toBe(2)
      yield* Fiber.interrupt(listening)
    })
  )

  it.effect("emit on connection, after a reconnection, and for each notification of other instances", () =>
    Effect.gen(function* () {
      const received = yield* Queue.unbounded<PgConnection.Notification, SqlError>()
      const connectionLost = new SqlError({ reason: new ConnectionError({ cause: new Error("connection lost") }) })
      const notified = Queue.offer(received, { processId: 1, channel: "deliveries", payload: "" })
      let tries = 0
      const { notifications } = yield* build({
        listen: () =>
          Effect.suspend(() => (tries++ === 0 ? Effect.fail(connectionLost) : Effect.as(notified, received)))
      })
      let emitted = 0
      yield* Effect.forkScoped(
        Stream.runForEach(notifications, () => Effect.sync(() => emitted++)),
        { startImmediately: true }
      )
      yield* TestClock.adjust("100 millis")
      expect(emitted).toBe(1)
      yield* TestClock.adjust("2 seconds")
      expect(emitted).toBe(2)
      yield* notified
      yield* TestClock.adjust("1 millis")
      expect(emitted).toBe(3)
    })
  )
})
