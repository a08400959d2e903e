// Step 049 writes the ledger's entries as rows: what was shown before is there afterwards, and is read beside entries of today's form.
import { describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { readStep } from "#adapters/postgres/database/MigrationSteps.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { BALANCE, call, placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { serviceOn } from "../ServiceOnPostgres.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"
import { databaseOfStep048, ENCRYPTION_KEY, known } from "./Step048.ts"

/** Every column that the view had, but for the one by which its pages were searched. */
const entries = `
SELECT account_no, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents, balance_after_cents, held_after_cents,
  quote_id, order_id, link_id, hold_id, at_ms, reference
FROM ledger ORDER BY account_no, entry_id`

const rowsOf = (url: Redacted.Redacted, statement: string) => Effect.map(execute(url, statement), ([rows = []]) => rows)

/** Several statements as one. */
const asOne = (script: string): string => `DO $script$ BEGIN EXECUTE '${script.replaceAll("'", "''")}'; END $script$`

const start = (url: Redacted.Redacted) => Effect.scoped(Layer.build(storeInstance(url)))

describe("step 049_plain_ledger", () => {
  it.live("keeps every entry as it was shown", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      const encoded = yield* rowsOf(url, "SELECT entry_id FROM ledger_rows WHERE kind = 'settlement'")
      expect(encoded.length).toBeGreaterThan(0)
      const shown = yield* rowsOf(url, entries)
      yield* start(url)
      expect(yield* rowsOf(url, entries)).toEqual(shown)
    })
  )

  it.live("loses nothing that an instance of the version before writes meanwhile", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      const slow = readStep("049_plain_ledger").script.replace(
        "DROP VIEW holds",
        "SELECT pg_sleep(1);\nDROP VIEW holds"
      )
      const step = yield* Effect.forkChild(execute(url, asOne(slow)))
      yield* Effect.sleep("300 millis")
      const written = yield* Effect.exit(
        execute(
          url,
          `INSERT INTO ledger_rows (account_no, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents,
             balance_after_cents, held_after_cents, at_ms) VALUES (1, 'led_meanwhile', 'top_up', 1, 1, 0, 1, 0, 0)`
        )
      )
      yield* Fiber.join(step)
      const found = yield* rowsOf(url, "SELECT FROM ledger WHERE entry_id = 'led_meanwhile'")
      expect(found.length).toBe(Exit.isSuccess(written) ? 1 : 0)
    })
  )

  it.live("lets an instance of the version before read references while it drains", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      const referenced = "SELECT * FROM ledger_rows WHERE reference IS NOT NULL ORDER BY account_no, entry_id"
      const before = yield* rowsOf(url, referenced)
      expect(before.length).toBeGreaterThan(0)
      yield* start(url)
      expect(yield* rowsOf(url, referenced)).toEqual(before)
    })
  )

  it.live.each([
    ["is lost", "FROM shown_ledger ORDER BY", "FROM shown_ledger WHERE kind <> 'capture' ORDER BY"],
    [
      "would name another hold",
      "quote_id, order_id, link_id, hold_id, at_ms",
      "quote_id, order_id, link_id, hold_id || '0', at_ms"
    ]
  ] as const)("is refused if an entry %s, and names it", ([, written, instead]) =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      const shown = yield* rowsOf(url, entries)
      const { script } = readStep("049_plain_ledger")
      const broken = script.replace(written, instead)
      expect(broken).not.toBe(script)
      const refused = yield* Effect.flip(execute(url, asOne(broken)))
      expect(String(refused.reason.cause)).toMatch(
        /entry led_\w+ of the ledger would differ from what was shown before/
      )
      expect(yield* rowsOf(url, entries)).toEqual(shown)
    })
  )

  it.live("leaves the older form, which is read beside a capture of free credit", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      const { key } = known.recent
      yield* Effect.gen(function* () {
        const read = Effect.map(
          call("GET", `${BALANCE}/ledger?limit=50`, { key }),
          ({ text }) => JSON.parse(text).entries
        )
        const before = yield* read
        const covered = before.filter((one: { order_id: string | null }) => one.order_id === known.recent.paidOrderId)
        const [{ quote_id }] = covered
        const ofQuote = before.filter((one: { quote_id: string | null }) => one.quote_id === quote_id)
        expect(ofQuote.map(({ kind }: { kind: string }) => kind)).toEqual(["recredit", "capture", "hold"])
        const bought = placedBy(yield* postOrder(key, cart([item(7_000_002)])))
        expect(bought.order_status).toBe("paid")
        const [newest, ...rest] = yield* read
        expect(rest).toEqual(before)
        expect(newest).toMatchObject({ kind: "capture", quote_id: bought.quote_id, order_id: bought.order_id })
        expect(newest.held_after_cents).toBe(before[0].held_after_cents)
      }).pipe(Effect.provide(serviceOn(url, { ENCRYPTION_KEY, SWEEP_INTERVAL: "1 hour" })))
    })
  )
})
