// The conformance suites about concurrent changes, with three instances on one database instead of a single process: each race is one
// of any two of them, too.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { claim, idsIn, kinds } from "#test/core/ports/mails/MailSteps.ts"
import { raceConformance } from "#test/core/ports/StoreConformance.ts"
import { concurrently, times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { storeInstance, storeInstances } from "./StoreInstances.ts"

raceConformance("three instances", storeInstances(3))

const KINDS = ["notices", "approvals", "purchases", "links", "expiries", "receipts", "topUps"] as const

it.live("a mail of each kind goes to one of two instances that look for it at once", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const [one, other] = yield* Effect.all([Layer.build(storeInstance(url)), Layer.build(storeInstance(url))])
    const races = Effect.forEach(KINDS, (kind) =>
      Effect.gen(function* () {
        const someone = yield* kinds[kind].someone
        const id = yield* kinds[kind].order(someone)
        const claims = yield* concurrently(
          times(12, (nth) => Effect.provide(claim(kind, someone), nth % 2 === 0 ? one : other))
        )
        expect(claims.filter(({ length }) => length > 0).map(idsIn), kind).toEqual([[id]])
      })
    )
    yield* races.pipe(Effect.provide(one), Effect.provide(UniqueNumbers.layer))
  }).pipe(Effect.scoped)
)
