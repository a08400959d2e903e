// Tables are made once, whole or not at all, however many instances start at the same time.
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { times } from "#test/ports/StoreSuite.ts"
import { instance } from "./Fleet.ts"
import { execute, freshDatabase } from "./Server.ts"

const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
const steps = "SELECT step, applied_at::text FROM schema_steps ORDER BY step"

const start = (url: Parameters<typeof instance>[0]) => Effect.scoped(Layer.build(instance(url)))

describe("migrations", () => {
  it.live("run once when six instances start at the same moment, and not again when one starts later", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* Effect.all(
        times(6, () => start(url)),
        { concurrency: "unbounded" }
      )
      const [applied] = yield* execute(url, steps)
      expect(new Set(applied?.map(({ step }) => step)).size).toBe(applied?.length)
      expect(applied?.length).toBeGreaterThan(0)
      yield* start(url)
      expect(yield* execute(url, steps)).toEqual([applied])
    })
  )

  it.live("leave nothing behind when a step fails, and all when it no longer does", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* execute(url, "CREATE TABLE orders (in_the_way boolean)")
      yield* Effect.flip(Effect.sandbox(start(url)))
      expect(yield* execute(url, tables)).toEqual([[{ table_name: "orders" }]])
      yield* execute(url, "DROP TABLE orders")
      yield* start(url)
      const [made] = yield* execute(url, tables)
      expect(made).toEqual(
        expect.arrayContaining(["accounts", "ledger", "orders"].map((table_name) => ({ table_name })))
      )
    })
  )
})
