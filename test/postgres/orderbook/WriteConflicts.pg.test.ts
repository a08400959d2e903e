// Who would write a row that a rival has written meanwhile decides again. They wait for each other but never in a circle: whatever a
// decision writes, and however it came to it, is locked in one order for everybody. Whoever has lost three races takes its rows first.
import { layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { expect } from "vitest"
import type { Change } from "#core/decisions/Change.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import { emptyListing, list } from "#core/decisions/Listings.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { answered, queueTest, recordNow, recordOutcomes, scopedSubscription } from "#test/ports/DeliverySteps.ts"
import { pay } from "#test/ports/OrderSteps.ts"
import {
  actor,
  buyer,
  createOpportunity,
  createProject,
  definePromo,
  linksOn,
  listArticle,
  listSite,
  order
} from "#test/ports/ShopSetup.ts"
import { times } from "#test/ports/StoreSuite.ts"
import { otherSession, sharedDatabase, whileBlocked } from "../OtherSession.ts"

interface Rows {
  readonly table: string
  readonly key: string
  readonly ids: ReadonlyArray<string | number | boolean>
}

const ascending = <A extends string | number>(a: A, b: A) => (a < b ? -1 : 1)

/** Several of everything, in the order in which it is locked, and a decision that comes to write all of it from the last to the first. */
const goods = Effect.gen(function* () {
  const accounts = (yield* Effect.all(times(4, () => buyer()))).map(({ account }) => account)
  const { accountId = "" } = accounts[0] ?? {}
  const promos = yield* Effect.all(times(2, () => definePromo({ maxRedemptions: 5 })))
  const sites = yield* Effect.all(times(2, () => listSite()))
  const articles = yield* Effect.all(times(2, () => listArticle(sites[0]?.siteId ?? 0)))
  const projects = yield* Effect.all(times(2, () => createProject(accountId)))
  const opportunities = yield* Effect.all(times(2, () => createOpportunity(projects[0]?.projectId ?? "")))
  const reads = {
    _tag: "ForListing" as const,
    accountIds: accounts.map(({ accountId }) => accountId),
    promoCodes: promos.map(({ code }) => code),
    siteIds: sites.map(({ siteId }) => siteId),
    articleIds: articles.map(({ articleId }) => articleId),
    projectIds: projects.map(({ projectId }) => projectId),
    opportunityIds: opportunities.map(({ opportunityId }) => opportunityId)
  }
  const listing = {
    ...emptyListing,
    sites: sites.toReversed(),
    articles: articles.toReversed(),
    projects: projects.toReversed(),
    opportunities: opportunities.toReversed()
  }
  const others: ReadonlyArray<Change> = [
    { _tag: "FulfilmentSwitched", fulfilment: "auto" },
    // A use that never was is given back: that writes the row of its code, and nothing else.
    ...promos.toReversed().map(({ code }) => ({ _tag: "PromoReleased", code, quoteId: "q", accountId }) as const)
  ]
  const decide: Decide<unknown> = (books, moment) =>
    Result.map(list(listing, actor)(books, moment), ({ reply, changes }) => ({
      reply,
      changes: [...others, ...changes]
    }))
  const rows: ReadonlyArray<Rows> = [
    { table: "accounts", key: "account_id", ids: reads.accountIds.toSorted(ascending) },
    { table: "promos", key: "code", ids: reads.promoCodes.toSorted(ascending) },
    { table: "sites", key: "site_id", ids: reads.siteIds.toSorted(ascending) },
    { table: "articles", key: "article_id", ids: reads.articleIds.toSorted(ascending) },
    { table: "projects", key: "project_id", ids: reads.projectIds.toSorted(ascending) },
    { table: "opportunities", key: "opportunity_id", ids: reads.opportunityIds.toSorted(ascending) },
    { table: "shop", key: "only_row", ids: [true] }
  ]
  return { reads, decide, rows }
})

/** Those of the rows that nobody holds at this moment. */
const freeOf = ({ table, key, ids }: Rows) =>
  Effect.gen(function* () {
    const look = `SELECT ${key}::text AS id FROM ${table} WHERE ${key}::text = ANY ($1::text[]) FOR UPDATE SKIP LOCKED`
    const { rows } = yield* (yield* otherSession).query(look, [ids.map(String)])
    return rows.length
  }).pipe(Effect.scoped)

/** How many rows of each table are free while somebody else holds the last of one of them, and the deed waits for that. */
const freeWhileHeld = <A, E, R>({ table, key, ids }: Rows, rows: ReadonlyArray<Rows>, deed: Effect.Effect<A, E, R>) => {
  const holding = `SELECT FROM ${table} WHERE ${key}::text = $1 FOR UPDATE`
  return Effect.map(whileBlocked([holding, String(ids.at(-1))], deed, Effect.forEach(rows, freeOf)), ([, free]) => free)
}

/** All before it are taken, and of its own table all but the last, which somebody else has; nothing of the others is. */
const takenUpTo = (place: number, rows: ReadonlyArray<Rows>) =>
  rows.map(({ ids }, index) => (index <= place ? 0 : ids.length))

/** A decision that loses its first three races: it records a payment that was recorded before. Counts how often it is made. */
const losingThrice = Effect.fnUntraced(function* <A>(decide: Decide<A>) {
  const { quote } = yield* order((yield* buyer()).caller, { items: linksOn(yield* listSite()) })
  yield* pay(quote)
  const { quoteId, cardCents: amountCents } = quote
  const known: Change = {
    _tag: "PaymentRecorded",
    payment: { paymentId: `pay_${quoteId}`, quoteId, amountCents, currency: "EUR" }
  }
  const made = { times: 0 }
  const losing: Decide<A> = (books, moment) =>
    Result.map(decide(books, moment), ({ reply, changes }) => ({
      reply,
      changes: ++made.times > 3 ? changes : [known]
    }))
  return { made, losing }
})

layer(sharedDatabase, { excludeTestServices: true })("a decision that waits for a rival", (it) => {
  it.effect("is made again where the rival writes what it would write, whatever that is", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { reads, decide, rows } = yield* goods
      for (const { table, key, ids } of rows) {
        let made = 0
        const counted: typeof decide = (books, moment) => {
          made++
          return decide(books, moment)
        }
        const written = `UPDATE ${table} SET version = version || ' of a rival' WHERE ${key}::text = $1`
        yield* whileBlocked([written, String(ids.at(-1))], book.transact(reads, counted), Effect.void)
        expect([table, made]).toEqual([table, 2])
      }
    })
  )

  it.effect("has locked all that comes before it: table by table, each by id", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { reads, decide, rows } = yield* goods
      for (const [place, last] of rows.entries()) {
        const free = yield* freeWhileHeld(last, rows, book.transact(reads, decide))
        expect([last.table, ...free]).toEqual([last.table, ...takenUpTo(place, rows)])
      }
    })
  )
})

/** Several endpoints, and for each a delivery whose attempt failed: to be noted together, from the last to the first. */
const attempts = Effect.gen(function* () {
  const { caller } = yield* buyer()
  const ears = yield* Effect.all(times(4, () => scopedSubscription(caller)))
  const pinged = yield* Effect.forEach(ears, queueTest)
  const deliveryIds = pinged.map(({ deliveryId }) => deliveryId).toReversed()
  const rows: ReadonlyArray<Rows> = [
    { table: "subscriptions", key: "webhook_id", ids: ears.map(({ webhookId }) => webhookId).toSorted(ascending) },
    { table: "outbox", key: "delivery_id", ids: deliveryIds.toSorted(ascending) }
  ]
  return { deliveryIds, rows, made: deliveryIds.map((deliveryId) => ({ deliveryId, outcome: answered(503) })) }
})

layer(sharedDatabase, { excludeTestServices: true })("attempts that are noted while a rival is at it", (it) => {
  it.effect("are noted on what the rival has written of their endpoint or of themselves", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { deliveryIds, rows, made } = yield* attempts
      const [{ ids: webhookIds = [] } = {}] = rows
      for (const rival of [
        ["UPDATE subscriptions SET health_version = 'of a rival' WHERE webhook_id = $1", webhookIds.at(-1)],
        ["UPDATE deliveries SET version = 'of a rival' WHERE delivery_id = $1", deliveryIds.at(-1)]
      ] as const) {
        let times = 0
        const counted: ReturnType<typeof recordNow> = (books, moment) => {
          times++
          return recordNow(made)(books, moment)
        }
        yield* whileBlocked(rival, book.transact({ _tag: "ForDeliveries", deliveryIds }, counted), Effect.void)
        expect([...rival, times]).toEqual([...rival, 2])
      }
    }).pipe(Effect.scoped)
  )

  it.effect("have locked all that comes before it: endpoints, then deliveries, each by id", () =>
    Effect.gen(function* () {
      const { rows, made } = yield* attempts
      for (const [place, last] of rows.entries()) {
        const free = yield* freeWhileHeld(last, rows, recordOutcomes(made))
        expect([last.table, ...free]).toEqual([last.table, ...takenUpTo(place, rows)])
      }
    }).pipe(Effect.scoped)
  )
})

layer(sharedDatabase, { excludeTestServices: true })("a decision that has lost three races", (it) => {
  it.effect("is made when it has all that others may write as well, in the same order and nothing else", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { reads, decide, rows } = yield* goods
      const contended = rows.filter(({ table }) => ["accounts", "promos", "articles"].includes(table))
      const others = rows.filter((one) => !contended.includes(one))
      for (const [place, last] of contended.entries()) {
        const { made, losing } = yield* losingThrice(decide)
        const free = yield* freeWhileHeld(last, [...contended, ...others], book.transact(reads, losing))
        const untouched = others.map(({ ids }) => ids.length)
        expect([last.table, ...free]).toEqual([last.table, ...takenUpTo(place, contended), ...untouched])
        expect(made.times).toBe(4)
      }
    })
  )

  it.effect("is made once more, though a rival writes an endpoint just then", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const ear = yield* scopedSubscription((yield* buyer()).caller)
      const { deliveryId } = yield* queueTest(ear)
      const { made, losing } = yield* losingThrice(recordNow([{ deliveryId, outcome: answered(204) }]))
      const reads = { _tag: "ForDeliveries" as const, deliveryIds: [deliveryId] }
      const fared = "UPDATE subscriptions SET health_version = 'of a rival' WHERE webhook_id = $1"
      yield* whileBlocked([fared, ear.webhookId], book.transact(reads, losing), Effect.void)
      expect(made.times).toBe(4)
    }).pipe(Effect.scoped)
  )
})
