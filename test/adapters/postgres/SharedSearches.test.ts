// Searches over a database that answers as told: equal ones at the same time share a statement of their account, and how matches are
// counted.
import { it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer } from "effect"
import { describe, expect } from "vitest"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import { Database } from "#adapters/postgres/database/Database.ts"
import * as PostgresCatalogue from "#adapters/postgres/ports/catalogue/Catalogue.ts"
import * as CatalogueVersion from "#adapters/postgres/ports/catalogue/CatalogueVersion.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { admissionQueue, fakeDatabase, settled } from "./FakeDatabase.ts"

/** A catalogue without sites, whose pages are read once the latch is open. */
const emptyCatalogue = Effect.gen(function* () {
  const latch = yield* Latch.make()
  const pages: Array<string> = []
  const database = fakeDatabase(admissionQueue(0), {
    search: (sql) =>
      sql.includes("count(*)")
        ? // A site that is left out was opened after all matches were counted.
          Effect.succeed([{ total: sql.includes("site_id = ANY") ? 1 : 0 }])
        : Effect.flatMap(CallingAccount, (account) => {
            pages.push(account)
            return Effect.as(latch.await, [{ catalogue: "1", sites: [], ids: [] }])
          })
  })
  const layer = PostgresCatalogue.layer.pipe(
    Layer.provide(CatalogueVersion.layer),
    Layer.provide(Layer.succeed(Database, database))
  )
  const { search } = yield* Effect.provide(Catalogue, layer)
  const searchFor = (account: string, minTf = 1) =>
    search({ filter: { minTf }, sort: "id", start: { kind: "offset", offset: 0 }, limit: 20 }).pipe(
      Effect.provideService(CallingAccount, account),
      Effect.forkChild({ startImmediately: true })
    )
  return { latch, pages, search, searchFor }
})

const empty = { sites: [], total: 0, next: null }

describe("the count of a search", () => {
  it.effect("is never negative, whatever is opened meanwhile", () =>
    Effect.gen(function* () {
      const { latch, search } = yield* emptyCatalogue
      yield* latch.open
      const start = { kind: "offset", offset: 0 } as const
      expect(yield* search({ filter: { exceptSiteIds: [1] }, sort: "id", start, limit: 20 })).toEqual(empty)
    })
  )
})

describe("equal searches at the same time", () => {
  it.effect("share one statement within an account, and wait for no turn of another", () =>
    Effect.gen(function* () {
      const { latch, pages, searchFor } = yield* emptyCatalogue
      const callers = yield* Effect.all([searchFor("a"), searchFor("a"), searchFor("b"), searchFor("a", 2)])
      yield* settled
      expect(pages).toEqual(["a", "b", "a"])
      yield* latch.open
      expect(yield* Effect.forEach(callers, Fiber.join)).toEqual([empty, empty, empty, empty])
      yield* Effect.flatMap(searchFor("a"), Fiber.join)
      expect(pages).toEqual(["a", "b", "a", "a"])
    })
  )

  it.effect("go on for the others when the first caller leaves", () =>
    Effect.gen(function* () {
      const { latch, pages, searchFor } = yield* emptyCatalogue
      const [first, second] = yield* Effect.all([searchFor("a"), searchFor("a")])
      yield* settled
      yield* Fiber.interrupt(first)
      yield* latch.open
      expect(yield* Fiber.join(second)).toEqual(empty)
      expect(pages).toEqual(["a"])
    })
  )
})
