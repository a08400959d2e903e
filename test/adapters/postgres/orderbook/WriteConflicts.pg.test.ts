// Write conflicts between sessions: a decision runs again if a row that it writes was changed. Rows are locked in one fixed order, so that
// sessions never deadlock. After three conflicts, rows are locked before the decision.
import { layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { expect } from "vitest"
import type { Change } from "#core/decisions/Change.ts"
import { emptyListing, list } from "#core/decisions/catalogue/Listings.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import { AccountId, PaymentId, ProjectId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { pay } from "#test/core/ports/ordering/OrderSteps.ts"
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
} from "#test/core/ports/ShopSetup.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import {
  answered,
  queueTest,
  recordNow,
  recordOutcomes,
  scopedSubscription
} from "#test/core/ports/webhooks/DeliverySteps.ts"
import { otherSession, sharedDatabase, whileBlocked } from "../OtherSession.ts"

interface Rows {
  readonly table: string
  readonly key: string
  readonly ids: ReadonlyArray<string | number | boolean>
}

const ascending = <A extends string | number>(a: A, b: A) => (a < b ? -1 : 1)

/** Several rows of each table, in the order in which they are locked, and a decision that writes all of them from the last to the first. */
const manyRows = Effect.gen(function* () {
  const accounts = (yield* Effect.all(times(4, () => buyer()))).map(({ account }) => account)
  const { accountId = AccountId.make("") } = accounts[0] ?? {}
  const promos = yield* Effect.all(times(2, () => definePromo({ maxRedemptions: 5 })))
  const sites = yield* Effect.all(times(2, () => listSite()))
  const articles = yield* Effect.all(times(2, () => listArticle(sites[0]?.siteId ?? 0)))
  const projects = yield* Effect.all(times(2, () => createProject(accountId)))
  const opportunities = yield* Effect.all(
    times(2, () => createOpportunity(projects[0]?.projectId ?? ProjectId.make("")))
  )
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
    promos: promos.toReversed(),
    sites: sites.toReversed(),
    articles: articles.toReversed(),
    projects: projects.toReversed(),
    opportunities: opportunities.toReversed()
  }
  const switched: Change = { _tag: "FulfilmentSwitched", fulfilment: "auto" }
  const decide: Decide<unknown> = (books, context) =>
    Result.map(list(listing, actor)(books, context), ({ reply, changes }) => ({
      reply,
      changes: [switched, ...changes]
    }))
  const rows: ReadonlyArray<Rows> = [
    { table: "accounts", key: "account_id", ids: reads.accountIds.toSorted(ascending) },
    { table: "sites", key: "site_id", ids: reads.siteIds.toSorted(ascending) },
    { table: "articles", key: "article_id", ids: reads.articleIds.toSorted(ascending) },
    { table: "projects", key: "project_id", ids: reads.projectIds.toSorted(ascending) },
    { table: "opportunities", key: "opportunity_id", ids: reads.opportunityIds.toSorted(ascending) },
    { table: "shop", key: "only_row", ids: [true] },
    { table: "promos", key: "code", ids: reads.promoCodes.toSorted(ascending) }
  ]
  return { reads, decide, rows }
})

/** How many of the rows are not locked. */
const countUnlocked = ({ table, key, ids }: Rows) =>
  Effect.gen(function* () {
    const look = `SELECT ${key}::text AS id FROM ${table} WHERE ${key}::text = ANY ($1::text[]) FOR UPDATE SKIP LOCKED`
    const { rows } = yield* (yield* otherSession).query(look, [ids.map(String)])
    return rows.length
  }).pipe(Effect.scoped)

/** How many rows of each table are unlocked while another session locks the last row of one table, and `work` waits for it. */
const unlockedWhileBlocked = <A, E, R>(
  { table, key, ids }: Rows,
  rows: ReadonlyArray<Rows>,
  work: Effect.Effect<A, E, R>
) => {
  const lock = `SELECT FROM ${table} WHERE ${key}::text = $1 FOR UPDATE`
  return Effect.map(
    whileBlocked([lock, String(ids.at(-1))], work, Effect.forEach(rows, countUnlocked)),
    ([, unlocked]) => unlocked
  )
}

/** The expected counts: all rows of the tables up to this one are locked, and none of the later ones. */
const lockedUpTo = (last: number, rows: ReadonlyArray<Rows>) =>
  rows.map(({ ids }, index) => (index <= last ? 0 : ids.length))

/** A decision that conflicts in its first three runs, by recording a payment that is recorded already. Counts its runs. */
const withThreeConflicts = Effect.fnUntraced(function* <A>(decide: Decide<A>) {
  const { quote } = yield* order((yield* buyer()).caller, { items: linksOn(yield* listSite()) })
  yield* pay(quote)
  const { quoteId, cardCents: amountCents } = quote
  const known: Change = {
    _tag: "PaymentRecorded",
    payment: { paymentId: PaymentId.make(`pay_${quoteId}`), quoteId, amountCents, currency: "EUR" }
  }
  const runs = { count: 0 }
  const conflicting: Decide<A> = (books, context) =>
    Result.map(decide(books, context), ({ reply, changes }) => ({
      reply,
      changes: ++runs.count > 3 ? changes : [known]
    }))
  return { runs, conflicting }
})

layer(sharedDatabase, { excludeTestServices: true })("a decision that waits for another session", (it) => {
  it.effect("runs again if the other session changes a row that it writes, in any table", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { reads, decide, rows } = yield* manyRows
      for (const { table, key, ids } of rows) {
        let runs = 0
        const counted: typeof decide = (books, context) => {
          runs++
          return decide(books, context)
        }
        const written = `UPDATE ${table} SET version = version || ' of another session' WHERE ${key}::text = $1`
        yield* whileBlocked([written, String(ids.at(-1))], book.transact(reads, counted), Effect.void)
        expect([table, runs]).toEqual([table, 2])
      }
    })
  )

  it.effect("locks rows in a fixed order: table by table, each by id", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { reads, decide, rows } = yield* manyRows
      for (const [index, last] of rows.entries()) {
        const unlocked = yield* unlockedWhileBlocked(last, rows, book.transact(reads, decide))
        expect([last.table, ...unlocked]).toEqual([last.table, ...lockedUpTo(index, rows)])
      }
    })
  )
})

/** Several endpoints with a failed delivery each, whose outcomes are recorded together, from the last to the first. */
const failedDeliveries = Effect.gen(function* () {
  const { caller } = yield* buyer()
  const subscriptions = yield* Effect.all(times(4, () => scopedSubscription(caller)))
  const queued = yield* Effect.forEach(subscriptions, queueTest)
  const deliveryIds = queued.map(({ deliveryId }) => deliveryId).toReversed()
  const rows: ReadonlyArray<Rows> = [
    {
      table: "subscriptions",
      key: "webhook_id",
      ids: subscriptions.map(({ webhookId }) => webhookId).toSorted(ascending)
    },
    { table: "outbox", key: "delivery_id", ids: deliveryIds.toSorted(ascending) }
  ]
  return { deliveryIds, rows, outcomes: deliveryIds.map((deliveryId) => ({ deliveryId, outcome: answered(503) })) }
})

layer(sharedDatabase, { excludeTestServices: true })(
  "outcomes of deliveries that are recorded during another session's change",
  (it) => {
    it.effect("are recorded again on the changed endpoint or delivery", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { deliveryIds, rows, outcomes } = yield* failedDeliveries
        const [{ ids: webhookIds = [] } = {}] = rows
        for (const update of [
          ["UPDATE subscriptions SET health_version = 'of another session' WHERE webhook_id = $1", webhookIds.at(-1)],
          ["UPDATE deliveries SET version = 'of another session' WHERE delivery_id = $1", deliveryIds.at(-1)]
        ] as const) {
          let runs = 0
          const counted: ReturnType<typeof recordNow> = (books, context) => {
            runs++
            return recordNow(outcomes)(books, context)
          }
          yield* whileBlocked(update, book.transact({ _tag: "ForDeliveries", deliveryIds }, counted), Effect.void)
          expect([...update, runs]).toEqual([...update, 2])
        }
      }).pipe(Effect.scoped)
    )

    it.effect("lock rows in a fixed order: endpoints, then deliveries, each by id", () =>
      Effect.gen(function* () {
        const { rows, outcomes } = yield* failedDeliveries
        for (const [index, last] of rows.entries()) {
          const unlocked = yield* unlockedWhileBlocked(last, rows, recordOutcomes(outcomes))
          expect([last.table, ...unlocked]).toEqual([last.table, ...lockedUpTo(index, rows)])
        }
      }).pipe(Effect.scoped)
    )
  }
)

layer(sharedDatabase, { excludeTestServices: true })("a decision after three conflicts", (it) => {
  it.effect("runs with locks on the rows that others may write, in the same order, and on no others", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const { reads, decide, rows } = yield* manyRows
      const lockedFirst = rows.filter(({ table }) => ["accounts", "promos", "articles"].includes(table))
      const others = rows.filter((one) => !lockedFirst.includes(one))
      for (const [index, last] of lockedFirst.entries()) {
        const { runs, conflicting } = yield* withThreeConflicts(decide)
        const unlocked = yield* unlockedWhileBlocked(
          last,
          [...lockedFirst, ...others],
          book.transact(reads, conflicting)
        )
        const untouched = others.map(({ ids }) => ids.length)
        expect([last.table, ...unlocked]).toEqual([last.table, ...lockedUpTo(index, lockedFirst), ...untouched])
        expect(runs.count).toBe(4)
      }
    })
  )

  it.effect("runs once more even if another session changes an endpoint meanwhile", () =>
    Effect.gen(function* () {
      const book = yield* OrderBook
      const subscription = yield* scopedSubscription((yield* buyer()).caller)
      const { deliveryId } = yield* queueTest(subscription)
      const { runs, conflicting } = yield* withThreeConflicts(recordNow([{ deliveryId, outcome: answered(204) }]))
      const reads = { _tag: "ForDeliveries" as const, deliveryIds: [deliveryId] }
      const healthChange = "UPDATE subscriptions SET health_version = 'of another session' WHERE webhook_id = $1"
      yield* whileBlocked([healthChange, subscription.webhookId], book.transact(reads, conflicting), Effect.void)
      expect(runs.count).toBe(4)
    }).pipe(Effect.scoped)
  )
})
