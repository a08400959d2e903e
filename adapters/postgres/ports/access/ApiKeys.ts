// API keys. The time of a key's last use has a separate table, written at most every half minute and in the background.
import { Effect, Layer, Schema } from "effect"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Database } from "../../database/Database.ts"
import { NOW_MS, query, queryValues } from "../../database/Queries.ts"
import { keys } from "../../rows/AccountRows.ts"
import { integerOrNull } from "../../rows/Table.ts"
import { ApiKeyCache } from "./ApiKeyCache.ts"

const RECORD_EVERY_MS = 30_000

/** Keys whose last record is known; a dropped one costs one statement more. */
const MAX_KNOWN_KEYS = 10_000

const keysOfAccount = `
SELECT ${keys.list("k")} AS key, to_json(u.last_used_at_ms) AS "lastUsedAtMs"
FROM keys k LEFT JOIN key_uses u USING (key_id) WHERE k.account_id = $1 ORDER BY k.key_id`

const expired = `
SELECT k.key_id AS value FROM keys k
WHERE k.expires_at_ms <= (SELECT ${NOW_MS}) AND k.revoked_at_ms IS NULL ORDER BY k.expires_at_ms LIMIT $1`

/** Changes nothing for an unknown key, or if a later use is recorded already. */
const updateLastUse = `
INSERT INTO key_uses (key_id, last_used_at_ms) SELECT key_id, $2::bigint FROM keys WHERE key_id = $1
ON CONFLICT (key_id) DO UPDATE SET last_used_at_ms = EXCLUDED.last_used_at_ms
WHERE key_uses.last_used_at_ms < EXCLUDED.last_used_at_ms`

export const layer: Layer.Layer<ApiKeys, never, Database | ApiKeyCache> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const database = yield* Database
    const { byHash } = yield* ApiKeyCache
    const scope = yield* Effect.scope
    const recordedAtMs = new BoundedMap<string, Millis>(MAX_KNOWN_KEYS)

    const record = (keyId: KeyId, atMs: Millis) =>
      database.write(updateLastUse, [keyId, atMs]).pipe(
        Effect.onError(() => Effect.sync(() => recordedAtMs.delete(keyId))),
        Effect.ignore,
        Effect.catchDefect((defect) => Effect.logWarning("The last use of a key was not recorded", defect)),
        Effect.forkIn(scope),
        Effect.asVoid
      )

    const overdue = queryValues(database.read, KeyId, expired)

    return ApiKeys.of({
      byHash,
      expired: ({ limit }) => overdue(limit),
      ofAccount: query(database.read, Schema.Struct({ key: keys.schema, lastUsedAtMs: integerOrNull }), keysOfAccount),
      recordUse: (keyId, atMs) =>
        Effect.suspend(() => {
          if (atMs < (recordedAtMs.get(keyId) ?? Number.NEGATIVE_INFINITY) + RECORD_EVERY_MS) return Effect.void
          recordedAtMs.set(keyId, atMs)
          return record(keyId, atMs)
        })
    })
  })
)
