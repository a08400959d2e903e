// Step 050 writes discounts, digests and histories in full: what was read before is read afterwards, and what an instance of the version
// before writes meanwhile, too.
import { describe, it } from "@effect/vitest"
import { Effect, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"
import { databaseOfStep048 } from "./Step048.ts"

const rowsOf = (url: Redacted.Redacted, statement: string) => Effect.map(execute(url, statement), ([rows = []]) => rows)

const start = (url: Redacted.Redacted) => Effect.scoped(Layer.build(storeInstance(url)))

const PLAIN = {
  quotes: "SELECT quote_id, discount::jsonb AS discount, items_digest, fingerprint FROM quotes ORDER BY quote_id",
  links: "SELECT link_id, history FROM links ORDER BY link_id"
}

const ENCODED = {
  quotes: `SELECT quote_id, stored_text(discount, quote_id)::jsonb AS discount, items_digest, fingerprint FROM quotes ORDER BY quote_id`,
  links: "SELECT link_id, history_of(history, status, ordered_at_ms) AS history FROM links ORDER BY link_id"
}

/** What version 049 read of a digest. */
const whole = (digest: unknown): unknown =>
  typeof digest === "string" && digest.startsWith("=")
    ? Buffer.from(digest.slice(1), "base64url").toString("hex")
    : digest

type Row = Readonly<Record<string, unknown>>

const withWholeDigests = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.map((row) => ({ ...row, items_digest: whole(row["items_digest"]), fingerprint: whole(row["fingerprint"]) }))

const COPIED =
  "quote_id = (SELECT min(quote_id) FROM quotes WHERE starts_with(discount, E'\\x01') AND order_id IS NOT NULL)"

/** The values of a row, as version 049 sent them: a copy of an order under other ids. */
const listOf = (table: string, where: string): string => `(
  SELECT jsonb_build_array(jsonb_agg(CASE name WHEN 'account_no' THEN to_jsonb((SELECT account_id FROM accounts WHERE account_no = value::int))
    WHEN 'article_id' THEN 'null' WHEN 'promo_code' THEN 'null'
    ELSE CASE WHEN name ~ '^(quote|order|link)_id$|^idempotency_key$|^payment_token$' AND value <> 'null'
      THEN to_jsonb(value #>> '{}' || 'x') ELSE value END END ORDER BY place))
  FROM (SELECT to_jsonb(t) AS t FROM ${table} t WHERE ${where} LIMIT 1) one
  CROSS JOIN LATERAL (
    SELECT attname AS name, attnum AS place, coalesce(one.t -> attname::text, 'null') AS value FROM pg_attribute
    WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped
  ) columns
)`

describe("step 050_plain_columns", () => {
  it.live("keeps what was read", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      const encoded = yield* rowsOf(
        url,
        `SELECT (SELECT count(*) FROM quotes WHERE starts_with(discount, E'\\x01') AND starts_with(items_digest, '='))::int AS quotes,
           (SELECT count(*) FROM links WHERE history IS NULL)::int AS links`
      )
      expect(Number(encoded[0]?.["quotes"])).toBeGreaterThan(0)
      expect(Number(encoded[0]?.["links"])).toBeGreaterThan(0)
      const quotes = withWholeDigests(yield* rowsOf(url, ENCODED.quotes))
      const links = yield* rowsOf(url, ENCODED.links)
      yield* start(url)
      expect(yield* rowsOf(url, PLAIN.quotes)).toEqual(quotes)
      expect(yield* rowsOf(url, PLAIN.links)).toEqual(links)
    })
  )

  it.live("lets an instance of the version before write orders in its form until it ends", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      const [row] = yield* rowsOf(
        url,
        `SELECT ${listOf("quotes", COPIED)} AS quote, ${listOf("links", `${COPIED} AND history IS NULL`)} AS link`
      )
      const [known] = withWholeDigests(
        yield* rowsOf(url, ENCODED.quotes.replace("ORDER BY", `WHERE ${COPIED} ORDER BY`))
      )
      yield* start(url)
      const sent = { placed_quotes: row?.["quote"], new_links: row?.["link"], seen: { shop: [] } }
      yield* execute(url, `SELECT commit_changes('${JSON.stringify(sent).replaceAll("'", "''")}')`)
      const written = yield* rowsOf(url, PLAIN.quotes.replace("ORDER BY", "WHERE quote_id LIKE '%x' ORDER BY"))
      expect(written).toEqual([{ ...known, quote_id: `${known?.["quote_id"]}x` }])
      const histories = yield* rowsOf(
        url,
        "SELECT ordered_at_ms, jsonb_array_length(history) AS entries FROM links WHERE link_id LIKE '%x'"
      )
      expect(histories).toEqual([{ ordered_at_ms: null, entries: expect.any(Number) }])
    })
  )

  it.live("refuses an order of step 048 that credit covers, as a conflict", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      yield* start(url)
      const settled = JSON.stringify({ ledger: [["acc", "led", "settlement"]] })
      const refused = yield* Effect.flip(execute(url, `SELECT commit_changes('${settled}')`))
      expect(String(refused.reason.cause)).toContain("decided on an old version of the schema")
    })
  )
})
