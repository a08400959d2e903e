// What Readiness promises: a store that has just been opened can be written.
import { Effect } from "effect"
import { expect } from "vitest"
import { Readiness } from "#core/ports/Readiness.ts"
import { type StoreLayer, storeSuite } from "./StoreSuite.ts"

export const readinessSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Readiness of ${name}`, store, (it) => {
    it.effect("finds a store that is open writable", () =>
      Effect.gen(function* () {
        expect(yield* (yield* Readiness).writable).toBeUndefined()
      })
    )
  })
