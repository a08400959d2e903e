// The order written by hand: a route, a pool, one interactive transaction, every statement prepared. It leaves the rows that the
// service's order leaves.
import { createHash, randomBytes } from "node:crypto"
import Fastify from "fastify"
import { Pool, type PoolClient } from "pg"
import { answerOf, discountOf, eventOf, historyOf, type Item, linesOf, type Priced, type Sold } from "./OrderJson.ts"

interface OrderBody {
  readonly items: readonly [Item]
  readonly promo_code: string
}

const DAILY_ORDER_CAP = 1_000_000_000
const DAY_MS = 86_400_000

const body = {
  type: "object",
  additionalProperties: false,
  required: ["items", "promo_code"],
  properties: {
    promo_code: { type: "string", maxLength: 64 },
    items: {
      type: "array",
      minItems: 1,
      maxItems: 1,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["site_id", "target_url", "anchor_text", "anchor_type"],
        properties: {
          site_id: { type: "integer" },
          target_url: { type: "string", format: "uri", maxLength: 2_048 },
          anchor_text: { type: "string", minLength: 1, maxLength: 120 },
          anchor_type: { enum: ["exact", "partial", "branded", "generic", "naked_url"] }
        }
      }
    }
  }
} as const

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

class Refused extends Error {
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

const pool = new Pool({
  connectionString: process.env["DATABASE_URL"],
  max: Number(process.env["DATABASE_POOL"] ?? 20)
})

type Row = Readonly<Record<string, string>>

const names = new Map<string, string>()

/** A statement is prepared once for each connection, under a short name. */
const rowsOf = async (client: Pool | PoolClient, text: string, ...values: ReadonlyArray<unknown>) => {
  const name = names.get(text) ?? `statement ${names.size}`
  names.set(text, name)
  return (await client.query<Row>({ name, text, values: [...values] })).rows
}

const one = async (client: Pool | PoolClient, refusal: Refused, text: string, ...values: ReadonlyArray<unknown>) => {
  const [row] = await rowsOf(client, text, ...values)
  if (row === undefined) throw refusal
  return row
}

const bug = new Refused(500, "internal_error")

/** The common part of an order's ids. They sort after those of the seeded data. */
const stemAt = (atMs: number): string =>
  `02${atMs.toString(16).padStart(11, "0")}${randomBytes(8).toString("hex").slice(1)}`

const price = async (db: PoolClient, { items: [{ site_id }], promo_code }: OrderBody): Promise<Priced> => {
  const unavailable = new Refused(409, "site_unavailable")
  const siteSql = "SELECT domain, shelf, price_cents FROM sites WHERE site_id = $1 AND open"
  const { domain = "", shelf = "", price_cents } = await one(db, unavailable, siteSql, site_id)
  const invalid = new Refused(422, "promo_code_invalid")
  const promo = await one(db, invalid, "SELECT reduction_value FROM promos WHERE code = $1", promo_code)
  const grossCents = Number(price_cents)
  const netCents = grossCents - Math.round((grossCents * Number(promo["reduction_value"])) / 10_000)
  return { code: promo_code, domain, shelf, grossCents, netCents }
}

const tallySql = `INSERT INTO tallies (key_id, day, quotes, spent_cents) VALUES ($1, $2, 1, $3)
ON CONFLICT (key_id, day) DO UPDATE SET quotes = tallies.quotes + 1, spent_cents = tallies.spent_cents + EXCLUDED.spent_cents
WHERE tallies.quotes < $4 RETURNING quotes`
const walletSql = "UPDATE accounts SET balance_cents = $2, previous = version, version = $3 WHERE account_id = $1"
const quoteSql = `INSERT INTO quotes (quote_id, account_id, key_id, mode, lines, items_digest, gross_cents, discount, total_cents,
  credit_cents, card_cents, warnings, status, order_id, credited_cents, idempotency_key, payment_token, created_at_ms,
  expires_at_ms)
VALUES ($1, $2, $3, 'live', $4, $5, $6, $7, $8, $8, 0, '[]', 'paid', $9, 0, $10, $11, $12, $13)`
const promoSql = "INSERT INTO promo_uses (code, quote_id, account_id) VALUES ($1, $2, $3)"
const orderSql = `INSERT INTO orders (order_id, quote_id, account_id, key_id, mode, link_ids, total_cents, created_at_ms, status)
VALUES ($1, $2, $3, $4, 'live', $5, $6, $7, 'paid')`
const linkSql = `INSERT INTO links (link_id, order_id, quote_id, account_id, mode, index, site_id, domain, shelf, format, target_url,
  anchor_text, anchor_type, tier2_links, price_cents, net_cents, status, history, host_path, turnaround_days)
VALUES ($1, $2, $3, $4, 'live', 0, $5, $6, $7, 'new_article', $8, $9, $10, 0, $11, $12, 'assigned', $13, $14,
  CASE $7 WHEN 'Plancton' THEN 3 WHEN 'Corail' THEN 7 ELSE 14 END)`
const ledgerSql = `INSERT INTO ledger (account_id, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents,
  balance_after_cents, held_after_cents, quote_id, order_id, at_ms)
VALUES ($1, $2, 'capture', $3, -$3::bigint, 0, $4, $5, $6, $7, $8)`
const eventSql = `INSERT INTO events (event_id, type, mode, key_id, account_id, order_id, body, at_ms)
VALUES ($1, 'order.accepted', 'live', $2, $3, $4, $5, $6)`
const bindingSql = `INSERT INTO bindings (key_id, idempotency_key, fingerprint, quote_id, answer_status, answer_body, bound_at_ms)
VALUES ($1, $2, $3, $4, 201, $5, $6)`

/** The target's host, largest part first. */
const hostPath = (url: string): string => `${new URL(url).hostname.split(".").toReversed().join(".")}.`

/** Writes all rows of a paid order, and takes the money. */
const sell = async (db: PoolClient, key: Row, wallet: Row, idempotencyKey: string, body: OrderBody): Promise<Sold> => {
  const [item] = body.items
  const { key_id, account_id } = key
  const atMs = Date.now()
  const idPrefix = stemAt(atMs)
  const sold: Sold = { ...(await price(db, body)), idPrefix, atMs }
  const { code, domain, shelf, grossCents, netCents } = sold
  const [quoteId, orderId, linkId] = [`q_${idPrefix}`, `ord_${idPrefix}`, `lnk_${idPrefix}`]
  const [heldCents, leftCents] = [Number(wallet["held_cents"]), Number(wallet["balance_cents"]) - netCents]
  if (leftCents < heldCents) throw new Refused(402, "no_credit")
  const capped = new Refused(429, "daily_order_cap_reached")
  await one(db, capped, tallySql, key_id, Math.floor(atMs / DAY_MS), netCents, DAILY_ORDER_CAP)
  await rowsOf(db, walletSql, account_id, leftCents, idPrefix)
  const digest = sha256(JSON.stringify(body.items))
  const quoted = [quoteId, account_id, key_id, linesOf(sold, item), digest, grossCents, discountOf(sold), netCents]
  const token = randomBytes(16).toString("hex")
  await rowsOf(db, quoteSql, ...quoted, orderId, idempotencyKey, token, atMs, atMs + DAY_MS)
  await rowsOf(db, promoSql, code, quoteId, account_id)
  await rowsOf(db, orderSql, orderId, quoteId, account_id, key_id, [linkId], netCents, atMs)
  const { site_id, target_url, anchor_text, anchor_type } = item
  const placed = [linkId, orderId, quoteId, account_id, site_id, domain, shelf, target_url, anchor_text, anchor_type]
  await rowsOf(db, linkSql, ...placed, grossCents, netCents, historyOf(sold), hostPath(target_url))
  const captured = [account_id, `led_${idPrefix}`, netCents, leftCents, heldCents, quoteId, orderId, atMs]
  await rowsOf(db, ledgerSql, ...captured)
  await rowsOf(db, eventSql, `evt_${idPrefix}`, key_id, account_id, orderId, eventOf(sold, item), atMs)
  return sold
}

/** The response to this request, or the stored one of the request that it repeats. */
const place = async (db: PoolClient, key: Row, idempotencyKey: string, body: OrderBody): Promise<string> => {
  const fingerprint = sha256(JSON.stringify(body))
  const { key_id, account_id } = key
  // The wallet first: other orders of the same credit wait here.
  const lockSql = "SELECT balance_cents, held_cents FROM accounts WHERE account_id = $1 FOR UPDATE"
  const wallet = await one(db, bug, lockSql, account_id)
  const boundSql = "SELECT fingerprint, answer_body FROM bindings WHERE key_id = $1 AND idempotency_key = $2"
  const [bound] = await rowsOf(db, boundSql, key_id, idempotencyKey)
  if (bound?.["fingerprint"] === fingerprint) return bound["answer_body"] ?? ""
  if (bound !== undefined) throw new Refused(422, "idempotency_key_reused")
  const sold = await sell(db, key, wallet, idempotencyKey, body)
  const answer = answerOf(sold)
  await rowsOf(db, bindingSql, key_id, idempotencyKey, fingerprint, `q_${sold.idPrefix}`, answer, sold.atMs)
  return answer
}

const inTransaction = async <A>(work: (db: PoolClient) => Promise<A>): Promise<A> => {
  const db = await pool.connect()
  try {
    await db.query("BEGIN")
    const result = await work(db)
    await db.query("COMMIT")
    return result
  } catch (error) {
    await db.query("ROLLBACK")
    throw error
  } finally {
    db.release()
  }
}

const app = Fastify()

app.post<{ Body: OrderBody }>("/api/v1/agent/orders", { schema: { body } }, async (request, reply) => {
  const { authorization = "", "idempotency-key": idempotencyKey } = request.headers
  const key = await one(
    pool,
    new Refused(401, "invalid_api_key"),
    "SELECT key_id, account_id FROM keys WHERE hash = $1 AND revoked_at_ms IS NULL AND 'order' = ANY (scopes)",
    sha256(authorization.replace("Bearer ", ""))
  )
  const answer = await inTransaction((db) => place(db, key, String(idempotencyKey), request.body))
  return reply.code(201).type("application/json").send(answer)
})

process.once("SIGTERM", async () => {
  await app.close()
  await pool.end()
})

console.log(`listening on ${await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"] ?? 0) })}`)
