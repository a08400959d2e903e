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
import { cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { call, isReplay, ORDERS, placedBy, postOrder, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { execute, freshDatabase } from "../TestDatabase.ts"
import { databaseOfStep010, known } from "../upgrade/Step010.ts"
import { backedUp, backedUpService, directory, restoreInto, rowsIn } from "./BackupSteps.ts"

const AGENTS = 4

const { credit: key } = known

const body = cart([item(7_000_002)])

const reconciled = Effect.flatMap(Reconcile, ({ reconcile }) =>
  Effect.map(reconcile(), ({ checked, violations }) => {
    // The version of step 010 gave two accounts one address.
    expect(violations.filter(({ invariant }) => invariant !== "email_is_unique")).toEqual([])
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
      const { url } = yield* databaseOfStep010
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
      const { url } = yield* databaseOfStep010
      // U+2028 ends a line in some programs.
      yield* execute(url, String.raw`UPDATE accounts SET name = E'a "b" \\ \n \u2028 \t ü 😀'`)
      yield* Effect.gen(function* () {
        // These tables came after step 010.
        yield* execute(
          url,
          `INSERT INTO reversals SELECT 'rev', quote_id, 'refund', 1, 'final', 0, 5 FROM quotes LIMIT 1`,
          `INSERT INTO payments_set_aside SELECT 'set', quote_id, 1, 'eur', 'amount', 5 FROM quotes LIMIT 1`,
          "INSERT INTO freed_rows VALUES ('deliveries', 1, 0, 0)",
          "INSERT INTO text_forms VALUES ('form', E'{\"quote_id\":\"q_\\x02\\x01\"}')",
          `INSERT INTO billing_identities
           SELECT account_id, '<&" كتب 🌱', 'Gartenweg 7', 'DE', 'DE136695976', true, NULL FROM accounts LIMIT 1`,
          "INSERT INTO sign_in_links VALUES ('h', 'mail', 'ada@brand.example', 1, 2, NULL, 0)",
          `INSERT INTO top_ups SELECT 'top_1', account_id, member_id, 500, 'open', 'token', NULL, NULL, 1, 2 FROM members LIMIT 1`,
          "INSERT INTO sign_in_counts VALUES ('address a', 1, 'h')",
          `INSERT INTO sessions
           SELECT 'ses_1', 'h', member_id, 'link', '192.0.2.1', '<&" ü', 1, 2, NULL, '{"items":[]}' FROM members LIMIT 1`,
          "INSERT INTO passkeys SELECT 'cred', member_id, '<&\" ü', 'key', 3, '{internal,usb}', 1, NULL FROM members LIMIT 1",
          "INSERT INTO totps SELECT member_id, 'v2.sealed', 1, 2, NULL, '{5,6}' FROM members LIMIT 1",
          "INSERT INTO challenges VALUES ('c', 'session ses_1', 'sign_in', 1, 2)",
          "INSERT INTO reset_codes SELECT member_id, 'h', 1, 2 FROM members LIMIT 1",
          "INSERT INTO reviewers SELECT member_id, account_id, 'ada', 'scrypt$15', 1, 2, NULL FROM members LIMIT 1",
          `INSERT INTO oauth_artifacts
           VALUES ('h', 'AccessToken', 'g', NULL, E'{"jti":"\\x01"}', 1, 2, NULL, false, 'con_1', '{read,order}', 'service')`,
          "INSERT INTO purchase_mails SELECT member_id, 'ord_1', 'ord_2', 1, 2, 3, false FROM members LIMIT 1 ON CONFLICT DO NOTHING",
          "INSERT INTO approval_mails SELECT member_id, 'q_1', 1, 2, 3, false FROM members LIMIT 1 ON CONFLICT DO NOTHING",
          "INSERT INTO purchase_mail_progress (examined_to) VALUES ('ord_2') ON CONFLICT DO NOTHING",
          "INSERT INTO invoice_outlet VALUES (true, 5, 'inv_1', 6) ON CONFLICT DO NOTHING",
          "INSERT INTO freed_interruptions SELECT webhook_id FROM subscriptions LIMIT 1"
        )
        yield* backedUp(file)
      }).pipe(Effect.provide(backedUpService(url)))
      const empty = yield* freshDatabase
      expect(yield* restoreInto(empty, file)).toMatchObject({ status: 0 })
      const rows = yield* rowsIn(empty)
      expect(rows).toEqual(yield* rowsIn(url))
      expect(rows.filter(([, lines]) => lines.join("") === "")).toEqual([])
      // Another sequence, or another kind of relation with contents, would have to be added to the backup. A view has none of its own.
      const others = `SELECT relkind::text AS kind, relname::text AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'r', 'v')`
      expect(yield* execute(empty, others)).toEqual([[{ kind: "S", name: "accounts_account_no_seq" }]])
      const next = `SELECT nextval('accounts_account_no_seq') > max(account_no) AS "isFree" FROM accounts`
      expect(yield* execute(empty, next)).toEqual([[{ isFree: true }]])
    }).pipe(Effect.scoped)
  )

  it.live("whose client takes nothing for a while waits for it, and no order waits", () =>
    Effect.gen(function* () {
      const { url } = yield* databaseOfStep010
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
