// The use of a key is noted now and then; one that could not be noted, for whatever reason, is noted the next time.
import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { layer as knownKeys } from "#adapters/postgres/ApiKeyCache.ts"
import { layer } from "#adapters/postgres/ApiKeys.ts"
import { AdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import { Database } from "#adapters/postgres/database/Database.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { ApiKeys } from "#core/ports/ApiKeys.ts"
import { NOON } from "#test/core/Given.ts"
import { fakeDatabase, settled } from "./FakeDatabase.ts"

const troubles = [
  ["the database was away", unavailable],
  ["the service made a mistake", Effect.die(new Error("a mistake"))]
] as const

describe("the use of a key", () => {
  for (const [why, trouble] of troubles) {
    it.effect(`that was not noted because ${why} is noted the next time, and then not again for a while`, () =>
      Effect.gen(function* () {
        let asked = 0
        const database = fakeDatabase(new AdmissionQueue(1), {
          write: () => Effect.suspend(() => (asked++ === 0 ? trouble : Effect.succeed([])))
        })
        const context = yield* Layer.build(
          layer.pipe(Layer.provide(knownKeys), Layer.provide(Layer.succeed(Database, database)))
        )
        const { recordUse: touch } = Context.get(context, ApiKeys)
        for (const times of [1, 2, 2]) {
          yield* touch("key_a", NOON)
          yield* settled
          expect(asked).toBe(times)
        }
      })
    )
  }
})
