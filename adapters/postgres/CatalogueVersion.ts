// The version of the catalogue, which changes whenever sites are listed. A change by this instance shows at once, one by another
// instance within half a second.
import { Context, Effect, Layer, Schema } from "effect"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { makeBatchedLookup } from "./database/BatchedLookup.ts"
import { Database } from "./database/Database.ts"
import { query } from "./database/Queries.ts"
import { skipAdmission } from "./database/Semaphore.ts"
import { makeVersionCache } from "./database/VersionCache.ts"
import type { CommitListener } from "./orderbook/Commits.ts"
import { Text } from "./rows/Table.ts"

/** How long another instance's change may go unnoticed. */
const FRESH_FOR_MS = 500

export class CatalogueVersion extends Context.Service<
  CatalogueVersion,
  {
    /** What is read after it is at least as new. */
    readonly current: Effect.Effect<string, StoreUnavailable>
    /** How often this instance has changed the catalogue. What was read under another count may lack the last change. */
    readonly ownChanges: () => number
    readonly onCommitted: CommitListener
  }
>()("backlinks/postgres/CatalogueVersion") {}

export const layer: Layer.Layer<CatalogueVersion, never, Database> = Layer.effect(
  CatalogueVersion,
  Effect.gen(function* () {
    const database = yield* Database
    /** The callers of a batched lookup were admitted by the batcher. */
    const read: Database["Service"]["read"] = (sql, params) => database.read(sql, params, skipAdmission)
    const readVersion = query(read, Schema.Struct({ catalogue: Text }), "SELECT catalogue FROM shop")
    // The machine's monotonic clock, which neither a test nor an administrator sets.
    const now = () => performance.now()
    const version = makeVersionCache(FRESH_FOR_MS)
    let ownChanges = 0

    const refresh = yield* makeBatchedLookup(database, (callers: ReadonlyArray<null>) =>
      Effect.suspend(() => {
        const sentAtMs = now()
        return Effect.map(readVersion(), ([row]) => {
          const catalogue = row?.catalogue ?? ""
          version.observe(catalogue, sentAtMs)
          return callers.map(() => catalogue)
        })
      })
    )

    return CatalogueVersion.of({
      current: Effect.suspend(() => {
        const known = version.latest(now())
        return known === null ? refresh(null) : Effect.succeed(known)
      }),
      ownChanges: () => ownChanges,
      onCommitted: ({ sites }) =>
        Effect.sync(() => {
          if (sites.length === 0) return
          ownChanges++
          version.invalidate(now())
        })
    })
  })
)
