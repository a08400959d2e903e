// The books that a decision reads, as a query selected them, with the versions of their rows; and what it writes: the difference of the
// books before and after it, over those versions.
import { HashMap, Schema } from "effect"
import { type Books, emptyBooks, type IdIn, idOf } from "#core/decisions/Books.ts"
import { type Difference, difference } from "#core/decisions/Difference.ts"
import type { SiteDomains } from "#core/domain/catalogue/SiteDomain.ts"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import { Fulfilment } from "#core/domain/ShopSettings.ts"
import { decoderOf } from "../database/Queries.ts"
import { type BookTable, bookTables, versionedTables } from "../rows/BookTables.ts"
import { PromoInUse, promoId, promoOf } from "../rows/CatalogueRows.ts"
import { Integer, Text } from "../rows/Table.ts"

/** Missing where the query does not select the table; `null` if it found no rows. */
const optionalRows = <Row extends Schema.Top>(row: Row) => Schema.optionalKey(Schema.NullOr(Schema.Array(row)))

type LoadedName = keyof typeof bookTables
export type VersionedName = keyof typeof versionedTables

const tables = Object.entries<BookTable>(bookTables)

const decode = decoderOf(
  Schema.Struct({
    books: Schema.StructWithRest(
      Schema.Struct({
        nowMs: Integer,
        shop: Schema.Struct({ version: Text, fulfilment: Schema.NullOr(Fulfilment) }),
        promos: optionalRows(PromoInUse),
        linked: optionalRows(Text),
        siteDomains: Schema.optionalKey(
          Schema.NullOr(
            Schema.Struct({
              stem: Text,
              bySite: Schema.NullOr(Schema.Array(Schema.Tuple([Integer, Text]))),
              ordered: Schema.NullOr(Schema.Array(Integer))
            })
          )
        )
      }),
      // The rows of `bookTables`, which each table decodes.
      [Schema.Record(Text, Schema.Unknown)]
    )
  })
)

type Id = string | number

/** The loaded version of each row, by id. */
type Versions<Key extends Id> = ReadonlyMap<Key, string>

export interface LoadedBooks {
  /** The database's time when the books were read. */
  readonly nowMs: number
  readonly books: Books
  readonly versions: { readonly [Name in VersionedName]: Versions<IdIn<Name>> } & {
    readonly shop: string
    readonly promos: Versions<string>
    /** Versions of the endpoints' health, by subscription. */
    readonly endpoints: Versions<string>
  }
  /** Each promotion as each account sees it, or as all do, by `promoId`; the books have only one view of it. */
  readonly promos: ReadonlyMap<string, Promo>
}

const noVersions = Object.fromEntries(Object.keys(versionedTables).map((name) => [name, new Map<Id, string>()]))

/** The rows of each table that the query selected, by their ids, and their versions. */
const rowsById = (loaded: Readonly<Record<string, unknown>>) => {
  const rows: Record<string, HashMap.HashMap<Id, unknown>> = {}
  const versions: Record<string, Map<Id, string>> = { ...noVersions }
  const endpoints = new Map<string, string>()
  for (const [name, table] of tables) {
    if (loaded[name] == null) continue
    const found = table.decode(loaded[name])
    // What names the rows that this table has decoded.
    const id = idOf(name as LoadedName) as (row: unknown) => Id
    rows[name] = HashMap.mutate(HashMap.empty<Id, unknown>(), (byId) => {
      for (const [row] of found) HashMap.set(byId, id(row), row)
    })
    if (name in versionedTables) versions[name] = new Map(found.map(([row, version = ""]) => [id(row), version]))
    if (name === "subscriptions") for (const [row, , health = ""] of found) endpoints.set(String(id(row)), health)
  }
  return { rows, versions, endpoints }
}

const siteDomainsOf = (found: {
  readonly stem: string
  readonly bySite: ReadonlyArray<readonly [siteId: number, domain: string]> | null
  readonly ordered: ReadonlyArray<number> | null
}): SiteDomains => ({ stem: found.stem, bySite: new Map(found.bySite), ordered: new Set(found.ordered) })

/** Throws on rows of another shape: that is a defect of the service. */
export const loadedBooks = (row: unknown): LoadedBooks => {
  const { books: loaded } = decode(row)
  const { nowMs, shop } = loaded
  const { rows, versions, endpoints } = rowsById(loaded)
  const views = (loaded.promos ?? []).map((view) => ({ ...view, seen: promoOf(view) }))
  return {
    nowMs,
    books: {
      ...emptyBooks,
      // Tables of the books by their names, decoded as such.
      ...(rows as Partial<Pick<Books, LoadedName>>),
      promos: HashMap.fromIterable(views.map(({ seen }) => [seen.code, seen] as const)),
      fulfilment: shop.fulfilment,
      linked: new Set(loaded.linked),
      ...(loaded.siteDomains == null ? {} : { siteDomains: siteDomainsOf(loaded.siteDomains) })
    },
    versions: {
      // Each versioned table has its map, with ids of its rows.
      ...(versions as unknown as { readonly [Name in VersionedName]: Versions<IdIn<Name>> }),
      shop: shop.version,
      promos: new Map(views.map(({ promo, version }) => [promo.code, version] as const)),
      endpoints
    },
    promos: new Map(views.map(({ seen, accountId }) => [promoId(seen.code, accountId), seen] as const))
  }
}

export interface WriteContext {
  readonly loaded: LoadedBooks
  readonly after: Books
  readonly changed: Difference
  /** The id prefix of the decision, which becomes the version of every row that it writes. */
  readonly version: string
}

/** `after` are the loaded books with the decision's changes applied. */
export const makeWriteContext = (loaded: LoadedBooks, after: Books, version: string): WriteContext => ({
  loaded,
  after,
  changed: difference(loaded.books, after),
  version
})
