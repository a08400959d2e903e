// The last use of a key is recorded from time to time, and again after a failure.
import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { Database } from "#adapters/postgres/database/Database.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { layer as apiKeyCache } from "#adapters/postgres/ports/access/ApiKeyCache.ts"
import { layer } from "#adapters/postgres/ports/access/ApiKeys.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { NOON } from "#test/core/Given.ts"
import { admissionQueue, fakeDatabase, settled } from "./FakeDatabase.ts"

const troubles = [
  ["the database was unavailable", unavailable],
  ["of a defect", Effect.die(new Error("a bug"))]
] as const

describe("the last use of a key", () => {
  for (const [why, trouble] of troubles) {
    it.effect(`that was not recorded because ${why} is recorded the next time, and then not again for a while`, () =>
      Effect.gen(function* () {
        let writes = 0
        const database = fakeDatabase(admissionQueue(1), {
          write: () => Effect.suspend(() => (writes++ === 0 ? trouble : Effect.succeed([])))
        })
        const context = yield* Layer.build(
          layer.pipe(Layer.provide(apiKeyCache), Layer.provide(Layer.succeed(Database, database)))
        )
        const { recordUse } = Context.get(context, ApiKeys)
        for (const times of [1, 2, 2]) {
          yield* recordUse(KeyId.make("key_a"), NOON)
          yield* settled
          expect(writes).toBe(times)
        }
      })
    )
  }
})
