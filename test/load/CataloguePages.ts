// The pages of the catalogue that the load turns: the first, one in the middle and the last of several lists, as the service is asked
// for them, as its peer is, and as pgbench is.
import { Schema } from "effect"
import { pageOf } from "#adapters/postgres/CatalogueSearch.ts"
import type { PageStart, SiteFilter, Sort } from "#core/domain/Catalogue.ts"
import { type Call, Line } from "./HttpConnection.ts"

const LIMIT = 20

/** A list to be paged through: as the domain narrows it down, and as it is asked for. */
export interface List {
  readonly filter: SiteFilter
  readonly query: Readonly<Record<string, string>>
  readonly sort: Sort
}

export interface Page {
  readonly service: Call
  readonly handwritten: Call
  /** The statement behind both, with its values written out. */
  readonly sql: string
}

/** Pages of one list, each asked for by position but the first. */
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

/** Values in place of `$1`, `$2`, …: pgbench has no parameters of other kinds than its own variables. */
const written = (list: List, start: PageStart): string => {
  const { sql, params } = pageOf(list.filter, list.sort, start, LIMIT)
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

const page = (list: List, service: Call, start: PageStart): Page => ({
  service,
  handwritten: peerCall(list, start),
  sql: written(list, start)
})

/** Finds out where pages begin by asking the service for those before them. */
export const pagesOf = async (baseUrl: string, key: string, list: List): Promise<Pages> => {
  const line = new Line(baseUrl)
  const ask = async (offset: number) => {
    const { status, body } = await line.send(serviceCall(key, list, { offset: String(offset) }))
    if (status !== 200) throw new Error(`the catalogue answered ${status}: ${body}`)
    return decodeAnswer(body)
  }
  /** The page that begins at `offset`, asked for by the cursor of the one before. */
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
    return page(list, serviceCall(key, list, { cursor: next_cursor }), start)
  }
  try {
    const { total } = await ask(0)
    const firstPage = page(list, serviceCall(key, list, {}), { kind: "offset", offset: 0 })
    return { first: firstPage, middle: await pageAt(Math.floor(total / 2)), last: await pageAt(total - LIMIT) }
  } finally {
    line.close()
  }
}
