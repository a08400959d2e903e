// `operator backup` of a store that takes orders, and `operator restore` into an empty one.
import { once } from "node:events"
import { stat } from "node:fs/promises"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { gunzipSync } from "node:zlib"
import { describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { WatchActivity } from "#core/usecases/operations/WatchActivity.ts"
import { TOKEN } from "#test/adapters/operator/OperatorService.ts"
import { receiver } from "#test/adapters/outbound/Receiver.ts"
import { databaseOfStep048, known } from "#test/adapters/postgres/upgrade/Step048.ts"
import { cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { call, isReplay, ORDERS, placedBy, postOrder, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { execute, freshDatabase } from "../TestDatabase.ts"
import { backedUp, backedUpService, directory, restoreInto, rowsIn } from "./BackupSteps.ts"

const AGENTS = 4

const { credit: key } = known

const body = cart([item(7_000_002)])

const reconciled = Effect.flatMap(Reconcile, ({ reconcile }) =>
  Effect.map(reconcile(), ({ checked, violations }) => {
    expect(violations).toEqual([])
    return checked
  })
)

/** The response to a download whose body nothing reads yet. */
const downloading = (service: string) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const asked = request(`${service}/operator/backup`, { method: "POST", headers }).end()
    // The event has this one argument.
    const [response] = (await once(asked, "response")) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    return response
  })

const orderCount = Effect.map(call("GET", `${ORDERS}?limit=1`, { key }), ({ text }) => {
  const { count } = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ count: Schema.Int })))(text)
  return count
})

describe("a backup", () => {
  it.live("of a running service is one moment of it, and goes on where that was", () =>
    Effect.gen(function* () {
      const file = join(yield* directory, "shop.backup")
      const hook = yield* receiver()
      const url = yield* databaseOfStep048
      const before = yield* Effect.gen(function* () {
        const subscription = { url: hook.url, events: ["order.accepted"] }
        expect((yield* call("POST", WEBHOOKS, { key, body: subscription })).status).toBe(201)
        const first = yield* postOrder(key, body, "before-the-backup")
        yield* hook.next
        let isDone = false
        const agents = Effect.all(
          Array.from({ length: AGENTS }, () =>
            Effect.gen(function* () {
              while (!isDone) placedBy(yield* postOrder(key, body, freshKey()))
            })
          ),
          { concurrency: AGENTS }
        )
        const taken = Effect.ensuring(
          backedUp(file),
          Effect.sync(() => {
            isDone = true
          })
        )
        yield* Effect.all([agents, taken], { concurrency: 2 })
        const { records } = yield* (yield* WatchActivity).audit({ limit: 1, beforeId: null })
        expect(records).toMatchObject([{ actor: "operator", action: "backup.take" }])
        return first
      }).pipe(Effect.provide(backedUpService(url)))
      expect((yield* Effect.promise(() => stat(file))).mode & 0o777).toBe(0o600)

      const empty = yield* freshDatabase
      expect(yield* restoreInto(empty, file)).toMatchObject({ status: 0 })
      const received = hook.received.length
      yield* Effect.gen(function* () {
        yield* reconciled
        const count = yield* orderCount
        const replay = yield* postOrder(key, body, "before-the-backup")
        expect(isReplay(replay)).toBe(true)
        expect([replay.status, replay.text]).toEqual([before.status, before.text])
        expect(yield* orderCount).toBe(count)
        const { order_id } = placedBy(yield* postOrder(key, body, "after-the-restore"))
        expect(order_id).toBeDefined()
        // Deliveries that were still to be sent in that moment may be sent again.
        for (;;) {
          const { body } = yield* hook.next
          if (order_id !== undefined && body.toString().includes(order_id)) break
        }
        expect(hook.received.length).toBeGreaterThan(received)
        yield* reconciled
      }).pipe(Effect.provide(backedUpService(empty)))
    }).pipe(Effect.scoped)
  )

  it.live("has every row of every table, in the order that foreign keys need", () =>
    Effect.gen(function* () {
      const file = join(yield* directory, "shop.backup")
      const url = yield* databaseOfStep048
      // U+2028 ends a line in some programs.
      yield* execute(
        url,
        // The service sends none of the deliveries that it finds.
        "UPDATE outbox SET due_at_ms = 9000000000000",
        String.raw`UPDATE accounts SET name = E'a "b" \\ \n \u2028 \t ü 😀'`,
        "UPDATE billing_identities SET name = '<&\" كتب 🌱'"
      )
      yield* Effect.gen(function* () {
        // The service deletes what has expired when it starts.
        yield* execute(
          url,
          "INSERT INTO sign_in_links VALUES ('h', 'mail', 'ada@brand.example', 1, 2, NULL, 0)",
          "INSERT INTO sign_in_counts VALUES ('address a', 1, 'h')",
          "INSERT INTO top_up_reversals SELECT 're_1', top_up_id, 'ch_1', 'refund', 0, 'final', 1 FROM top_ups LIMIT 1",
          "INSERT INTO sweep_claims VALUES ('q_1', 9000000000000)",
          "INSERT INTO challenges VALUES ('c', 'session ses_1', 'sign_in', 1, 2)",
          "INSERT INTO reset_codes SELECT member_id, 'h', 1, 2 FROM members LIMIT 1",
          "INSERT INTO shown_once VALUES ('s', 'session ses_1', 'v2.x', 1, 2)",
          `INSERT INTO invitations SELECT 'ivt_1', account_id, 'bo@brand.example', 'viewer', NULL, 1, 9000000000000, NULL, NULL
           FROM accounts WHERE closed_at_ms IS NULL LIMIT 1`,
          "INSERT INTO invitation_mails VALUES ('ivt_1', 'bo@brand.example', 1, 0, 0, 0, 1)",
          "INSERT INTO invitation_links VALUES ('h', 'ivt_1')",
          "INSERT INTO bound_calls (call_hash, fingerprint, id_prefix, bound_at_ms) VALUES ('h', 'f', 'p', 9000000000000)",
          "INSERT INTO news_mails SELECT member_id, 'links', '', '' FROM members LIMIT 1 ON CONFLICT DO NOTHING",
          "INSERT INTO news_mail_progress VALUES ('links', 'aud_1') ON CONFLICT DO NOTHING",
          "INSERT INTO notice_mails SELECT member_id, '', '' FROM members LIMIT 1 ON CONFLICT DO NOTHING",
          "INSERT INTO sheets SELECT 's', account_id, member_id, 'links.csv', 9000000000000, 1, NULL, 0 FROM members LIMIT 1",
          "INSERT INTO sheet_rows VALUES ('s', 1, 2, NULL, '{}', '[]', false, 1, NULL)",
          "INSERT INTO refused_attempts SELECT key_id, 90000, 'paused', 1, 1, NULL, NULL FROM keys LIMIT 1"
        )
        yield* backedUp(file)
      }).pipe(Effect.provide(backedUpService(url)))
      const empty = yield* freshDatabase
      expect(yield* restoreInto(empty, file)).toMatchObject({ status: 0 })
      const rows = yield* rowsIn(empty)
      expect(rows).toEqual(yield* rowsIn(url))
      expect(rows.filter(([, lines]) => lines.join("") === "")).toEqual([])
      // Another sequence, or another kind of relation with contents, would have to be added to the backup. A view stores nothing.
      const others = `SELECT relkind::text AS kind, relname::text AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'r', 'v')`
      expect(yield* execute(empty, others)).toEqual([[{ kind: "S", name: "accounts_account_no_seq" }]])
      const next = `SELECT nextval('accounts_account_no_seq') > max(account_no) AS "isFree" FROM accounts`
      expect(yield* execute(empty, next)).toEqual([[{ isFree: true }]])
    }).pipe(Effect.scoped)
  )

  it.live("whose client takes nothing for a while waits for it, and no order waits", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      // More than the buffers between the two take, and hard to compress.
      const words =
        "SELECT string_agg(encode(sha512((n || ' ' || m)::bytea), 'hex'), '') FROM generate_series(1, 250) m"
      yield* execute(
        url,
        "CREATE TABLE zz_last (word text)",
        `INSERT INTO zz_last SELECT (${words}) FROM generate_series(1, 1000) n`
      )
      yield* Effect.gen(function* () {
        const { url: service } = yield* RunningService
        const response = yield* downloading(service)
        let hasBegun = false
        /** Since when the database waits for the next question about its rows; `null` while it answers one. */
        const waitingSince = Effect.gen(function* () {
          const sessions = `SELECT state, state_change::text AS since FROM pg_stat_activity
            WHERE datname = current_database() AND query SIMILAR TO '(DECLARE|FETCH|CLOSE) %'`
          const [rows = []] = yield* execute(url, sessions)
          if (hasBegun) expect(rows, "the backup's session").toHaveLength(1)
          hasBegun = rows.length === 1
          return rows[0]?.["state"] === "idle in transaction" ? rows[0]["since"] : null
        })
        /** Whether nothing was read during some orders. A busy machine may read nothing for a while, so each time is compared. */
        const hasStopped = Effect.gen(function* () {
          const before = yield* waitingSince
          const orders = Array.from({ length: 2 * AGENTS }, () => postOrder(key, body, freshKey()))
          const answers = yield* Effect.all(orders, { concurrency: AGENTS })
          expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
          return before !== null && (yield* waitingSince) === before
        })
        yield* Effect.repeat(hasStopped, { until: (stopped) => stopped })
        const bytes = yield* Effect.promise(() => buffer(response))
        expect(gunzipSync(bytes).subarray(-100).toString()).toMatch(/"sha256":"\w{64}"\}\}\n$/)
      }).pipe(Effect.provide(backedUpService(url)))
    }).pipe(Effect.scoped)
  )
})
