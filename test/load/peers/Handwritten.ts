// The order as one would write it by hand: a route, a pool, one interactive transaction, every statement prepared. Does what the
// service's order does, on tables of its own (`Schema.sql`), and is kept small. Run by `Servers` as a process of its own.
import { createHash } from "node:crypto"
import Fastify from "fastify"
import { Pool, type PoolClient } from "pg"

interface Item {
  readonly site_id: number
  readonly target_url: string
  readonly anchor_text: string
  readonly anchor_type: string
}

interface OrderBody {
  readonly items: readonly [Item]
  readonly promo_code: string
}

const DAILY_ORDER_CAP = 1_000_000_000

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

interface Sold {
  readonly quoteId: string
  readonly orderId: string
  readonly linkId: string
  readonly createdAt: string
  readonly code: string
  readonly grossCents: number
  readonly netCents: number
}

const answerOf = ({ quoteId, orderId, code, grossCents, netCents }: Sold) => ({
  ok: true,
  quote_id: `q_${quoteId}`,
  status: "paid",
  currency: "EUR",
  gross_total_eur: grossCents / 100,
  total_eur: netCents / 100,
  discount_eur: (grossCents - netCents) / 100,
  credit_applied_cents: netCents,
  card_amount_cents: 0,
  discount: {
    source: "promo",
    label: `Promo code ${code}`,
    considered: [{ source: "promo", code, amount_eur: (grossCents - netCents) / 100, applied: true }]
  },
  payment_url: null,
  items_count: 1,
  order_id: `ord_${orderId}`,
  order_status: "paid",
  warnings: [],
  summary: `1 link ordered. ${netCents} cents were paid from prepaid credit; nothing is left to pay by card.`,
  next_action: {
    type: "none",
    tell_user: "The order is paid and under way. Ask for its status whenever you want to know how far it has come."
  },
  sandbox: false
})

const eventOf = ({ quoteId, orderId, linkId, createdAt, netCents }: Sold, item: Item) => ({
  type: "order.accepted",
  api_version: "v1",
  sandbox: false,
  created_at: createdAt,
  data: {
    order: {
      order_id: `ord_${orderId}`,
      quote_id: `q_${quoteId}`,
      order_status: "paid",
      total_eur: netCents / 100,
      created_at: createdAt,
      items: [{ ...item, link_id: `lnk_${linkId}`, net_price_eur: netCents / 100, status: "assigned" }]
    }
  }
})

/** Counts the order and finds out what it costs. */
const price = async (db: PoolClient, key: Row, { items: [item], promo_code }: OrderBody) => {
  await one(
    db,
    new Refused(429, "daily_order_cap_reached"),
    `INSERT INTO tallies (key_id, day, orders) VALUES ($1, current_date, 1)
     ON CONFLICT (key_id, day) DO UPDATE SET orders = tallies.orders + 1 WHERE tallies.orders < $2 RETURNING orders`,
    key["key_id"],
    DAILY_ORDER_CAP
  )
  const unavailable = new Refused(409, "site_unavailable")
  const site = await one(db, unavailable, "SELECT * FROM sites WHERE site_id = $1 AND open", item.site_id)
  const invalid = new Refused(422, "promo_code_invalid")
  const promo = await one(db, invalid, "SELECT basis_points FROM promos WHERE code = $1", promo_code)
  const grossCents = Number(site["price_cents"])
  const netCents = grossCents - Math.round((grossCents * Number(promo["basis_points"])) / 10_000)
  const line = { ...item, domain: site["domain"], shelf: site["shelf"], price_cents: grossCents, net_cents: netCents }
  return { code: promo_code, grossCents, netCents, lines: JSON.stringify([line]) }
}

const quoteSql = `INSERT INTO quotes (key_id, lines, code, gross_cents, total_cents) VALUES ($1, $2, $3, $4, $5)
RETURNING quote_id`
const orderSql = `INSERT INTO orders (quote_id, key_id, total_cents, status) VALUES ($1, $2, $3, 'paid')
RETURNING order_id, created_at::text`
const linkSql = `INSERT INTO links (order_id, site_id, target_url, anchor_text, anchor_type, net_cents, status)
VALUES ($1, $2, $3, $4, $5, $6, 'assigned') RETURNING link_id`
const ledgerSql = "INSERT INTO ledger (account_id, order_id, amount_cents, balance_after_cents) VALUES ($1, $2, $3, $4)"
const eventSql = "INSERT INTO events (order_id, type, body) VALUES ($1, 'order.accepted', $2)"
const bindingSql = `INSERT INTO bindings (key_id, idempotency_key, fingerprint, quote_id, answer)
VALUES ($1, $2, $3, $4, $5)`

/** Writes everything that a paid order comes to, and takes the money. */
const sell = async (db: PoolClient, key: Row, balanceCents: number, body: OrderBody): Promise<Sold> => {
  const [item] = body.items
  const { key_id, account_id } = key
  const { lines, ...priced } = await price(db, key, body)
  const { code, grossCents, netCents } = priced
  const leftCents = balanceCents - netCents
  if (leftCents < 0) throw new Refused(402, "no_credit")
  const { quote_id = "" } = await one(db, bug, quoteSql, key_id, lines, code, grossCents, netCents)
  const { order_id = "", created_at = "" } = await one(db, bug, orderSql, quote_id, key_id, netCents)
  const { site_id, target_url, anchor_text, anchor_type } = item
  const { link_id = "" } = await one(
    db,
    bug,
    linkSql,
    order_id,
    site_id,
    target_url,
    anchor_text,
    anchor_type,
    netCents
  )
  await rowsOf(db, "UPDATE accounts SET balance_cents = $2 WHERE account_id = $1", account_id, leftCents)
  await rowsOf(db, ledgerSql, account_id, order_id, -netCents, leftCents)
  const sold = { ...priced, quoteId: quote_id, orderId: order_id, linkId: link_id, createdAt: created_at }
  await rowsOf(db, eventSql, order_id, JSON.stringify(eventOf(sold, item)))
  return sold
}

/** The answer, of now or of the request that this one repeats. */
const place = async (db: PoolClient, key: Row, idempotencyKey: string, body: OrderBody): Promise<string> => {
  const fingerprint = sha256(JSON.stringify(body))
  const { key_id, account_id } = key
  // The wallet first: whoever spends the same credit waits here.
  const walletSql = "SELECT balance_cents FROM accounts WHERE account_id = $1 FOR UPDATE"
  const { balance_cents } = await one(db, bug, walletSql, account_id)
  const boundSql = "SELECT fingerprint, answer FROM bindings WHERE key_id = $1 AND idempotency_key = $2"
  const [bound] = await rowsOf(db, boundSql, key_id, idempotencyKey)
  if (bound?.["fingerprint"] === fingerprint) return bound["answer"] ?? ""
  if (bound !== undefined) throw new Refused(422, "idempotency_key_reused")
  const sold = await sell(db, key, Number(balance_cents), body)
  const answer = JSON.stringify(answerOf(sold))
  await rowsOf(db, bindingSql, key_id, idempotencyKey, fingerprint, sold.quoteId, answer)
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
    "SELECT key_id, account_id FROM keys WHERE hash = $1 AND NOT revoked AND 'order' = ANY (scopes)",
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
