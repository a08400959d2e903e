// API keys by their hash, cached until any key changes or expires by the database's clock. A cached key is used for half a second after the
// last check for changes; a change by this instance forces a check at once. Decisions on orders load the key itself.
import { Context, Effect, Layer, Schema } from "effect"
import { replacedRows } from "#core/decisions/Difference.ts"
import type { FoundKey } from "#core/domain/access/ApiKey.ts"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { makeBatchedLookup } from "../../database/BatchedLookup.ts"
import { Database } from "../../database/Database.ts"
import { NOW_MS, query } from "../../database/Queries.ts"
import { makeVersionCache } from "../../database/VersionCache.ts"
import type { CommitListener } from "../../orderbook/Commits.ts"
import { keys } from "../../rows/AccountRows.ts"
import { Text } from "../../rows/Table.ts"

const MAX_CACHED_KEYS = 10_000

/** `asOf` changes with every change of any key, and whenever one expires. */
const Row = Schema.Struct({ hash: Text, key: keys.schema, expired: Schema.Boolean, asOf: Text })

interface Cached {
  readonly key: FoundKey
  readonly asOf: string
}

/** All of a statement is judged at one moment: a key that expires within it would otherwise be cached as valid under the state after. */
const AT_A_MOMENT = `WITH moment AS MATERIALIZED (SELECT ${NOW_MS} AS now_ms)`
const MOMENT = "(SELECT now_ms FROM moment)"

/** Keys that have expired and are not ended yet: once one is, `shop.keys` is another, too. */
const AS_OF = `concat(shop.keys, ' ', (
  SELECT max(due.expires_at_ms) FROM keys due WHERE due.expires_at_ms <= ${MOMENT} AND due.revoked_at_ms IS NULL
))`

/** `OFFSET 0` keeps both look-ups by index, also in a plan made while there were few keys. */
const byHashes = `${AT_A_MOMENT}
SELECT u.hash, ${keys.list("k")} AS key, coalesce(k.expires_at_ms <= ${MOMENT}, false) AS expired, ${AS_OF} AS "asOf" FROM shop, unnest($1::text[]) AS u (hash)
CROSS JOIN LATERAL (
  (SELECT now.* FROM keys now WHERE now.hash = u.hash OFFSET 0)
  UNION ALL
  (SELECT was.* FROM keys was WHERE was.former @> jsonb_build_array(jsonb_build_object('hash', u.hash)) OFFSET 0)
) k`

export class ApiKeyCache extends Context.Service<
  ApiKeyCache,
  {
    readonly byHash: (hash: string) => Effect.Effect<FoundKey | null, StoreUnavailable>
    readonly onCommitted: CommitListener
  }
>()("backlinks/postgres/ports/access/ApiKeyCache") {}

export const layer: Layer.Layer<ApiKeyCache, never, Database> = Layer.effect(
  ApiKeyCache,
  Effect.gen(function* () {
    const database = yield* Database
    const withHashes = query(database.read, Row, byHashes)
    const cached = new BoundedMap<string, Cached>(MAX_CACHED_KEYS)
    const version = makeVersionCache(database, `${AT_A_MOMENT} SELECT ${AS_OF} AS value FROM shop`)

    const lookUp = makeBatchedLookup((hashes: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        const observe = version.sendQuery()
        return Effect.map(withHashes([...new Set(hashes)]), (rows) => {
          const found = new Map<string, Cached>()
          for (const { hash, key, expired, asOf } of rows) {
            const one: Cached = { key: expired ? { ...key, hasExpired: true } : key, asOf }
            observe(asOf)
            found.set(hash, one)
            cached.set(hash, one)
          }
          return hashes.map((hash) => found.get(hash)?.key ?? null)
        })
      })
    )

    const isFresh = ({ asOf }: Cached): boolean => asOf === version.latest()

    return ApiKeyCache.of({
      byHash: (hash) =>
        Effect.suspend(() => {
          const one = cached.get(hash)
          if (one === undefined) return lookUp(hash)
          if (isFresh(one)) return Effect.succeed(one.key)
          return Effect.flatMap(version.refresh, () => (isFresh(one) ? Effect.succeed(one.key) : lookUp(hash)))
        }),
      onCommitted: ({ keys }) =>
        Effect.sync(() => {
          if (replacedRows(keys).length > 0) version.invalidate()
        })
    })
  })
)
