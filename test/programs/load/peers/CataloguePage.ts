// The catalogue written by hand: the service's own SQL for a page with its sites, on its own tables behind Fastify, with the same JSON. It
// has no keys, limits or cursors, and counts the total of a filter once.
import Fastify from "fastify"
import { Pool } from "pg"
import { countOf, pageOf } from "#adapters/postgres/ports/catalogue/CatalogueSearch.ts"
import type { PageStart, Sort } from "#core/domain/catalogue/Catalogue.ts"
import type { SiteFilter } from "#core/domain/catalogue/SiteFilters.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"

interface Question {
  readonly filter: string
  readonly sort: Sort
  readonly start: string
}

/** In the order of the statement. */
type SiteRow = readonly [
  siteId: number,
  domain: string,
  nicheLabel: string,
  language: string,
  tf: number,
  cf: number,
  rd: number,
  mozDa: number,
  rankedKeywords: number,
  trafficMonthly: number,
  shelf: string,
  linkRel: string
]

const LIMIT = 20

const prices: Readonly<Record<string, number>> = Object.fromEntries(
  SHELVES.map(({ shelf, priceCents }) => [shelf, priceCents / 100])
)
/** Days of the default settings. */
const turnarounds: Readonly<Record<string, number>> = { Plancton: 3, Corail: 7, Nautilus: 14 }
const shelves = SHELVES.map(({ shelf, priceCents, criterion }) => ({ shelf, price_eur: priceCents / 100, criterion }))

const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 10 })

const totals = new Map<string, number>()

const totalOf = async (filter: SiteFilter, name: string): Promise<number> => {
  const known = totals.get(name)
  if (known !== undefined) return known
  const { sql, params } = countOf({ filter })
  const { rows } = await pool.query<{ readonly total: number }>(sql, [...params])
  const total = rows[0]?.total ?? 0
  totals.set(name, total)
  return total
}

const show = ([siteId, domain, nicheLabel, language, tf, , , , , trafficMonthly, shelf, linkRel]: SiteRow) => ({
  id: siteId,
  domain,
  niche_label: nicheLabel,
  language,
  tf,
  traffic_monthly: trafficMonthly,
  price_eur: prices[shelf],
  price_shelf: shelf,
  link_rel: linkRel,
  turnaround_days: turnarounds[shelf]
})

const names = new Map<string, string>()

/** Statements are prepared once for each connection; few differ. */
const nameOf = (sql: string): string => {
  const name = names.get(sql) ?? `page ${names.size}`
  names.set(sql, name)
  return name
}

const app = Fastify()

app.get<{ Querystring: Question }>("/catalog", async (request, reply) => {
  const { filter: wanted, sort, start: begin } = request.query
  // Sent by the load, in the shape that makes the statement.
  const [filter, start] = [JSON.parse(wanted) as SiteFilter, JSON.parse(begin) as PageStart]
  const { sql, params } = pageOf({ filter, sort, start, limit: LIMIT })
  const { rows } = await pool.query<{ readonly sites: ReadonlyArray<SiteRow> | null }>({
    name: nameOf(sql),
    text: sql,
    values: [...params]
  })
  const found = rows[0]?.sites ?? []
  const sites = found.slice(0, LIMIT).map(show)
  const next_cursor = found.length > LIMIT ? Buffer.from(JSON.stringify(sites.at(-1)?.id)).toString("base64url") : null
  const total = await totalOf(filter, wanted)
  const answer = { ok: true, count: sites.length, total, sites, shelves, next_cursor, sandbox: false }
  return reply.type("application/json").send(JSON.stringify(answer))
})

process.once("SIGTERM", async () => {
  await app.close()
  await pool.end()
})

console.log(`listening on ${await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"] ?? 0) })}`)
