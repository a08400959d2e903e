// What the authorization server issued, in PostgreSQL. Each call is one statement. After unused artifacts, another one deletes those beyond
// their bound. It goes through all that stay, so it makes room for several at once.
import { Effect, Schema } from "effect"
import { type OAuthArtifact, ROTATION_GRACE_MS } from "#core/domain/access/OAuthArtifact.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { overDatabase } from "../../database/Database.ts"
import { execute, first, hasRows, insertInto, NOW_MS, queryValues, select } from "../../database/Queries.ts"
import { artifacts } from "../../rows/SignInRows.ts"

/** $1 the row, $2 the hash of its grant, $3 that of its client, $4 when it expires. Rows that live long enough are not written again. */
const upsert = `
WITH kept AS (
  UPDATE oauth_artifacts SET expires_at_ms = $4
  WHERE kind = 'Grant' AND hash = $2 AND expires_at_ms < $4
), used AS (
  UPDATE oauth_artifacts SET unused = false, expires_at_ms = greatest(expires_at_ms, $4)
  WHERE kind = 'Client' AND (unused OR expires_at_ms < $4)
    AND hash = coalesce($3, (SELECT g.client_hash FROM oauth_artifacts g WHERE g.kind = 'Grant' AND g.hash = $2))
)
${insertInto("oauth_artifacts")}
ON CONFLICT (hash) DO UPDATE SET
  grant_hash = EXCLUDED.grant_hash, client_hash = EXCLUDED.client_hash, payload = EXCLUDED.payload,
  expires_at_ms = EXCLUDED.expires_at_ms, connection_id = EXCLUDED.connection_id, scopes = EXCLUDED.scopes,
  resource = EXCLUDED.resource`

const statements = {
  find: `oauth_artifacts a WHERE a.hash = $2 AND a.kind = $1
    AND (a.grant_hash IS NULL OR EXISTS (SELECT FROM oauth_artifacts g WHERE g.hash = a.grant_hash))`,
  trim: `DELETE FROM oauth_artifacts WHERE hash IN (
      SELECT hash FROM oauth_artifacts WHERE kind = $1 AND unused
      ORDER BY row_number() OVER (PARTITION BY requester ORDER BY created_at_ms DESC, hash DESC), created_at_ms DESC, hash DESC
      OFFSET $2
    )`,
  claim: "UPDATE oauth_artifacts SET requester = $2 WHERE hash = $1 AND kind = 'Client' AND unused",
  isGranted: "SELECT FROM oauth_artifacts WHERE client_hash = $1 AND kind = 'Grant' LIMIT 1",
  consume: `UPDATE oauth_artifacts SET consumed_at_ms = $3
    WHERE hash = $2 AND kind = $1 AND consumed_at_ms IS NULL RETURNING hash`,
  // The first of concurrent calls writes the row, and the others see what it wrote.
  rotate: `UPDATE oauth_artifacts SET consumed_at_ms = coalesce(consumed_at_ms, $3), successor = coalesce(successor, $2)
    WHERE hash = $1 AND kind = 'RefreshToken' AND (consumed_at_ms IS NULL OR $3 < consumed_at_ms + ${ROTATION_GRACE_MS})
    RETURNING successor AS value`,
  forgetSuccessors: `UPDATE oauth_artifacts SET successor = NULL
    WHERE successor IS NOT NULL AND consumed_at_ms <= ${NOW_MS} - ${ROTATION_GRACE_MS}`,
  destroy: "DELETE FROM oauth_artifacts WHERE hash = $2 AND kind = $1",
  revokeGrant: "DELETE FROM oauth_artifacts WHERE hash = $1 OR grant_hash = $1",
  prune: `DELETE FROM oauth_artifacts WHERE hash IN (
      SELECT hash FROM oauth_artifacts WHERE expires_at_ms <= ${NOW_MS} ORDER BY expires_at_ms LIMIT $1 FOR UPDATE SKIP LOCKED
    ) AND expires_at_ms <= ${NOW_MS} RETURNING hash`
}

/** For how many unused artifacts room is made at once: a hundredth of their bound. */
const roomOf = (bound: number): number => Math.max(1, Math.floor(bound / 100))

const paramsOf = (artifact: OAuthArtifact): ReadonlyArray<unknown> => [
  JSON.stringify(artifacts.row(artifact)),
  artifact.grantHash,
  artifact.clientHash,
  artifact.expiresAtMs
]

export const layer = overDatabase(Grants, ({ read, write }) => {
  const keep = execute(write, upsert)
  const trim = execute(write, statements.trim)
  /** Counts, by kind, the unused artifacts that this instance has kept since it last made room. */
  const untrimmed = new Map<OAuthArtifact["kind"], number>()

  /** Concurrent calls delete no more than one would: each keeps the newest of all rows. */
  const makeRoom = (kind: OAuthArtifact["kind"], bound: number) =>
    Effect.suspend(() => {
      const count = (untrimmed.get(kind) ?? 0) + 1
      const isDue = count >= roomOf(bound)
      untrimmed.set(kind, isDue ? 0 : count)
      return isDue ? trim(kind, bound - roomOf(bound) + 1) : Effect.void
    })

  return Grants.of({
    find: first(select(read, artifacts, statements.find)),
    upsert: (artifact) => keep(...paramsOf(artifact)),
    upsertUnused: (artifact, bound) => Effect.andThen(keep(...paramsOf(artifact)), makeRoom(artifact.kind, bound)),
    claim: execute(write, statements.claim),
    isGranted: hasRows(read, statements.isGranted),
    consume: hasRows(write, statements.consume),
    rotate: first(queryValues(write, Schema.String, statements.rotate)),
    forgetSuccessors: Effect.suspend(execute(write, statements.forgetSuccessors)),
    destroy: execute(write, statements.destroy),
    revokeGrant: execute(write, statements.revokeGrant),
    prune: (limit) => Effect.map(write(statements.prune, [limit]), ({ length }) => length)
  })
})
