// The version of the catalogue, which changes whenever sites are listed.
import { Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Database } from "../../database/Database.ts"
import { makeVersionCache } from "../../database/VersionCache.ts"
import type { CommitListener } from "../../orderbook/Commits.ts"

export class CatalogueVersion extends Context.Service<
  CatalogueVersion,
  {
    /** What is read after it is at least as new. */
    readonly current: Effect.Effect<string, StoreUnavailable>
    /** How often this instance has changed the catalogue. What was read under another count may lack the last change. */
    readonly ownChanges: () => number
    readonly onCommitted: CommitListener
  }
>()("backlinks/postgres/ports/catalogue/CatalogueVersion") {}

export const layer: Layer.Layer<CatalogueVersion, never, Database> = Layer.effect(
  CatalogueVersion,
  Effect.gen(function* () {
    const version = makeVersionCache(yield* Database, "SELECT catalogue AS value FROM shop")
    let ownChanges = 0

    return CatalogueVersion.of({
      current: Effect.suspend(() => {
        const known = version.latest()
        return known === null ? version.refresh : Effect.succeed(known)
      }),
      ownChanges: () => ownChanges,
      onCommitted: ({ sites }) =>
        Effect.sync(() => {
          if (sites.length === 0) return
          ownChanges++
          version.invalidate()
        })
    })
  })
)
