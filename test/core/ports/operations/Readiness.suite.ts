// What every store promises of Readiness: an open store is writable.
import { Effect } from "effect"
import { expect } from "vitest"
import { Readiness } from "#core/ports/operations/Readiness.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"

export const readinessSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Readiness of ${name}`, store, (it) => {
    it.effect("an open store is writable", () =>
      Effect.gen(function* () {
        expect(yield* (yield* Readiness).writable).toBeUndefined()
      })
    )
  })
