// Every other query of the store, once, for the account with the most rows of `BulkRows`. The results are checked by the conformance suites.
import { Effect } from "effect"
import { closeOwnAccount } from "#core/decisions/members/AccountState.ts"
import type { PageStart, Sort } from "#core/domain/catalogue/Catalogue.ts"
import type { SiteFilter } from "#core/domain/catalogue/SiteFilters.ts"
import { LATELY_MS, LINK_LISTS } from "#core/domain/ordering/LinkLists.ts"
import { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import {
  AccountId,
  AuditId,
  EntryId,
  InvoiceId,
  KeyId,
  LinkId,
  MemberId,
  OrderId,
  ProjectId,
  QuoteId,
  SheetId,
  WebhookId
} from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { Projects } from "#core/ports/catalogue/Projects.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { OwnerMails } from "#core/ports/mails/OwnerMails.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { AgentActivity } from "#core/ports/operations/AgentActivity.ts"
import { Readiness } from "#core/ports/operations/Readiness.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Purchases } from "#core/ports/ordering/Purchases.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { Promos } from "#core/ports/pricing/Promos.ts"
import { Sheets } from "#core/ports/pricing/Sheets.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { bulkId } from "./BulkRows.ts"

const accountId = AccountId.make(bulkId("acc_"))
const keyId = KeyId.make(bulkId("key_"))

const filters: ReadonlyArray<SiteFilter> = [
  {},
  { niches: ["niche 7"] },
  { query: "site12" },
  { shelves: ["Plancton"], languages: ["fr"], minTf: 80, minTraffic: 90_000, maxPriceCents: 1_000 },
  { niches: ["niche 7"], languages: ["de"], minTf: 50 },
  { niches: ["niche 7", "niche 8"], languages: ["de", "fr"] },
  { shelves: ["Plancton", "Corail"] },
  { niches: ["niche 7"], exceptSiteIds: [7, 207] },
  { minCf: 10, minRd: 10, minMozDa: 10, minRankedKeywords: 10 }
]
const sorts: ReadonlyArray<Sort> = ["id", "price", "-tf", "-traffic"]
const starts: ReadonlyArray<PageStart> = [
  { kind: "offset", offset: 0 },
  { kind: "offset", offset: 1_000 },
  { kind: "after", sortKey: { rank: -45, siteId: 500 } }
]

/** Catalogue searches with every filter, order and kind of start. */
export const searchCatalogue = Effect.gen(function* () {
  const catalogue = yield* Catalogue
  const projects = yield* Projects
  for (const filter of filters) {
    for (const sort of sorts) {
      for (const start of starts) yield* catalogue.search({ filter, sort, start, limit: 20 })
    }
  }
  for (const articles of [
    { articleQuery: "word 123", nowMs: 0 },
    { hasArticles: true, nowMs: 0 },
    { hasArticles: false, articleQuery: "keyword 4567", nowMs: 0 }
  ]) {
    for (const start of starts) yield* catalogue.search({ filter: {}, articles, sort: "-tf", start, limit: 20 })
  }
  yield* catalogue.site(7, 0)
  yield* catalogue.openOf([7, 8])
  yield* catalogue.sites([7, 8])
  yield* catalogue.siteIdsOf(["site7.example", "site8.example"])
  for (const mode of ["live", "sandbox"] as const) {
    yield* catalogue.linkingTo({ accountId, mode, domain: "host7.example", nowMs: 0 })
  }
  yield* catalogue.articles({ siteId: 7, limit: 20, afterId: null, nowMs: 0 })
  yield* projects.ofAccount(accountId)
  yield* projects.planMaterial(ProjectId.make(bulkId("prj_", 2)))
})

const own = { shown: [keyId], leftOut: [KeyId.make(bulkId("key_", 2))] }

/** What the page of a sheet of links reads and writes. */
const keepSheets = Effect.gen(function* () {
  const sheets = yield* Sheets
  const sheetId = SheetId.make(bulkId("sheet_", 7))
  yield* sheets.byId(sheetId)
  yield* sheets.ofAccount(accountId)
  yield* sheets.choose({ sheetId, revision: 1, rows: { from: 1, to: 100, chosen: [1], atMs: 1 } })
  yield* sheets.mark({ sheetId, nth: 1, orderId: OrderId.make(bulkId("ord_", 3)), rows: [1] })
  yield* sheets.remove(sheetId)
})

const listPurchases = Effect.gen(function* () {
  yield* keepSheets
  const purchases = yield* Purchases
  const lists = { accountId, keyIds: own.shown, asOfMs: LATELY_MS }
  yield* purchases.progress(lists)
  for (const list of LINK_LISTS) yield* purchases.inList({ ...lists, list, limit: 50, after: null })
  yield* (yield* Orders).byIds([1, 500, 1_000].map((nth) => OrderId.make(bulkId("ord_", nth))))
  yield* purchases.orderedOn({ accountId, siteIds: [7, 8], hosts: ["host7.example", "host8.example"], sinceMs: 0 })
  const invoices = yield* Invoices
  for (const after of [null, { orderId: OrderId.make(bulkId("ord_", 1_000)), index: 0 }]) {
    for (const conditions of [{}, { reference: "PO 1" }, { siteId: 7 }]) {
      yield* purchases.links({ ...own, conditions, asOfMs: 0, limit: 20, after })
    }
  }
  for (const beforeId of [null, QuoteId.make(bulkId("q_", 1_000))]) {
    for (const statuses of [QuoteStatus.literals, ["paid"], ["awaiting_payment", "abandoned"]] as const) {
      yield* purchases.quotes({ ...own, statuses, limit: 20, beforeId })
    }
  }
  for (const conditions of [{}, { orderId: OrderId.make(bulkId("ord_", 3)) }]) {
    yield* invoices.ofAccount({ accountId, limit: 20, before: null, conditions })
  }
  yield* invoices.totals({ accountId, starts: [0, 1], toMs: 2 })
  yield* invoices.byIds([InvoiceId.make(bulkId("inv_", 3))])
})

const readAgents = Effect.gen(function* () {
  yield* (yield* Quotes).byIds([1, 2, 3].map((nth) => QuoteId.make(bulkId("q_", nth))))
  yield* (yield* ApiKeys).expired({ limit: 20 })
  yield* (yield* ApiKeys).recordUse(keyId, Date.UTC(2026, 0))
  yield* (yield* AgentActivity).of([keyId], 35_990)
  yield* (yield* AgentActivity).noteRefused([
    { keyId, day: 20_000, rule: "paused", count: 1, lastAtMs: 0, lastTarget: null, lastCents: null }
  ])
  yield* (yield* AgentActivity).prune
})

/** A stranger closes nothing, and reads what an owner would. */
const readToClose = Effect.flatMap(OrderBook, (book) =>
  Effect.flip(
    book.transact(
      { _tag: "ForClosing", accountId },
      closeOwnAccount(accountId, { memberId: MemberId.make("mem_none") })
    )
  )
)

/** What the page of activity reads, as it is and narrowed. */
const readActivity = Effect.gen(function* () {
  const audit = yield* AuditLog
  yield* audit.page({ limit: 20, beforeId: null })
  const conditions = { kind: "agents", by: "member", fromMs: 0, toMs: 1, agents: [keyId], examine: 50 } as const
  for (const beforeId of [null, AuditId.make(bulkId("aud_", 1_000))]) {
    yield* audit.ofAccount({ accountId, limit: 20, beforeId })
    const afterId = AuditId.make(bulkId("aud_", 1))
    yield* audit.ofAccount({ accountId, limit: 20, beforeId, conditions: { ...conditions, afterId } })
  }
})

/** What jobs look for that mail owners. */
const claimMails = Effect.gen(function* () {
  const { links, expiries, receipts, topUps, wanted } = yield* OwnerMails
  const claim = { nowMs: Number.MAX_SAFE_INTEGER, leaseMs: 1, lagMs: 0, limit: 20 }
  for (const queue of [links, expiries, receipts, topUps]) yield* queue.claim(claim)
  yield* wanted(MemberId.make(bulkId("mem_", 1)))
})

const readOpenTopUps = Effect.gen(function* () {
  const topUps = yield* TopUps
  yield* topUps.openOf(AccountId.make(bulkId("acc_", 9)))
  yield* topUps.due({ nowMs: Number.MAX_SAFE_INTEGER, limit: 20 })
  yield* topUps.unopened({ beforeMs: Number.MAX_SAFE_INTEGER, nowMs: 0, limit: 20 })
})

/** All other queries, for the account with the most rows. */
export const readEverything = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const orders = yield* Orders
  const quotes = yield* Quotes
  const wallets = yield* Wallets
  yield* listPurchases
  yield* (yield* Readiness).writable
  yield* keys.byHash(bulkId("hash_"))
  yield* keys.ofAccount(accountId)
  yield* readAgents
  yield* readToClose
  yield* readActivity
  yield* claimMails
  yield* (yield* Grants).find("RefreshToken", bulkId("hash_"))
  yield* (yield* Grants).prune(20)
  yield* (yield* Subscriptions).ofKey(keyId)
  yield* (yield* Subscriptions).anyActive
  yield* (yield* Subscriptions).activeAfter({ after: WebhookId.make(bulkId("wh_", 1)), limit: 20 })
  yield* wallets.of(AccountId.make(bulkId("acc_", 1)))
  yield* wallets.ledger({ accountId, limit: 20, beforeId: null })
  yield* wallets.ledger({ accountId, limit: 20, beforeId: EntryId.make(bulkId("led_", 1_000)) })
  for (const beforeId of [null, EntryId.make(bulkId("led_", 1_000))]) {
    yield* wallets.ledgerLines({ accountId, limit: 20, beforeId })
  }
  yield* wallets.dailyUsage(keyId, 1_000)
  yield* orders.byId(OrderId.make(bulkId("ord_", 3)))
  for (const beforeId of [null, OrderId.make(bulkId("ord_", 1_000))]) {
    yield* orders.listed({ ...own, status: null, limit: 20, beforeId })
    yield* orders.listed({ ...own, status: null, conditions: { createdFromMs: 0 }, limit: 20, beforeId })
    yield* orders.listed({ ...own, status: "completed", limit: 20, beforeId })
  }
  const statuses = ["paid", "completed"] as const
  for (const conditions of [{}, { text: "one" }, { targetDomain: "shop.example" }]) {
    yield* orders.ofKeys({ keyIds: [keyId], statuses, conditions, limit: 20, beforeId: null })
  }
  for (const afterId of [null, LinkId.make(bulkId("lnk_", 1_000))]) yield* orders.queue({ limit: 20, afterId })
  yield* (yield* Promos).page({ limit: 20, afterCode: null, nowMs: 0 })
  yield* quotes.byId(QuoteId.make(bulkId("q_", 5)))
  yield* quotes.byPaymentToken(bulkId("token_", 5))
  yield* quotes.byIdempotencyKey(
    { keyId, accountId: AccountId.make(bulkId("acc_", 9)), mode: "live" },
    bulkId("idem_", 4)
  )
  yield* readOpenTopUps
  yield* quotes.due({ nowMs: 1, limit: 20 })
  yield* quotes.due({ nowMs: Number.MAX_SAFE_INTEGER, limit: 20, after: QuoteId.make("q_0") })
  yield* quotes.due({ nowMs: Number.MAX_SAFE_INTEGER, limit: 20 })
  yield* quotes.due({ nowMs: Number.MAX_SAFE_INTEGER, limit: 20, accountId: AccountId.make(bulkId("acc_", 9)) })
  yield* quotes.withoutSession({ beforeMs: Number.MAX_SAFE_INTEGER, limit: 20 })
  const waiting = { accountId: AccountId.make(bulkId("acc_", 9)), mode: "live", limit: 20 } as const
  yield* quotes.waiting({ ...waiting, status: "awaiting_approval" })
  yield* quotes.waiting({ ...waiting, status: "awaiting_payment", after: QuoteId.make(bulkId("q_", 5)) })
  yield* quotes.openCounts(waiting)
  yield* quotes.setAsideOpen
  yield* quotes.awaitingApproval({ limit: 20 })
  yield* Effect.all([quotes.awaitingApprovalCount, quotes.waitingCounts(AccountId.make(bulkId("acc_", 9)))])
  yield* quotes.lookAlike({ keyId, itemsDigest: bulkId("digest_", 4) })
  yield* quotes.latestUnkeyed({ keyId, fingerprint: "a".repeat(64) })
})
