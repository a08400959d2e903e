// Keys by their hash, remembered, so that not every call asks the database who is calling. What is remembered holds for as long as
// no key was changed anywhere: the database is asked about that when nobody has for half a second, and at once after a change of
// this instance's own. An order is decided on its key as it is in the database, whatever is remembered here.
import { Context, Effect, Layer, Schema } from "effect"
import type { Change } from "#core/decisions/Change.ts"
import type { ApiKey } from "#core/domain/ApiKey.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { makeBatchedLookup } from "./database/BatchedLookup.ts"
import { Database } from "./database/Database.ts"
import { query } from "./database/Queries.ts"
import { skipAdmission } from "./database/Semaphore.ts"
import { makeVersionCache } from "./database/VersionCache.ts"
import { forgetOldest } from "./ForgetOldest.ts"
import { keyOf, keys } from "./rows/AccountRows.ts"
import { Text } from "./rows/Table.ts"

/** How long another instance's revocation may go unnoticed. */
const ASKED_EVERY_MS = 500

/** Keys that are remembered: forgetting one costs a look-up. */
const REMEMBERED = 10_000

/** `asOf` names the last change of any key that had been made when this was seen. */
const asOf = { asOf: Text }

const byHashes = `
SELECT ${keys.list("k")} AS key, shop.keys AS "asOf" FROM keys k, shop WHERE k.hash = ANY ($1::text[])`

const askLastChange = 'SELECT keys AS "asOf" FROM shop'

interface Known {
  readonly key: ApiKey
  readonly asOf: string
}

const changesKeys = (changes: ReadonlyArray<Change>): boolean =>
  changes.some(({ _tag }) => _tag === "KeyRevoked" || _tag === "KeyLimited")

export class ApiKeyCache extends Context.Service<
  ApiKeyCache,
  {
    readonly byHash: (hash: string) => Effect.Effect<ApiKey | null, StoreUnavailable>
    /** Hears of what this instance has written. */
    readonly invalidate: (changes: ReadonlyArray<Change>) => Effect.Effect<void>
  }
>()("backlinks/postgres/ApiKeyCache") {}

export const layer: Layer.Layer<ApiKeyCache, never, Database> = Layer.effect(
  ApiKeyCache,
  Effect.gen(function* () {
    const database = yield* Database
    /** Whoever asks has been called from a seat. */
    const read: Database["Service"]["read"] = (sql, params) => database.read(sql, params, skipAdmission)
    const withHashes = query(read, Schema.Struct({ key: keys.schema, ...asOf }), byHashes)
    const change = query(read, Schema.Struct(asOf), askLastChange)
    const known = new Map<string, Known>()
    // Of this machine's own clock, which no test and no administrator moves.
    const now = () => performance.now()
    const lastChange = makeVersionCache(ASKED_EVERY_MS)

    const remember = (one: Known): void => {
      forgetOldest(known, REMEMBERED)
      known.set(one.key.hash, one)
    }

    const ask = yield* makeBatchedLookup(database, (askers: ReadonlyArray<null>) =>
      Effect.suspend(() => {
        const askedAtMs = now()
        return Effect.map(change(), ([row]) => {
          if (row !== undefined) lastChange.observe(row.asOf, askedAtMs)
          return askers
        })
      })
    )

    const lookUp = yield* makeBatchedLookup(database, (hashes: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        const askedAtMs = now()
        return Effect.map(withHashes([...new Set(hashes)]), (rows) => {
          const found = new Map(rows.map(({ key, asOf }) => [key.hash, { key: keyOf(key), asOf }]))
          for (const one of found.values()) {
            lastChange.observe(one.asOf, askedAtMs)
            remember(one)
          }
          return hashes.map((hash) => found.get(hash)?.key ?? null)
        })
      })
    )

    const holds = ({ asOf }: Known): boolean => lastChange.isFresh(asOf, now())

    return ApiKeyCache.of({
      byHash: (hash) =>
        Effect.suspend(() => {
          const one = known.get(hash)
          if (one === undefined) return lookUp(hash)
          if (holds(one)) return Effect.succeed(one.key)
          return Effect.flatMap(ask(null), () => (holds(one) ? Effect.succeed(one.key) : lookUp(hash)))
        }),
      invalidate: (changes) =>
        Effect.sync(() => {
          if (changesKeys(changes)) lastChange.invalidate(now())
        })
    })
  })
)
