// A database of step 048 with rows in every table is taken over: everything is read, and selling continues. An older one is refused.
import { describe, it } from "@effect/vitest"
import { Effect, Layer, type Redacted, Schedule } from "effect"
import { expect } from "vitest"
import { storeFaultMessage } from "#adapters/app/StoreFaultMessage.ts"
import { BASELINE, readStep, STEPS } from "#adapters/postgres/database/MigrationSteps.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { CheckSigningKeys } from "#core/usecases/webhooks/CheckSigningKeys.ts"
import { ResealSigningKeys } from "#core/usecases/webhooks/ResealSigningKeys.ts"
import { serviceOn } from "#test/adapters/postgres/ServiceOnPostgres.ts"
import { storeInstance } from "#test/adapters/postgres/StoreInstances.ts"
import { execute } from "#test/adapters/postgres/TestDatabase.ts"
import { cart, insertion, item } from "#test/scenarios/Buyers.ts"
import { isNotLate } from "#test/scenarios/ConsistentBooks.ts"
import {
  BALANCE,
  call,
  type HttpResponse,
  INVOICES,
  isReplay,
  ORDERS,
  placedBy,
  postOrder,
  QUOTES,
  WEBHOOKS
} from "#test/scenarios/HttpCalls.ts"
import { databaseOfStep048, ENCRYPTION_KEY, known } from "./Step048.ts"

const ENV = { ENCRYPTION_KEY, SWEEP_INTERVAL: "1 hour", RATE_LIMIT_READS: "0" }

const { credit, card, siteId, articleId, recent, open } = known

const readJson = Effect.fnUntraced(function* (path: string, key: string) {
  const { status, text } = yield* call("GET", path, { key })
  expect(status, text).toBe(200)
  return JSON.parse(text)
})

const statusesOf = (orderId: string, key: string) =>
  Effect.map(readJson(`${ORDERS}/${orderId}`, key), ({ items }: { items: ReadonlyArray<{ status: string }> }) =>
    items.map(({ status }) => status)
  )

const reconciled = Effect.flatMap(Reconcile, ({ reconcile }) => reconcile())

/** What an instance says that does not start. */
const refusalOf = (url: Redacted.Redacted) => Effect.flip(Effect.scoped(Layer.build(storeInstance(url))))

describe("an upgrade from step 048", () => {
  it.live("keeps every row, and selling continues", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      yield* Effect.gen(function* () {
        expect((yield* call("GET", "/readyz")).status).toBe(200)
        const taken = yield* reconciled
        expect(taken.violations.filter(isNotLate)).toEqual([])
        expect(taken.checked).toMatchObject({ accounts: 14, quotes: 17, orders: 9, links: 12 })
        expect(yield* (yield* CheckSigningKeys).unsignable()).toBeNull()
        // Its owner consented before it was asked whether it may see all of the account.
        const chat = yield* (yield* ApiKeys).byHash("con_01m844fnzwszn0k6d8rcpxm0r700")
        expect(chat?.consent?.seesAccount).toBe(false)
        expect(yield* (yield* ResealSigningKeys).pass()).toMatchObject({ unopened: 0 })
        const [webhook] = yield* (yield* Subscriptions).activeAfter({ after: null, limit: 1 })
        expect(webhook?.sealedSigningKey).toMatch(/^v2\./)

        // Rows that were taken over from step 010 have the older of two forms.
        expect(yield* statusesOf(known.paidOrderId, credit)).toEqual(["cancelled", "assigned"])
        expect((yield* readJson(ORDERS, card)).count).toBe(1)
        expect((yield* readJson(WEBHOOKS, credit)).count).toBe(1)
        expect(yield* statusesOf(recent.paidOrderId, recent.key)).toEqual(["verified", "to_assign", "cancelled"])
        expect((yield* readJson(ORDERS, recent.key)).count).toBe(3)
        expect((yield* readJson(INVOICES, recent.key)).count).toBeGreaterThan(0)

        const again = [insertion({ siteId, articleId }), item(7_000_002)]
        const replay = yield* postOrder(credit, cart(again, { promo_code: "LIMITED" }), "paid-by-credit")
        expect(isReplay(replay)).toBe(true)
        expect(placedBy(replay).order_id).toBe(known.paidOrderId)

        yield* (yield* SweepQuotes).sweep()
        expect(yield* readJson(`${QUOTES}/${open.quoteId}`, open.key)).toMatchObject({ status: "abandoned" })
        expect(yield* readJson(BALANCE, open.key)).toMatchObject({ held_cents: 0 })

        const bought = placedBy(yield* postOrder(credit, cart([insertion({ siteId, articleId })]), "after-the-upgrade"))
        expect(bought.order_status).toBe("paid")
        expect(yield* reconciled).toMatchObject({ checked: { orders: 10 }, violations: [] })
      }).pipe(Effect.provide(serviceOn(url, ENV)))
      const [stored] = yield* execute(
        url,
        `SELECT step, sha256 FROM schema_steps WHERE step >= '${BASELINE.step}' ORDER BY step`
      )
      expect(stored).toEqual([BASELINE, ...STEPS.map(readStep).map(({ step, sha256 }) => ({ step, sha256 }))])
      // Stored hashes are compared at each start.
      yield* execute(url, `UPDATE schema_steps SET sha256 = 'other' WHERE step = '${BASELINE.step}'`)
      const difference = "Its step 048_account_numbers has another text."
      expect(yield* refusalOf(url)).toMatchObject({ _tag: "DatabaseDiffers", difference })
    })
  )
})

const tables = `SELECT (SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relkind = 'r') AS tables,
  (SELECT count(*) FROM schema_steps) AS steps`

describe("a database below step 048", () => {
  it.live.each([
    ["047_commit_look_ups", "DELETE FROM schema_steps WHERE step > '047_commit_look_ups'"],
    [
      "010_locality",
      "DELETE FROM schema_steps WHERE step > '010_locality'; ALTER TABLE schema_steps DROP COLUMN sha256"
    ]
  ] as const)("is refused at %s by a sentence that names the commit which takes it over", ([step, changes]) =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      yield* execute(url, ...changes.split("; "))
      const before = yield* execute(url, tables)
      const refused = yield* refusalOf(url)
      expect(storeFaultMessage(refused)).toBe(
        `The database was made by an older version (${step}): take a backup, let commit 7bfe73a of the service take the database over by one start, and start this version again.`
      )
      expect(yield* execute(url, tables)).toEqual(before)
    })
  )
})

it.live("owners are mailed none of what happened before the upgrade", () =>
  Effect.gen(function* () {
    const url = yield* databaseOfStep048
    yield* execute(
      url,
      `INSERT INTO audit (audit_id, actor, action, subject, details, at_ms, account_id)
       SELECT 'aud_01' || l.link_id, 'ben', 'link.move', l.link_id, '{"to": "published", "published_url": "https://a.example/"}', 1, a.account_id
       FROM links l JOIN accounts a USING (account_no) WHERE l.mode = 'live'`,
      `INSERT INTO audit (audit_id, actor, action, subject, details, at_ms, account_id)
       SELECT 'aud_01' || account_id, 'ben', 'account.debit', account_id, '{"cents": 500}', 1, account_id FROM accounts`
    )
    yield* Effect.gen(function* () {
      const mails = yield* OwnerMails
      const query = { nowMs: Date.now(), leaseMs: 60_000, lagMs: -600_000, limit: 1_000 }
      for (const kind of ["notices", "links", "expiries", "receipts", "topUps"] as const)
        expect(yield* mails[kind].claim(query), kind).toEqual([])
    }).pipe(Effect.provide(storeInstance(url)))
    const [before = []] = yield* execute(url, "SELECT kind FROM news_mail_progress ORDER BY kind")
    expect(before.map(({ kind }) => kind)).toEqual(["expiries", "links", "receipts", "top_ups"])
  })
)

/** Sends the same request until the instance has noticed. */
const untilRefused = <E, R>(send: Effect.Effect<HttpResponse, E, R>) =>
  Effect.repeat(send, { until: ({ status }) => status === 503, schedule: Schedule.spaced("100 millis") })

describe("a running instance", () => {
  it.live(
    "is no longer ready, takes no orders and sweeps nothing, and says why, once a newer version has migrated its database",
    () =>
      Effect.gen(function* () {
        const url = yield* databaseOfStep048
        yield* Effect.gen(function* () {
          expect((yield* call("GET", "/readyz")).status).toBe(200)
          const { quote_id } = placedBy(yield* postOrder(card, cart([item(7_000_002, { tier2_links: 5 })])))
          const quoteStatus = Effect.map(
            execute(url, `SELECT status FROM quotes WHERE quote_id = '${quote_id}'`),
            ([rows = []]) => rows[0]?.["status"]
          )
          const expire = execute(url, `UPDATE quotes SET expires_at_ms = 1 WHERE quote_id = '${quote_id}'`)
          yield* execute(url, "INSERT INTO schema_steps (step, sha256) VALUES ('999_of_tomorrow', 'hash')")
          // Within a second, for which an answer to probes counts.
          const asked = Effect.repeat(call("GET", "/readyz"), { until: ({ status }) => status === 503 })
          const { text } = yield* Effect.timeout(asked, "2 seconds")
          expect(JSON.parse(text).error.message).toContain(
            "newer version of the service has migrated the database (999_of_tomorrow)"
          )
          // What clients still send before the balancer notices is answered, but for orders.
          expect((yield* readJson(BALANCE, card)).ok).toBe(true)
          const refused = yield* untilRefused(postOrder(credit, cart([item(7_000_002)]), "before"))
          expect(refused.headers.get("retry-after")).toBe("5")
          expect(JSON.parse(refused.text).error).toMatchObject({
            code: "schema_too_new",
            message: expect.stringContaining("takes no orders any more; nothing was written"),
            suggestion: expect.stringContaining("again once Retry-After has passed, an order with an Idempotency-Key")
          })
          yield* expire
          yield* Effect.sleep("500 millis")
          expect(yield* quoteStatus).toBe("awaiting_payment")
        }).pipe(Effect.provide(serviceOn(url, { ...ENV, SWEEP_INTERVAL: "50 millis" })))
      })
  )
})
