// Finds API keys. When a key was last used is noted apart from it, at most every half minute, and never makes anybody wait.
import { Effect, Layer, Schema } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { KeyRing } from "#core/ports/KeyRing.ts"
import { Database } from "./Database.ts"
import { KnownKeys } from "./KnownKeys.ts"
import { reader } from "./Reading.ts"
import { keyOf, keys } from "./rows/AccountRows.ts"
import { wholeOrNull } from "./rows/Table.ts"

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

export const layer: Layer.Layer<KeyRing, never, Database | KnownKeys> = Layer.effect(
  KeyRing,
  Effect.gen(function* () {
    const database = yield* Database
    const { byHash } = yield* KnownKeys
    const scope = yield* Effect.scope
    const onRing = reader(database.read, Schema.Struct({ key: keys.schema, lastUsedAtMs: wholeOrNull }), ofAccount)
    const noted = new Map<string, Millis>()

    const note = (keyId: string, atMs: Millis) =>
      database.write(touch, [keyId, atMs]).pipe(
        Effect.onError(() => Effect.sync(() => noted.delete(keyId))),
        Effect.ignore,
        Effect.catchDefect((defect) => Effect.logWarning("the use of a key is not noted", defect)),
        Effect.forkIn(scope),
        Effect.asVoid
      )

    return KeyRing.of({
      byHash,
      ofAccount: (accountId) =>
        Effect.map(onRing(accountId), (rows) =>
          rows.map(({ key, lastUsedAtMs }) => ({ key: keyOf(key), lastUsedAtMs }))
        ),
      touch: (keyId, atMs) =>
        Effect.suspend(() => {
          if (atMs < (noted.get(keyId) ?? Number.NEGATIVE_INFINITY) + NOTED_EVERY_MS) return Effect.void
          if (noted.size >= REMEMBERED) noted.clear()
          noted.set(keyId, atMs)
          return note(keyId, atMs)
        })
    })
  })
)
