// What a decision is shown, made from the rows that its query brought, with the version of every row that others may decide on.
import { HashMap, Schema } from "effect"
import { type Books, bindingId, dailyUsageId, emptyBooks } from "#core/decisions/Books.ts"
import type { Promo } from "#core/domain/Promo.ts"
import { accountOf, accounts, keyOf, keys, tallies } from "../rows/AccountRows.ts"
import {
  articleOf,
  PromoInUse,
  promoId,
  promoOf,
  versionedArticles,
  versionedOpportunities,
  versionedProjects,
  versionedSites
} from "../rows/CatalogueRows.ts"
import { subscriptionOf, versionedDeliveries, versionedSubscriptions } from "../rows/DeliveryRows.ts"
import { bindingOf, bindings, entryOf, holds, ledger, links, orders, payments, quotes } from "../rows/OrderRows.ts"
import { Integer, Text } from "../rows/Table.ts"

/** A shelf that a query does not name, or that it found empty. */
const shelf = <Row extends Schema.Top>(row: Row) => Schema.optionalKey(Schema.NullOr(Schema.Array(row)))

const Loaded = Schema.Struct({
  nowMs: Integer,
  shop: Schema.Struct({ version: Text, fulfilment: Schema.NullOr(Schema.Literals(["auto", "manual"])) }),
  accounts: shelf(accounts.schema),
  keys: shelf(keys.schema),
  tallies: shelf(tallies.schema),
  subscriptions: shelf(versionedSubscriptions.schema),
  deliveries: shelf(versionedDeliveries.schema),
  sites: shelf(versionedSites.schema),
  articles: shelf(versionedArticles.schema),
  promos: shelf(PromoInUse),
  projects: shelf(versionedProjects.schema),
  opportunities: shelf(versionedOpportunities.schema),
  quotes: shelf(quotes.schema),
  holds: shelf(holds.schema),
  ledger: shelf(ledger.schema),
  payments: shelf(payments.schema),
  orders: shelf(orders.schema),
  links: shelf(links.schema),
  bindings: shelf(bindings.schema),
  linked: shelf(Text)
})

const decode = Schema.decodeUnknownSync(Schema.Struct({ books: Loaded }))

/** The version that was loaded, by id; what has none here was not there. */
type Versions<Id> = ReadonlyMap<Id, string>

export interface LoadedBooks {
  /** The database's time when the books were read. */
  readonly nowMs: number
  readonly books: Books
  readonly versions: {
    readonly shop: string
    readonly accounts: Versions<string>
    readonly promos: Versions<string>
    readonly sites: Versions<number>
    readonly articles: Versions<number>
    readonly projects: Versions<string>
    readonly opportunities: Versions<string>
    readonly subscriptions: Versions<string>
    /** Of the endpoints of these subscriptions. */
    readonly endpoints: Versions<string>
    readonly deliveries: Versions<string>
  }
  /** Each promotion as each account needs it that was asked about, by `promoId`; the books have it as one of them does. */
  readonly promos: ReadonlyMap<string, Promo>
  /** How often each limited promotion was redeemed, without what is only reserved. */
  readonly redeemed: ReadonlyMap<string, number>
}

type Rows<Row> = ReadonlyArray<Row> | null | undefined

const shelved = <Row, Id, A>(rows: Rows<Row>, id: (row: Row) => Id, make: (row: Row) => A): HashMap.HashMap<Id, A> =>
  rows == null ? HashMap.empty() : HashMap.fromIterable(rows.map((row) => [id(row), make(row)] as const))

const versionsOf = <Row extends { readonly version: string }, Id>(rows: Rows<Row>, id: (row: Row) => Id) =>
  new Map(rows?.map((row) => [id(row), row.version] as const))

const same = <A>(row: A): A => row

const plain = <Row extends { readonly version: string }>({ version: _, ...row }: Row): Omit<Row, "version"> => row

const booksOf = (loaded: typeof Loaded.Type): Books => ({
  ...emptyBooks,
  fulfilment: loaded.shop.fulfilment,
  accounts: shelved(loaded.accounts, (row) => row.accountId, accountOf),
  keys: shelved(loaded.keys, (row) => row.keyId, keyOf),
  dailyUsage: shelved(loaded.tallies, (row) => dailyUsageId(row.keyId, row.day), same),
  subscriptions: shelved(loaded.subscriptions, (row) => row.webhookId, subscriptionOf),
  deliveries: shelved(loaded.deliveries, (row) => row.deliveryId, plain),
  sites: shelved(loaded.sites, (row) => row.siteId, plain),
  articles: shelved(loaded.articles, (row) => row.articleId, articleOf),
  promos: shelved(loaded.promos, (row) => row.promo.code, promoOf),
  projects: shelved(loaded.projects, (row) => row.projectId, plain),
  opportunities: shelved(loaded.opportunities, (row) => row.opportunityId, plain),
  quotes: shelved(loaded.quotes, (row) => row.quoteId, same),
  holds: shelved(loaded.holds, (row) => row.holdId, same),
  ledger: shelved(loaded.ledger, (row) => row.entryId, entryOf),
  payments: shelved(loaded.payments, (row) => row.paymentId, same),
  orders: shelved(loaded.orders, (row) => row.orderId, same),
  links: shelved(loaded.links, (row) => row.linkId, same),
  bindings: shelved(loaded.bindings, (row) => bindingId(row.keyId, row.idempotencyKey), bindingOf),
  linked: new Set(loaded.linked)
})

/** Throws on rows that are not what the tables promise: a mistake of the service's own. */
export const loadedBooks = (row: unknown): LoadedBooks => {
  const { books: loaded } = decode(row)
  const promos = loaded.promos?.map(({ promo }) => promo)
  return {
    nowMs: loaded.nowMs,
    books: booksOf(loaded),
    versions: {
      shop: loaded.shop.version,
      accounts: versionsOf(loaded.accounts, (row) => row.accountId),
      promos: versionsOf(promos, (row) => row.code),
      sites: versionsOf(loaded.sites, (row) => row.siteId),
      articles: versionsOf(loaded.articles, (row) => row.articleId),
      projects: versionsOf(loaded.projects, (row) => row.projectId),
      opportunities: versionsOf(loaded.opportunities, (row) => row.opportunityId),
      subscriptions: versionsOf(loaded.subscriptions, (row) => row.webhookId),
      endpoints: new Map(loaded.subscriptions?.map((row) => [row.webhookId, row.healthVersion] as const)),
      deliveries: versionsOf(loaded.deliveries, (row) => row.deliveryId)
    },
    promos: new Map(loaded.promos?.map((row) => [promoId(row.promo.code, row.accountId), promoOf(row)] as const)),
    redeemed: new Map(promos?.map(({ code, redeemed }) => [code, redeemed] as const))
  }
}
