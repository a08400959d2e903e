// Whoever waits for deliveries is told, and goes on being told, also where the database is away for a moment.

import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Queue, Stream } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { AdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import { Database } from "#adapters/postgres/database/Database.ts"
import { DeliveryNotifications, layer } from "#adapters/postgres/database/DeliveryNotifications.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { fakeDatabase } from "../FakeDatabase.ts"

const doorbell = (answers: Parameters<typeof fakeDatabase>[1]) =>
  Effect.map(
    Layer.build(Layer.provide(layer, Layer.succeed(Database, fakeDatabase(new AdmissionQueue(1), answers)))),
    (context) => Context.get(context, DeliveryNotifications)
  )

describe("a doorbell", () => {
  const troubles = [
    ["could not be told to them", unavailable],
    ["met a mistake of the service's own", Effect.die(new Error("a mistake"))]
  ] as const

  for (const [what, trouble] of troubles) {
    it.effect(`is rung for other instances again after one ring ${what}`, () =>
      Effect.gen(function* () {
        let told = 0
        const { notify: ring } = yield* doorbell({
          write: () => Effect.suspend(() => (told++ === 0 ? trouble : Effect.succeed([])))
        })
        for (const times of [1, 2]) {
          yield* ring
          yield* TestClock.adjust("5 millis")
          expect(told).toBe(times)
        }
      })
    )
  }

  it.effect("is heard at first and whenever it is rung here, while nobody can be heard from elsewhere", () =>
    Effect.gen(function* () {
      const { notify: ring, notifications: rings } = yield* doorbell({
        listen: () => Effect.never,
        write: () => Effect.succeed([])
      })
      let heard = 0
      const first = Stream.runForEach(rings, () => Effect.sync(() => heard++))
      const hearing = yield* Effect.forkChild(first, { startImmediately: true })
      yield* TestClock.adjust("1 millis")
      expect(heard).toBe(1)
      yield* Effect.andThen(ring, TestClock.adjust("1 millis"))
      expect(heard).toBe(2)
      yield* Fiber.interrupt(hearing)
    })
  )

  it.effect("is heard once others can be heard, again after they could not, and for each of their notices", () =>
    Effect.gen(function* () {
      const notices = yield* Queue.unbounded<PgConnection.Notification, SqlError>()
      const away = new SqlError({ reason: new ConnectionError({ cause: new Error("away") }) })
      let tries = 0
      const { notifications: rings } = yield* doorbell({
        listen: () => Effect.suspend(() => (tries++ === 0 ? Effect.fail(away) : Effect.succeed(notices)))
      })
      let heard = 0
      yield* Effect.forkScoped(
        Stream.runForEach(rings, () => Effect.sync(() => heard++)),
        { startImmediately: true }
      )
      yield* TestClock.adjust("100 millis")
      expect(heard).toBe(1)
      yield* TestClock.adjust("2 seconds")
      expect(heard).toBe(2)
      yield* Queue.offer(notices, { processId: 1, channel: "deliveries", payload: "" })
      yield* TestClock.adjust("1 millis")
      expect(heard).toBe(3)
    })
  )
})
