// Decodes what a query for books selected: the books that a decision reads, and the versions of their rows.
import { HashMap, identity, Schema } from "effect"
import { type Books, bindingId, dailyUsageId, emptyBooks } from "#core/decisions/Books.ts"
import type { Promo } from "#core/domain/Promo.ts"
import { welcomeUseId } from "#core/domain/WelcomeUse.ts"
import { accountOf, accounts, dailyUsage, keyOf, keys, members, topUps } from "../rows/AccountRows.ts"
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
import {
  bindingOf,
  bindings,
  entryOf,
  holds,
  ledger,
  links,
  orders,
  payments,
  reversals,
  setAside,
  welcomeUseOf,
  welcomeUses
} from "../rows/OrderRows.ts"
import { quotes } from "../rows/QuoteRows.ts"
import { Integer, Text } from "../rows/Table.ts"

/** Missing where the query does not select the table; `null` if it found no rows. */
const optionalRows = <Row extends Schema.Top>(row: Row) => Schema.optionalKey(Schema.NullOr(Schema.Array(row)))

const Loaded = Schema.Struct({
  nowMs: Integer,
  shop: Schema.Struct({ version: Text, fulfilment: Schema.NullOr(Schema.Literals(["auto", "manual"])) }),
  accounts: optionalRows(accounts.schema),
  members: optionalRows(members.schema),
  topUps: optionalRows(topUps.schema),
  keys: optionalRows(keys.schema),
  dailyUsage: optionalRows(dailyUsage.schema),
  subscriptions: optionalRows(versionedSubscriptions.schema),
  deliveries: optionalRows(versionedDeliveries.schema),
  sites: optionalRows(versionedSites.schema),
  articles: optionalRows(versionedArticles.schema),
  promos: optionalRows(PromoInUse),
  welcomeUses: optionalRows(welcomeUses.schema),
  projects: optionalRows(versionedProjects.schema),
  opportunities: optionalRows(versionedOpportunities.schema),
  quotes: optionalRows(quotes.schema),
  holds: optionalRows(holds.schema),
  ledger: optionalRows(ledger.schema),
  payments: optionalRows(payments.schema),
  setAside: optionalRows(setAside.schema),
  reversals: optionalRows(reversals.schema),
  orders: optionalRows(orders.schema),
  links: optionalRows(links.schema),
  bindings: optionalRows(bindings.schema),
  linked: optionalRows(Text)
})

const decode = Schema.decodeUnknownSync(Schema.Struct({ books: Loaded }))

/** The loaded version of each row, by id. */
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
    /** Versions of the endpoints' health, by subscription. */
    readonly endpoints: Versions<string>
    readonly deliveries: Versions<string>
  }
  /** Each promotion as each account sees it, by `promoId`; the books have only one view of it. */
  readonly promos: ReadonlyMap<string, Promo>
  /** How often each limited promotion was redeemed, without reservations. */
  readonly redeemed: ReadonlyMap<string, number>
}

type Rows<Row> = ReadonlyArray<Row> | null | undefined

const byId = <Row, Id, A>(rows: Rows<Row>, id: (row: Row) => Id, make: (row: Row) => A): HashMap.HashMap<Id, A> =>
  rows == null ? HashMap.empty() : HashMap.fromIterable(rows.map((row) => [id(row), make(row)] as const))

const versionsOf = <Row extends { readonly version: string }, Id>(rows: Rows<Row>, id: (row: Row) => Id) =>
  new Map(rows?.map((row) => [id(row), row.version] as const))

const withoutVersion = <Row extends { readonly version: string }>({ version: _, ...row }: Row): Omit<Row, "version"> =>
  row

const booksOf = (loaded: typeof Loaded.Type): Books => ({
  ...emptyBooks,
  fulfilment: loaded.shop.fulfilment,
  accounts: byId(loaded.accounts, (row) => row.accountId, accountOf),
  members: byId(loaded.members, (row) => row.memberId, identity),
  topUps: byId(loaded.topUps, (row) => row.topUpId, identity),
  keys: byId(loaded.keys, (row) => row.keyId, keyOf),
  dailyUsage: byId(loaded.dailyUsage, (row) => dailyUsageId(row.keyId, row.day), identity),
  subscriptions: byId(loaded.subscriptions, (row) => row.webhookId, subscriptionOf),
  deliveries: byId(loaded.deliveries, (row) => row.deliveryId, withoutVersion),
  sites: byId(loaded.sites, (row) => row.siteId, withoutVersion),
  articles: byId(loaded.articles, (row) => row.articleId, articleOf),
  promos: byId(loaded.promos, (row) => row.promo.code, promoOf),
  welcomeUses: HashMap.fromIterable(
    (loaded.welcomeUses ?? []).map((row) => {
      const use = welcomeUseOf(row)
      return [welcomeUseId(use.domain, use.accountId), use] as const
    })
  ),
  projects: byId(loaded.projects, (row) => row.projectId, withoutVersion),
  opportunities: byId(loaded.opportunities, (row) => row.opportunityId, withoutVersion),
  quotes: byId(loaded.quotes, (row) => row.quoteId, identity),
  holds: byId(loaded.holds, (row) => row.holdId, identity),
  ledger: byId(loaded.ledger, (row) => row.entryId, entryOf),
  payments: byId(loaded.payments, (row) => row.paymentId, identity),
  setAside: byId(loaded.setAside, (row) => row.paymentId, identity),
  reversals: byId(loaded.reversals, (row) => row.reversalId, identity),
  orders: byId(loaded.orders, (row) => row.orderId, identity),
  links: byId(loaded.links, (row) => row.linkId, identity),
  bindings: byId(loaded.bindings, (row) => bindingId(row.keyId, row.idempotencyKey), bindingOf),
  linked: new Set(loaded.linked)
})

/** Throws on rows of another shape: that is a defect of the service. */
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
