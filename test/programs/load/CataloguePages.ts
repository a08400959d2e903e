// The pages of the catalogue under load: the first, a middle and the last page of several lists, as calls to the service, calls to its
// peer, and statements for pgbench.
import { Schema } from "effect"
import { pageOf } from "#adapters/postgres/ports/catalogue/CatalogueSearch.ts"
import type { PageStart, Sort } from "#core/domain/catalogue/Catalogue.ts"
import type { SiteFilter } from "#core/domain/catalogue/SiteFilters.ts"
import { type Call, HttpConnection } from "./HttpConnection.ts"

const LIMIT = 20

/** A filtered and sorted list: as the domain's filter and as a query string. */
export interface List {
  readonly filter: SiteFilter
  readonly query: Readonly<Record<string, string>>
  readonly sort: Sort
}

export interface Page {
  readonly service: Call
  /** The same page under a cursor that was never sent before, so that it cannot have been kept; `n` is below 2^24. */
  readonly unseen: (n: number) => Call
  readonly handwritten: Call
  /** The statement of the peer, with literal values. */
  readonly sql: string
}

/** Pages of one list, all but the first by cursor. */
export interface Pages {
  readonly first: Page
  readonly middle: Page
  readonly last: Page
}

const decodeAnswer = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      total: Schema.Int,
      next_cursor: Schema.optionalKey(Schema.String),
      sites: Schema.Array(
        Schema.Struct({ id: Schema.Int, tf: Schema.Int, traffic_monthly: Schema.Int, price_eur: Schema.Finite })
      )
    })
  )
)

const literal = (value: unknown): string =>
  typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/** Literal values in place of `$1`, `$2`, …, because pgbench has only its own variables. */
const written = (list: List, start: PageStart): string => {
  const { sql, params } = pageOf({ filter: list.filter, sort: list.sort, start, limit: LIMIT })
  return sql.replaceAll(/\$(\d+)/g, (_, number: string) => literal(params[Number(number) - 1]))
}

const serviceCall = (key: string, { query, sort }: List, more: Readonly<Record<string, string>>): Call => ({
  method: "GET",
  path: `/api/v1/agent/catalog?${new URLSearchParams({ ...query, sort, limit: String(LIMIT), ...more })}`,
  headers: { authorization: `Bearer ${key}` }
})

const peerCall = ({ filter, sort }: List, start: PageStart): Call => ({
  method: "GET",
  path: `/catalog?${new URLSearchParams({ filter: JSON.stringify(filter), sort, start: JSON.stringify(start) })}`,
  headers: {}
})

/** White space behind the JSON of a cursor means nothing: here, the bits of a number. */
const withBits = (json: string, n: number): string =>
  Buffer.from(json + Array.from({ length: 24 }, (_, bit) => ((n >> bit) & 1 ? " " : "\t")).join("")).toString(
    "base64url"
  )

/** Before every site, in every order. */
const BEFORE_ALL = { rank: Number.MIN_SAFE_INTEGER, siteId: Number.MIN_SAFE_INTEGER }

/** The JSON of a cursor, with another position if one is given. */
const cursorJson = (cursor: string, position?: typeof BEFORE_ALL): string => {
  const [kind, filters, own] = JSON.parse(Buffer.from(cursor, "base64url").toString())
  return JSON.stringify([kind, filters, position ?? own])
}

const page = (key: string, list: List, service: Call, start: PageStart, cursor: string): Page => ({
  service,
  unseen: (n) => serviceCall(key, list, { cursor: withBits(cursor, n) }),
  handwritten: peerCall(list, start),
  sql: written(list, start)
})

/** Finds the cursors by reading the pages before. */
export const pagesOf = async (baseUrl: string, key: string, list: List): Promise<Pages> => {
  const connection = new HttpConnection(baseUrl)
  const ask = async (offset: number) => {
    const { status, body } = await connection.send(serviceCall(key, list, { offset: String(offset) }))
    if (status !== 200) throw new Error(`the catalogue answered ${status}: ${body}`)
    return decodeAnswer(body)
  }
  /** The page at `offset`, by the cursor of the page before. */
  const pageAt = async (offset: number): Promise<Page> => {
    const { sites, next_cursor } = await ask(offset - LIMIT)
    const site = sites.at(-1)
    if (site === undefined || next_cursor === undefined) throw new Error(`nothing begins at ${offset}`)
    const ranks: Readonly<Record<Sort, number>> = {
      id: 0,
      price: Math.round(site.price_eur * 100),
      "-tf": -site.tf,
      "-traffic": -site.traffic_monthly
    }
    const start = { kind: "after", sortKey: { rank: ranks[list.sort], siteId: site.id } } as const
    return page(key, list, serviceCall(key, list, { cursor: next_cursor }), start, cursorJson(next_cursor))
  }
  try {
    const { total, next_cursor = "" } = await ask(0)
    const before = cursorJson(next_cursor, BEFORE_ALL)
    const firstPage = page(key, list, serviceCall(key, list, {}), { kind: "offset", offset: 0 }, before)
    return { first: firstPage, middle: await pageAt(Math.floor(total / 2)), last: await pageAt(total - LIMIT) }
  } finally {
    connection.close()
  }
}
