// Finds API keys. When a key was last used is noted apart from it, at most every half minute, and never makes anybody wait.
import { Effect, Layer, Schema } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { ApiKeys } from "#core/ports/ApiKeys.ts"
import { ApiKeyCache } from "./ApiKeyCache.ts"
import { Database } from "./database/Database.ts"
import { query } from "./database/Queries.ts"
import { keyOf, keys } from "./rows/AccountRows.ts"
import { integerOrNull } from "./rows/Table.ts"

const NOTED_EVERY_MS = 30_000

/** How many keys are remembered as noted: forgetting one costs a statement too many. */
const REMEMBERED = 10_000

const ofAccount = `
SELECT ${keys.list("k")} AS key, to_json(u.last_used_at_ms) AS "lastUsedAtMs"
FROM keys k LEFT JOIN key_uses u USING (key_id) WHERE k.account_id = $1 ORDER BY k.key_id`

/** Notes that come too late or of keys that are not there change nothing. */
const touch = `
INSERT INTO key_uses (key_id, last_used_at_ms) SELECT key_id, $2::bigint FROM keys WHERE key_id = $1
ON CONFLICT (key_id) DO UPDATE SET last_used_at_ms = EXCLUDED.last_used_at_ms
WHERE key_uses.last_used_at_ms < EXCLUDED.last_used_at_ms`

export const layer: Layer.Layer<ApiKeys, never, Database | ApiKeyCache> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const database = yield* Database
    const { byHash } = yield* ApiKeyCache
    const scope = yield* Effect.scope
    const onRing = query(database.read, Schema.Struct({ key: keys.schema, lastUsedAtMs: integerOrNull }), ofAccount)
    const noted = new Map<string, Millis>()

    const note = (keyId: string, atMs: Millis) =>
      database.write(touch, [keyId, atMs]).pipe(
        Effect.onError(() => Effect.sync(() => noted.delete(keyId))),
        Effect.ignore,
        Effect.catchDefect((defect) => Effect.logWarning("the use of a key is not noted", defect)),
        Effect.forkIn(scope),
        Effect.asVoid
      )

    return ApiKeys.of({
      byHash,
      ofAccount: (accountId) =>
        Effect.map(onRing(accountId), (rows) =>
          rows.map(({ key, lastUsedAtMs }) => ({ key: keyOf(key), lastUsedAtMs }))
        ),
      recordUse: (keyId, atMs) =>
        Effect.suspend(() => {
          if (atMs < (noted.get(keyId) ?? Number.NEGATIVE_INFINITY) + NOTED_EVERY_MS) return Effect.void
          if (noted.size >= REMEMBERED) noted.clear()
          noted.set(keyId, atMs)
          return note(keyId, atMs)
        })
    })
  })
)
