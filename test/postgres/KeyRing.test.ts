// The use of a key is noted now and then; one that could not be noted, for whatever reason, is noted the next time.
import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { Database } from "#adapters/postgres/Database.ts"
import { layer } from "#adapters/postgres/KeyRing.ts"
import { layer as knownKeys } from "#adapters/postgres/KnownKeys.ts"
import { unavailable } from "#adapters/postgres/SqlFaults.ts"
import { WaitingRoom } from "#adapters/postgres/WaitingRoom.ts"
import { KeyRing } from "#core/ports/KeyRing.ts"
import { NOON } from "#test/core/Given.ts"
import { noDatabase, settled } from "./NoDatabase.ts"

const troubles = [
  ["the database was away", unavailable],
  ["the service made a mistake", Effect.die(new Error("a mistake"))]
] as const

describe("the use of a key", () => {
  for (const [why, trouble] of troubles) {
    it.effect(`that was not noted because ${why} is noted the next time, and then not again for a while`, () =>
      Effect.gen(function* () {
        let asked = 0
        const database = noDatabase(new WaitingRoom(1), {
          write: () => Effect.suspend(() => (asked++ === 0 ? trouble : Effect.succeed([])))
        })
        const context = yield* Layer.build(
          layer.pipe(Layer.provide(knownKeys), Layer.provide(Layer.succeed(Database, database)))
        )
        const { touch } = Context.get(context, KeyRing)
        for (const times of [1, 2, 2]) {
          yield* touch("key_a", NOON)
          yield* settled
          expect(asked).toBe(times)
        }
      })
    )
  }
})
