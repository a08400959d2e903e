// Sign-in links and sessions in PostgreSQL. Each call is one statement; issuing a link is a transaction, which takes the locks of its
// bounds first, so that concurrent requests count one after another.
import { Effect, Schema } from "effect"
import { MAX_CODE_ATTEMPTS, SESSION_IDLE_MS, SESSION_MAX_MS } from "#core/domain/members/Session.ts"
import { COUNTED_FOR_MS, codesOf, type LinkBound, windowOf } from "#core/domain/members/SignInBounds.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import type { RunWrite } from "../../database/Connections.ts"
import { overDatabase } from "../../database/Database.ts"
import {
  bigintArray,
  decodeRows,
  execute,
  first,
  hasRows,
  insertInto,
  NOW_MS,
  queryValues,
  select
} from "../../database/Queries.ts"
import { sessions, signInLinks } from "../../rows/SignInRows.ts"
import { Integer } from "../../rows/Table.ts"

const link = signInLinks.list("l")

const isLive = `s.ended_at_ms IS NULL AND $2 < s.created_at_ms + ${SESSION_MAX_MS} AND $2 < s.last_used_at_ms + ${SESSION_IDLE_MS}`

/** In the order of their names, so that two requests with several bounds never wait for one another in a circle. */
const lockBounds =
  "SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM (SELECT unnest($1::text[]) AS name ORDER BY 1) b"

const reachedBounds = `
SELECT FROM unnest($1::text[], $2::bigint[], $3::bigint[]) b (name, bound, since_ms)
WHERE (SELECT count(*) FROM sign_in_counts c WHERE c.name = b.name AND c.at_ms > b.since_ms) >= b.bound`

const insertCounts = "INSERT INTO sign_in_counts SELECT name, $2, $3 FROM unnest($1::text[]) name"

const insertLink = insertInto("sign_in_links")

const statements = {
  start: `WITH former AS (UPDATE sessions SET ended_at_ms = $3 WHERE session_id = $2 AND ended_at_ms IS NULL)
    ${insertInto("sessions")}`,
  consume: `UPDATE sign_in_links l SET used_at_ms = $2
    WHERE l.hash = $1 AND l.used_at_ms IS NULL AND $2 < l.expires_at_ms
    RETURNING ${link} AS value`,
  countCode: `UPDATE sign_in_links l SET wrong_codes = l.wrong_codes + 1
    WHERE l.hash = $1 AND l.used_at_ms IS NULL AND l.wrong_codes < ${MAX_CODE_ATTEMPTS}
    RETURNING ${link} AS value`,
  tries: "SELECT count(*)::int AS value FROM sign_in_counts WHERE name = $1",
  countTry: `UPDATE sign_in_links l SET wrong_codes = l.wrong_codes + 1
    WHERE l.browser_hash = $1 AND l.used_at_ms IS NULL AND l.wrong_codes < ${MAX_CODE_ATTEMPTS} AND $2 < l.expires_at_ms
    RETURNING ${link} AS value`,
  exchange: `UPDATE sign_in_links SET hash = $2, wrong_codes = greatest(wrong_codes - 1, 0), browser_hash = NULL, code_hash = NULL
    WHERE hash = $1 AND used_at_ms IS NULL AND $3 < expires_at_ms RETURNING hash`,
  endDemoLinks: "DELETE FROM sign_in_links WHERE kind = 'demo' AND used_at_ms IS NULL",
  recordUse: "UPDATE sessions SET last_used_at_ms = greatest(last_used_at_ms, $2) WHERE session_id = $1",
  confirm: "UPDATE sessions SET confirmed_at_ms = $2 WHERE session_id = $1 AND confirmed_at_ms IS NULL",
  unconfirmAll:
    "UPDATE sessions SET confirmed_at_ms = NULL WHERE member_id = ANY ($1::text[]) AND confirmed_at_ms IS NOT NULL",
  saveCart: "UPDATE sessions SET cart = $3 WHERE session_id = $1 AND cart IS NOT DISTINCT FROM $2 RETURNING session_id",
  live: `sessions s WHERE s.member_id = ANY ($1::text[]) AND ${isLive} ORDER BY s.created_at_ms DESC, s.session_id DESC`,
  end: "UPDATE sessions SET ended_at_ms = $2 WHERE session_id = $1 AND ended_at_ms IS NULL",
  endAll: `UPDATE sessions SET ended_at_ms = $2
    WHERE member_id = ANY ($1::text[]) AND ended_at_ms IS NULL AND session_id IS DISTINCT FROM $3 RETURNING session_id`,
  signedInFrom: "SELECT FROM sessions WHERE member_id = $1 AND network = $2 LIMIT 1",
  prune: `WITH links AS (DELETE FROM sign_in_links WHERE expires_at_ms <= ${NOW_MS}),
      counts AS (DELETE FROM sign_in_counts WHERE at_ms <= ${NOW_MS} - ${COUNTED_FOR_MS})
    DELETE FROM sessions WHERE created_at_ms <= ${NOW_MS} - ${2 * SESSION_MAX_MS}`
}

const triesOf = decodeRows(Schema.Struct({ value: Integer }))
const linksOf = decodeRows(Schema.Struct({ value: signInLinks.schema }))

export const layer = overDatabase(Sessions, ({ read, write, transaction }) => {
  const countCode = first(queryValues(write, signInLinks.schema, statements.countCode))
  const endDemoLinks = execute(write, statements.endDemoLinks)
  const start = execute(write, statements.start)
  const prune = execute(write, statements.prune)
  const saveCart = hasRows(write, statements.saveCart)

  /** `false`, and nothing is counted, where a bound is reached. */
  const count = Effect.fnUntraced(function* (
    run: RunWrite,
    { id, atMs }: { readonly id: string; readonly atMs: number },
    bounds: ReadonlyArray<LinkBound>
  ) {
    const names = bounds.map(({ name }) => name)
    const limits = bigintArray(bounds.map(({ limit }) => limit))
    yield* run(lockBounds, [names])
    const since = bigintArray(bounds.map((bound) => atMs - windowOf(bound)))
    if ((yield* run(reachedBounds, [names, limits, since])).length > 0) return false
    yield* run(insertCounts, [names, atMs, id])
    return true
  })

  return Sessions.of({
    issueLink: (issued, bounds) =>
      transaction(
        Effect.fnUntraced(function* (run) {
          if (!(yield* count(run, { id: issued.hash, atMs: issued.createdAtMs }, bounds))) return false
          yield* run(insertLink, [JSON.stringify(signInLinks.row(issued))])
          return true
        })
      ),
    countAttempt: (attempt, bounds) => transaction((run) => count(run, attempt, bounds)),
    link: first(select(read, signInLinks, "sign_in_links l WHERE l.hash = $1")),
    consumeLink: first(queryValues(write, signInLinks.schema, statements.consume)),
    countCode: (hash) => Effect.map(countCode(hash), (counted) => counted?.wrongCodes ?? null),
    countTry: (attempt, bounds) =>
      transaction(
        Effect.fnUntraced(function* (run) {
          if (!(yield* count(run, attempt, bounds))) return null
          const { browserHash, atMs } = attempt
          const [tried] = triesOf(yield* run(statements.tries, [codesOf(browserHash)]))
          const [counted] = linksOf(yield* run(statements.countTry, [browserHash, atMs]))
          return { tries: tried?.value ?? 0, link: counted?.value ?? null }
        })
      ),
    exchangeLink: hasRows(write, statements.exchange),
    endDemoLinks: Effect.suspend(endDemoLinks),
    start: (started, former) => start(JSON.stringify(sessions.row(started)), former, started.createdAtMs),
    byHash: first(select(read, sessions, "sessions s WHERE s.hash = $1")),
    confirm: execute(write, statements.confirm),
    unconfirmAll: execute(write, statements.unconfirmAll),
    recordUse: execute(write, statements.recordUse),
    saveCart: (sessionId, { before, after }) => saveCart(sessionId, before, after),
    live: select(read, sessions, statements.live),
    end: execute(write, statements.end),
    endAll: (memberIds, atMs, except) =>
      Effect.map(write(statements.endAll, [memberIds, atMs, except]), ({ length }) => length),
    signedInFrom: hasRows(read, statements.signedInFrom),
    prune: Effect.suspend(prune)
  })
})
