// After any sequence of commands, the incrementally updated indexes equal indexes built from scratch.
import { Effect, HashMap, Layer } from "effect"
import fc from "fast-check"
import { describe, expect } from "vitest"
import { indexEntriesOf, type Row } from "#adapters/memory/books/IndexEntries.ts"
import { type IndexKey, indexKeys } from "#adapters/memory/books/IndexKeys.ts"
import { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import { compareEntries, type Entry } from "#adapters/memory/books/SortedSet.ts"
import { layer as memoryStore } from "#adapters/memory/MemoryStore.ts"
import { revokeKey } from "#core/decisions/access/Keys.ts"
import { type Books, emptyBooks } from "#core/decisions/Books.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { hostIsWithin } from "#core/domain/pricing/Cart.ts"
import { AccountId, DeliveryId, LinkId, OrderId, QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { insertion, item } from "#test/core/Given.ts"
import {
  abandon,
  addSubscription,
  cancelLinkById,
  cancelOrderById,
  moveLinkTo,
  pay,
  revokeSubscription,
  storeSessionOf
} from "#test/core/ports/ordering/OrderSteps.ts"
import {
  actor,
  type Buyer,
  buyer,
  createOpportunity,
  createProject,
  expiredQuoteSettings,
  listArticle,
  listSite,
  plainSettings,
  submitOrder
} from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { recordNow } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { effectProperty, property } from "#test/Property.ts"

const tables = [
  "accounts",
  "quotes",
  "orders",
  "links",
  "holds",
  "ledger",
  "payments",
  "keys",
  "subscriptions",
  "deliveries",
  "bindings",
  "events",
  "projects",
  "opportunities"
] as const

const rowsOf = (books: Books): ReadonlyArray<Row> => [
  ...tables.flatMap((table) => Array.from(HashMap.keys<string, unknown>(books[table]), (id): Row => ({ table, id }))),
  ...Array.from(HashMap.keys(books.articles), (id): Row => ({ table: "articles", id: String(id) }))
]

/** Every index key and its entries, from the rows alone. */
const fromScratch = (books: Books): ReadonlyMap<IndexKey<string>, ReadonlyArray<Entry>> => {
  const found = new Map<IndexKey<string>, Array<Entry>>()
  for (const row of rowsOf(books)) {
    for (const { key, score } of indexEntriesOf(books, row)) {
      found.set(key, [...(found.get(key) ?? []), { score, id: row.id }])
    }
  }
  for (const entries of found.values()) entries.sort(compareEntries)
  return found
}

interface Command {
  readonly do: (typeof kinds)[number]
  readonly nth: number
}

const kinds = [
  "order",
  "order insertion",
  "order expired quote",
  "order with idempotency key",
  "order in sandbox",
  "store session",
  "pay",
  "abandon",
  "expire",
  "draft",
  "publish",
  "verify",
  "cancel link",
  "cancel order",
  "subscribe",
  "unsubscribe",
  "deliver",
  "fail delivery",
  "revoke key",
  "list article"
] as const

const commands = fc.array(fc.record<Command>({ do: fc.constantFrom(...kinds), nth: fc.nat(1_000) }), {
  minLength: 1,
  maxLength: 15
})

const pick = <A>(all: ReadonlyArray<A>, nth: number): A | undefined => all[nth % all.length]

const setUp = Effect.gen(function* () {
  const buyers = [yield* buyer(1_200), yield* buyer(0), yield* buyer(0, { mode: "sandbox" })]
  const sites = [yield* listSite(), yield* listSite({ shelf: "Nautilus" })]
  const articles = [yield* listArticle(sites[0]?.siteId ?? 0), yield* listArticle(sites[1]?.siteId ?? 0)]
  for (const { caller } of buyers) yield* addSubscription(caller)
  const { projectId } = yield* createProject(buyers[0]?.account.accountId ?? AccountId.make(""))
  const { opportunityId } = yield* createOpportunity(projectId)
  return { buyers, sites, articles, projectId, opportunityId }
})

type Shop = Effect.Success<typeof setUp>

/** Executes a command; one that makes no sense in the current state is refused and changes nothing. */
const execute = Effect.fnUntraced(function* ({ do: kind, nth }: Command, shop: Shop) {
  const book = yield* OrderBook
  const { current } = yield* MemoryBooks
  const books = current()
  const { caller }: Buyer = pick(shop.buyers, nth) ?? (yield* buyer())
  const quote = pick(HashMap.toValues(books.quotes), nth)
  const link = pick(HashMap.toValues(books.links), nth)
  const { siteId } = pick(shop.sites, nth) ?? (yield* listSite())
  const article = pick(shop.articles, nth) ?? (yield* listArticle(siteId))
  const { projectId, opportunityId } = shop
  const webhookId = pick(HashMap.toValues(books.subscriptions), nth)?.webhookId ?? WebhookId.make("")
  switch (kind) {
    case "order":
      return yield* submitOrder(caller, { items: [item({ siteId, projectId, opportunityId }), item({ siteId })] })
    case "order insertion":
      return yield* submitOrder(caller, { items: [insertion(article.articleId, { siteId: article.siteId })] })
    case "order expired quote":
      return yield* submitOrder(caller, {
        items: [item({ siteId, targetUrl: "https://www.x.example/" })],
        settings: expiredQuoteSettings
      })
    case "order with idempotency key": {
      const idempotency = { key: `k${nth % 2}`, fingerprint: "f" }
      return yield* submitOrder(caller, { items: [item({ siteId })], idempotency, settings: plainSettings })
    }
    case "order in sandbox":
      return yield* submitOrder(caller, { items: [item({ siteId })], sandboxCreditCents: 500 })
    case "subscribe":
      return yield* addSubscription(caller)
    case "unsubscribe":
      return yield* revokeSubscription(caller, webhookId)
    case "deliver":
    case "fail delivery": {
      const deliveryId = pick(HashMap.toValues(books.deliveries), nth)?.deliveryId ?? DeliveryId.make("")
      const httpStatus = kind === "deliver" ? 200 : nth % 3 === 0 ? 410 : 500
      const outcome = { kind: "answered" as const, httpStatus, retryAfterMs: null, durationMs: 1 }
      const reads = { _tag: "ForDeliveries" as const, deliveryIds: [deliveryId] }
      return yield* book.transact(reads, recordNow([{ deliveryId, outcome }]))
    }
    case "revoke key":
      return nth % 5 === 0
        ? yield* book.transact({ _tag: "ForKey", keyId: caller.keyId }, revokeKey(caller.keyId, actor))
        : undefined
    case "list article":
      return yield* listArticle(siteId, { articleId: article.articleId, priceCents: nth })
    case "cancel order":
      return yield* cancelOrderById(link?.orderId ?? OrderId.make(""))
    case "draft":
      return yield* moveLinkTo(link?.linkId ?? LinkId.make(""), "drafted")
    case "publish":
      return yield* moveLinkTo(link?.linkId ?? LinkId.make(""), "published")
    case "verify":
      return yield* moveLinkTo(link?.linkId ?? LinkId.make(""), "verified")
    case "cancel link":
      return yield* cancelLinkById(link?.linkId ?? LinkId.make(""))
  }
  if (quote === undefined) return
  if (kind === "store session") return yield* storeSessionOf(quote)
  return kind === "pay" ? yield* pay(quote) : yield* abandon(quote, kind === "expire" ? "expiry" : "human")
})

const withLink = (over: Partial<Link>): Books => {
  const link: Link = {
    linkId: LinkId.make("lnk_1"),
    orderId: OrderId.make("ord_1"),
    quoteId: QuoteId.make("q_1"),
    accountId: AccountId.make("acc"),
    mode: "live",
    index: 0,
    siteId: 1,
    domain: "site1.example",
    shelf: "Plancton",
    format: "new_article",
    articleId: null,
    targetUrl: "https://brand.example/",
    anchorText: "anchor",
    anchorType: "partial",
    tier2Links: 0,
    projectId: null,
    opportunityId: null,
    brief: null,
    priceCents: 500,
    netCents: 500,
    status: "to_assign",
    statusReason: null,
    publishedUrl: null,
    publishedAtMs: null,
    history: [{ status: "to_assign", atMs: 0 }],
    ...over
  }
  return { ...emptyBooks, links: HashMap.make([link.linkId, link]) }
}

describe("Indexes", () => {
  effectProperty("the indexes equal those built from the rows, after every command", [commands], (todo) =>
    Effect.gen(function* () {
      const { current, indexes } = yield* MemoryBooks
      const shop = yield* setUp
      const keysSeen = new Set<IndexKey<string>>()
      for (const command of todo) {
        yield* Effect.result(execute(command, shop))
        const expected = fromScratch(current())
        for (const key of expected.keys()) keysSeen.add(key)
        for (const key of keysSeen) {
          expect([key, ...indexes.get(key).after(null)]).toEqual([key, ...(expected.get(key) ?? [])])
        }
      }
    }).pipe(Effect.provide(Layer.merge(memoryStore, UniqueNumbers.layer)))
  )

  const labels = fc.array(fc.constantFrom("a", "b", "www", "example", "co", "uk"), { minLength: 2, maxLength: 5 })

  property("a link is indexed under exactly the domains that its host is within", [labels, labels], (host, domain) => {
    const books = withLink({ accountId: AccountId.make("acc_1"), targetUrl: `https://${host.join(".")}/page` })
    const entries = indexEntriesOf(books, { table: "links", id: "lnk_1" })
    const isIndexed = entries.some(
      ({ key }) => key === indexKeys.linksInto(AccountId.make("acc_1"), "live", domain.join("."))
    )
    expect(isIndexed).toBe(hostIsWithin(host.join("."), domain.join(".")))
  })
})
