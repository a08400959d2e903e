// The indexes after any sequence of commands against indexes made from scratch: no row is ever left standing where it no longer
// belongs, and none is missing.
import { Effect, HashMap, Layer } from "effect"
import fc from "fast-check"
import { describe, expect } from "vitest"
import { drawers, facetsOf, type Row } from "#adapters/memory/Drawers.ts"
import { MemoryBooks } from "#adapters/memory/MemoryBooks.ts"
import { layer as memoryStore } from "#adapters/memory/MemoryStore.ts"
import { compareEntries, type Entry } from "#adapters/memory/Sorted.ts"
import { type Books, emptyBooks } from "#core/decisions/Books.ts"
import { revokeKey } from "#core/decisions/Keys.ts"
import { hostIsWithin } from "#core/domain/Cart.ts"
import type { Link } from "#core/domain/Link.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { insertion, item } from "#test/core/Given.ts"
import { effectProperty, property } from "#test/Property.ts"
import { abandon, advance, dropLink, dropOrder, listen, openSession, pay, stopListening } from "#test/ports/Deeds.ts"
import { recordNow } from "#test/ports/DeliveryDeeds.ts"
import { Numbers } from "#test/ports/StoreSuite.ts"
import {
  actor,
  ask,
  type Buyer,
  buyer,
  findOpportunity,
  lapsedTerms,
  listArticle,
  listSite,
  plainTerms,
  startProject
} from "#test/ports/World.ts"

const shelves = [
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
  "projects",
  "opportunities"
] as const

const rowsOf = (books: Books): ReadonlyArray<Row> => [
  ...shelves.flatMap((shelf) => Array.from(HashMap.keys<string, unknown>(books[shelf]), (id): Row => ({ shelf, id }))),
  ...Array.from(HashMap.keys(books.articles), (id): Row => ({ shelf: "articles", id }))
]

/** Every drawer and what stands in it, from the rows alone. */
const fromScratch = (books: Books): ReadonlyMap<string, ReadonlyArray<Entry>> => {
  const found = new Map<string, Array<Entry>>()
  for (const row of rowsOf(books)) {
    for (const { drawer, rank } of facetsOf(books, row)) {
      found.set(drawer, [...(found.get(drawer) ?? []), { rank, id: String(row.id) }])
    }
  }
  for (const entries of found.values()) entries.sort(compareEntries)
  return found
}

interface Command {
  readonly deed: (typeof deeds)[number]
  readonly nth: number
}

const deeds = [
  "order",
  "insert",
  "lapse",
  "bind",
  "pretend",
  "link",
  "pay",
  "abandon",
  "expire",
  "draft",
  "publish",
  "verify",
  "dropLink",
  "dropOrder",
  "listen",
  "stop",
  "send",
  "fail",
  "revoke",
  "relist"
] as const

const commands = fc.array(fc.record<Command>({ deed: fc.constantFrom(...deeds), nth: fc.nat(1_000) }), {
  minLength: 1,
  maxLength: 15
})

const pick = <A>(all: ReadonlyArray<A>, nth: number): A | undefined => all[nth % all.length]

const setUp = Effect.gen(function* () {
  const buyers = [yield* buyer(1_200), yield* buyer(0), yield* buyer(0, { mode: "sandbox" })]
  const sites = [yield* listSite(), yield* listSite({ shelf: "Nautilus" })]
  const articles = [yield* listArticle(sites[0]?.siteId ?? 0), yield* listArticle(sites[1]?.siteId ?? 0)]
  for (const { caller } of buyers) yield* listen(caller)
  const { projectId } = yield* startProject(buyers[0]?.account.accountId ?? "")
  const { opportunityId } = yield* findOpportunity(projectId)
  return { buyers, sites, articles, projectId, opportunityId }
})

type Shop = Effect.Success<typeof setUp>

/** Carries out what makes sense at the time; what does not is refused and changes nothing. */
const carryOut = Effect.fnUntraced(function* ({ deed, nth }: Command, shop: Shop) {
  const book = yield* OrderBook
  const { current } = yield* MemoryBooks
  const books = current()
  const { caller }: Buyer = pick(shop.buyers, nth) ?? (yield* buyer())
  const quote = pick(HashMap.toValues(books.quotes), nth)
  const link = pick(HashMap.toValues(books.links), nth)
  const { siteId } = pick(shop.sites, nth) ?? (yield* listSite())
  const article = pick(shop.articles, nth) ?? (yield* listArticle(siteId))
  const { projectId, opportunityId } = shop
  switch (deed) {
    case "order":
      return yield* ask(caller, { items: [item({ siteId, projectId, opportunityId }), item({ siteId })] })
    case "insert":
      return yield* ask(caller, { items: [insertion(article.articleId, { siteId: article.siteId })] })
    case "lapse":
      return yield* ask(caller, { items: [item({ siteId, targetUrl: "https://www.x.example/" })], terms: lapsedTerms })
    case "bind": {
      const idempotency = { key: `k${nth % 2}`, fingerprint: "f" }
      return yield* ask(caller, { items: [item({ siteId })], idempotency, terms: plainTerms })
    }
    case "pretend":
      return yield* ask(caller, { items: [item({ siteId })], sandboxCreditCents: 500 })
    case "listen":
      return yield* listen(caller)
    case "stop":
      return yield* stopListening(caller, pick(HashMap.toValues(books.subscriptions), nth)?.webhookId ?? "")
    case "send":
    case "fail": {
      const deliveryId = pick(HashMap.toValues(books.deliveries), nth)?.deliveryId ?? ""
      const httpStatus = deed === "send" ? 200 : nth % 3 === 0 ? 410 : 500
      const outcome = { kind: "answered" as const, httpStatus, retryAfterMs: null, durationMs: 1 }
      const reads = { _tag: "ForDeliveries" as const, deliveryIds: [deliveryId] }
      return yield* book.transact(reads, recordNow([{ deliveryId, outcome }]))
    }
    case "revoke":
      return nth % 5 === 0
        ? yield* book.transact({ _tag: "ForKey", keyId: caller.keyId }, revokeKey(caller.keyId, actor))
        : undefined
    case "relist":
      return yield* listArticle(siteId, { articleId: article.articleId, priceCents: nth })
    case "dropOrder":
      return yield* dropOrder(link?.orderId ?? "")
    case "draft":
      return yield* advance(link?.linkId ?? "", "drafted")
    case "publish":
      return yield* advance(link?.linkId ?? "", "published")
    case "verify":
      return yield* advance(link?.linkId ?? "", "verified")
    case "dropLink":
      return yield* dropLink(link?.linkId ?? "")
  }
  if (quote === undefined) return
  if (deed === "link") return yield* openSession(quote)
  return deed === "pay" ? yield* pay(quote) : yield* abandon(quote, deed === "expire" ? "expiry" : "human")
})

const withLink = (over: Partial<Link>): Books => {
  const link: Link = {
    linkId: "lnk_1",
    orderId: "ord_1",
    quoteId: "q_1",
    accountId: "acc",
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
  effectProperty("indexes are what the rows say after every command", [commands], (todo) =>
    Effect.gen(function* () {
      const { current, index } = yield* MemoryBooks
      const shop = yield* setUp
      const everNamed = new Set<string>()
      for (const command of todo) {
        yield* Effect.result(carryOut(command, shop))
        const expected = fromScratch(current())
        for (const name of expected.keys()) everNamed.add(name)
        for (const name of everNamed) {
          const drawer = index.drawer(name)
          expect([name, ...drawer.after(null)]).toEqual([name, ...(expected.get(name) ?? [])])
        }
      }
    }).pipe(Effect.provide(Layer.merge(memoryStore, Numbers.layer)))
  )

  const labels = fc.array(fc.constantFrom("a", "b", "www", "example", "co", "uk"), { minLength: 2, maxLength: 5 })

  property(
    "a link stands in the drawers of just the domains that its host is within",
    [labels, labels],
    (host, domain) => {
      const books = withLink({ accountId: "acc_1", targetUrl: `https://${host.join(".")}/page` })
      const facets = facetsOf(books, { shelf: "links", id: "lnk_1" })
      const stands = facets.some(({ drawer }) => drawer === drawers.linksInto("acc_1", domain.join(".")))
      expect(stands).toBe(hostIsWithin(host.join("."), domain.join(".")))
    }
  )
})
